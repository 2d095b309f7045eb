#include "assets/shipped.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>

#include "assets/limits.h"
#include "assets/openable.h"
#include "assets/scene_io.h"
#include "assets/xml_text.h"
#include "assets/yaml_reader.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

std::string bytesText(std::size_t bytes) {
  return bytes < limits::kMiB ? std::to_string(bytes / limits::kKiB) + " KiB"
                              : std::to_string(bytes / limits::kMiB) + " MiB";
}

}  // namespace

Result<void> checkIsFile(const fs::path& file) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status))
    return Error{ErrorCode::FileNotFound, "the file does not exist", file.string(), "check the path"};
  if (fs::is_directory(status))
    return Error{ErrorCode::FileUnreadable, "this is a folder", file.string(), "name a file in it"};
  if (!fs::is_regular_file(status))
    return Error{ErrorCode::FileUnreadable, "this is not a regular file", file.string(), "name a file"};
  return {};
}

Result<std::string> readTextFile(const fs::path& file, std::size_t mostBytes) {
  if (Result<void> ok = checkIsFile(file); !ok) return ok.error();
  std::error_code failed;
  const std::uintmax_t size = fs::file_size(file, failed);
  if (failed || size > mostBytes)
    return Error{ErrorCode::FileUnreadable,
                 "the file is larger than " + bytesText(mostBytes) + ", which no such file needs",
                 file.string(), "check that it is the right file"};
  std::ifstream stream(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (!stream)
    return Error{ErrorCode::FileUnreadable, "the file cannot be read", file.string(),
                 "check its permissions"};
  return text;
}

Result<std::vector<fs::path>> entriesOf(const fs::path& folder) {
  const auto close = [](DIR* open) { closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> open(opendir(folder.c_str()), close);
  std::vector<fs::path> entries;
  errno = open ? 0 : errno;
  while (const dirent* entry = open ? readdir(open.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") entries.push_back(folder / name);
    errno = 0;
  }
  if (errno != 0)
    return Error{ErrorCode::FileNotFound, std::string("the folder cannot be read: ") + std::strerror(errno),
                 folder.string(), "choose a folder that is there"};
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool isBareName(const std::string& text) {
  return !text.empty() && text.find('/') == std::string::npos && !fs::path(text).has_extension();
}

std::vector<ShippedRobot> shippedRobots() {
  std::vector<ShippedRobot> robots;
  const Result<std::vector<fs::path>> files = entriesOf(assetsFolder() / "robots");
  if (!files) return robots;
  for (const fs::path& file : *files)
    if (kindOfFile(file) == FileKind::Robot) robots.push_back({file.stem().string(), file});
  std::sort(robots.begin(), robots.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return robots;
}

std::optional<fs::path> shippedRobotFile(const std::string& name) {
  for (const ShippedRobot& robot : shippedRobots())
    if (name == robot.name || name == robot.file.filename()) return robot.file;
  return std::nullopt;
}

std::vector<ShippedScene> shippedScenes() {
  std::vector<ShippedScene> scenes;
  const Result<std::vector<fs::path>> files = entriesOf(assetsFolder() / "scenes");
  if (!files) return scenes;
  for (const fs::path& file : *files) {
    if (file.extension() != ".yaml") continue;
    ShippedScene scene{file.stem().string(), file.stem().string(), file};
    // Only the title is needed here; a scene that cannot be read is listed all the same and explains itself
    // when opened.
    const Result<std::string> text = readTextFile(file, limits::kYamlBytes);
    const Result<YamlTree> root = text ? parseYaml(*text, scene.name) : Result<YamlTree>(text.error());
    const YamlTree title = root ? valueAt(*root, "title") : nullptr;
    if (title && title->isScalar()) scene.title = title->scalar;
    scenes.push_back(std::move(scene));
  }
  std::sort(scenes.begin(), scenes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return scenes;
}

}  // namespace slipstick::assets

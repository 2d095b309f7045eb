#include "assets/shipped.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "assets/file_log.h"
#include "assets/openable.h"
#include "assets/scene_io.h"
#include "assets/yaml_reader.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

thread_local std::optional<fs::path> elsewhere;  ///< of AssetsFolderIs

constexpr int kLevelsUp = 12;
constexpr std::size_t kLargestManifest = 1 << 20;

bool isFile(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// The package name that a folder's package.xml declares, or nothing.
std::string declaredPackage(const fs::path& folder) {
  const fs::path manifest = folder / "package.xml";
  if (!isFile(manifest)) return {};
  const Result<std::string> text = readTextFile(manifest, kLargestManifest);
  tinyxml2::XMLDocument document;
  if (!text || document.Parse(text->c_str(), text->size()) != tinyxml2::XML_SUCCESS) return {};
  const tinyxml2::XMLElement* root = document.FirstChildElement("package");
  const tinyxml2::XMLElement* name = root ? root->FirstChildElement("name") : nullptr;
  return name && name->GetText() ? name->GetText() : "";
}

bool declares(const fs::path& folder, const std::string& package) {
  if (declaredPackage(folder) != package) return false;
  FileLog::note(folder / "package.xml");
  return true;
}

std::vector<fs::path> pathsFromEnvironment() {
  std::vector<fs::path> paths;
  const char* variable = std::getenv("ROS_PACKAGE_PATH");
  std::stringstream list(variable ? variable : "");
  for (std::string entry; std::getline(list, entry, ':');)
    if (!entry.empty()) paths.emplace_back(entry);
  return paths;
}

/// Places where "package://name/rest" may lie, best first.
std::vector<fs::path> packageCandidates(const std::string& name, const fs::path& rest, const fs::path& folder,
                                        std::vector<fs::path> roots) {
  std::vector<fs::path> candidates;
  for (fs::path& root : pathsFromEnvironment()) roots.push_back(std::move(root));
  for (const fs::path& root : roots) {
    if (root.filename() == name || declares(root, name)) candidates.push_back(root / rest);
    candidates.push_back(root / name / rest);
  }
  std::error_code ignored;
  fs::path up = fs::absolute(folder, ignored);
  for (int level = 0; level < kLevelsUp; ++level) {
    if (up.filename() == name || declares(up, name)) candidates.push_back(up / rest);
    candidates.push_back(up / name / rest);
    if (up == up.parent_path()) break;
    up = up.parent_path();
  }
  candidates.push_back(folder / rest);
  candidates.push_back(folder / rest.filename());
  return candidates;
}

}  // namespace

AssetsFolderIs::AssetsFolderIs(fs::path folder) {
  elsewhere = std::move(folder);
}

AssetsFolderIs::~AssetsFolderIs() {
  elsewhere.reset();
}

fs::path assetsFolder() {
  if (elsewhere) return *elsewhere;
  if (const char* folder = std::getenv("SLIPSTICK_ASSETS")) return folder;
  return SLIPSTICK_ASSETS_DIR;
}

Result<fs::path> resolveFile(const std::string& name, const fs::path& folder,
                             const std::vector<fs::path>& packagePaths) {
  constexpr std::string_view kPackage = "package://", kFile = "file://";
  std::vector<fs::path> candidates;
  if (name.starts_with(kPackage) || name.starts_with("model://")) {
    const std::string path = name.substr(name.find("//") + 2);
    const std::size_t slash = path.find('/');
    const fs::path rest = slash == std::string::npos ? fs::path() : fs::path(path.substr(slash + 1));
    candidates = packageCandidates(path.substr(0, slash), rest, folder, packagePaths);
  } else {
    const fs::path path = name.starts_with(kFile) ? name.substr(kFile.size()) : name;
    candidates.push_back(path.is_absolute() ? path : folder / path);
    if (path.is_relative()) candidates.push_back(assetsFolder() / path);
  }
  std::string tried;
  for (const fs::path& candidate : candidates) {
    if (isFile(candidate)) return candidate.lexically_normal();
    tried += (tried.empty() ? "" : ", ") + candidate.lexically_normal().string();
  }
  return Error{ErrorCode::FileNotFound, "the file '" + name + "' does not exist", "",
               "correct the path; tried " + tried};
}

Result<std::string> readTextFile(const fs::path& file, std::size_t mostBytes) {
  std::error_code failed;
  const fs::file_status status = fs::status(file, failed);
  if (!fs::exists(status))
    return Error{ErrorCode::FileNotFound, "the file does not exist", file.string(), "check the path"};
  if (!fs::is_regular_file(status))
    return Error{ErrorCode::FileUnreadable, "this is not a regular file", file.string(), "name a file"};
  const std::uintmax_t size = fs::file_size(file, failed);
  if (failed || size > mostBytes)
    return Error{
        ErrorCode::FileUnreadable,
        "the file is larger than " + std::to_string(mostBytes >> 20) + " MiB, which no such file needs",
        file.string(), "check that it is the right file"};
  std::ifstream stream(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (!stream)
    return Error{ErrorCode::FileUnreadable, "the file cannot be read", file.string(),
                 "check its permissions"};
  return text;
}

bool isBareName(const std::string& text) {
  return !text.empty() && text.find('/') == std::string::npos && !fs::path(text).has_extension();
}

std::vector<ShippedRobot> shippedRobots() {
  std::vector<ShippedRobot> robots;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(assetsFolder() / "robots", ignored))
    if (kindOfFile(entry.path()) == FileKind::Robot)
      robots.push_back({entry.path().stem().string(), entry.path()});
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
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(assetsFolder() / "scenes", ignored)) {
    if (entry.path().extension() != ".yaml") continue;
    ShippedScene scene{entry.path().stem().string(), entry.path().stem().string(), entry.path()};
    // Only the title is needed here; a scene that cannot be read is listed all the same and explains itself
    // when opened.
    const Result<std::string> text = readTextFile(entry.path(), 1 << 20);
    const Result<YAML::Node> root = text ? parseYaml(*text, scene.name) : Result<YAML::Node>(text.error());
    if (root && root->IsMap() && (*root)["title"].IsDefined() && (*root)["title"].IsScalar())
      scene.title = (*root)["title"].Scalar();
    scenes.push_back(std::move(scene));
  }
  std::sort(scenes.begin(), scenes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return scenes;
}

}  // namespace slipstick::assets

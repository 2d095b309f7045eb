#include "assets/recording/recorded_scene.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "assets/file_resolver.h"
#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/recording/hdf5_file.h"
#include "assets/scene_writer.h"
#include "assets/shipped.h"
#include "engine/foundation/guarded.h"

namespace slipstick::assets::recording {
namespace fs = std::filesystem;
namespace {

constexpr const char* kGroup = "scene";

std::string numbered(std::size_t i) {
  return "files/" + std::to_string(i);
}

std::vector<std::string> textsOf(const std::vector<fs::path>& paths) {
  std::vector<std::string> texts;
  for (const fs::path& path : paths) texts.push_back(absoluteFolder(path).lexically_normal().string());
  return texts;
}

Result<void> writeFiles(hid_t group, const std::vector<fs::path>& sources) {
  const hdf5::Handle files(H5Gcreate2(group, "files", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (Result<void> ok = hdf5::writeTexts(group, "paths", textsOf(sources)); !ok) return ok;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Result<std::string> bytes = readTextFile(sources[i], limits::kRecordedFile);
    if (!bytes) return bytes.error();
    if (Result<void> ok = hdf5::writeBytes(group, numbered(i), *bytes); !ok) return ok;
  }
  return {};
}

/// Where a file of the recording's machine lies below a folder of this one. From an absolute path no ".." leads out.
fs::path below(const fs::path& folder, const fs::path& path) {
  return folder / path.lexically_normal().relative_path();
}

Result<void> put(const fs::path& file, const std::string& bytes) {
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  std::ofstream out(file, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (out.flush()) return {};
  return Error{ErrorCode::FileUnwritable, "the recording's files cannot be put here", file.string(),
               "free some space in the system's temporary folder, or set TMPDIR to another one"};
}

}  // namespace

Result<void> writeRecordedScene(hid_t file, const Model& model, const std::vector<fs::path>& packagePaths) {
  const Scene& scene = *model.scene;
  const fs::path folder =
      scene.file.empty() ? fs::current_path() : fs::absolute(scene.file).lexically_normal().parent_path();
  const Result<std::string> text = writeScene(scene, folder);
  if (!text) return text.error();
  const hdf5::Handle group(H5Gcreate2(file, kGroup, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  const std::pair<const char*, std::string> texts[] = {
      {"name", model.name},
      {"title", model.title},
      {"folder", folder.string()},
      {"assets", absoluteFolder(assetsFolder()).lexically_normal().string()}};
  for (const auto& [name, value] : texts)
    if (Result<void> ok = hdf5::writeText(group.id(), name, value); !ok) return ok;
  if (Result<void> ok = hdf5::writeTexts(group.id(), "yaml", {*text}); !ok) return ok;
  if (Result<void> ok = hdf5::writeTexts(group.id(), "package_paths", textsOf(packagePaths)); !ok) return ok;
  return writeFiles(group.id(), scene.sources);
}

Result<TemporaryFolder> TemporaryFolder::create() {
  std::error_code failed;
  std::string name = (fs::temp_directory_path(failed) / "slipstick-XXXXXX").string();
  if (!failed && mkdtemp(name.data()) != nullptr) return TemporaryFolder(name);
  return Error{ErrorCode::FileUnwritable, "no temporary folder can be made", name,
               "free some space there, or set TMPDIR to another folder"};
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) attempt([this] { fs::remove_all(path_); });
}

namespace {

Error broken(const std::string& what) {
  return {ErrorCode::SyntaxError, what, "scene", "record again; this file is damaged or of another program"};
}

/// Puts the files of the scene below a folder.
Result<void> unpack(hid_t group, const std::vector<std::string>& paths, const fs::path& folder) {
  if (paths.size() > limits::kRecordedFiles) return broken("the recording brings too many files");
  std::size_t total = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Result<std::string> bytes = hdf5::readBytes(group, numbered(i));
    if (!bytes) return bytes.error();
    total += bytes->size();
    if (total > limits::kRecordedAllFiles) return broken("the files that the recording brings are too large");
    if (Result<void> ok = put(below(folder, paths[i]), *bytes); !ok) return ok;
  }
  return {};
}

bool areAbsolute(const std::vector<std::string>& paths) {
  return std::all_of(paths.begin(), paths.end(),
                     [](const std::string& p) { return fs::path(p).is_absolute(); });
}

}  // namespace

Result<LoadedModel> openRecordedScene(hid_t file, const TemporaryFolder& folder, const std::string& method,
                                      LoadProgress* progress, std::shared_ptr<const AllMethodRows> methods) {
  const hdf5::Handle group(H5Gopen2(file, kGroup, H5P_DEFAULT), H5Gclose);
  const Result<std::string> name = hdf5::readText(group.id(), "name");
  const Result<std::string> place = hdf5::readText(group.id(), "folder");
  const Result<std::string> assets = hdf5::readText(group.id(), "assets");
  const Result<std::vector<std::string>> text = hdf5::readTexts(group.id(), "yaml");
  const Result<std::vector<std::string>> paths = hdf5::readTexts(group.id(), "paths");
  const Result<std::vector<std::string>> packages = hdf5::readTexts(group.id(), "package_paths");
  if (!name) return name.error();
  if (!place) return place.error();
  if (!assets) return assets.error();
  if (!text) return text.error();
  if (!paths) return paths.error();
  if (!packages) return packages.error();
  if (text->empty()) return broken("the recording has no text of its scene");
  if (!areAbsolute(*paths) || !areAbsolute(*packages) || !areAbsolute({*place, *assets}))
    return broken("the recording names files by paths that lead nowhere");
  if (Result<void> ok = unpack(group.id(), *paths, folder.path()); !ok) return ok.error();
  const fs::path scene = below(folder.path(), fs::path(*place) / (oneLine(*name) + ".yaml"));
  if (Result<void> ok = put(scene, text->front()); !ok) return ok.error();
  const AssetsFolderIs recorded(below(folder.path(), *assets));
  LoadOptions options;
  options.progress = progress;
  options.methods = std::move(methods);
  options.method = method;
  for (const std::string& package : *packages) options.packagePaths.push_back(below(folder.path(), package));
  return loadModel(scene.string(), options);
}

}  // namespace slipstick::assets::recording

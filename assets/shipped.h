// Where files are: beside the document that names them, in packages, or among the shipped assets.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::assets {

/// The folder of the shipped scenes, robots and meshes: $SLIPSTICK_ASSETS, or the source tree's assets/.
std::filesystem::path assetsFolder();

/// Has a thread find the shipped assets elsewhere as long as it exists: those that a recording brings.
class AssetsFolderIs {
 public:
  explicit AssetsFolderIs(std::filesystem::path folder);
  ~AssetsFolderIs();
  AssetsFolderIs(const AssetsFolderIs&) = delete;
  AssetsFolderIs& operator=(const AssetsFolderIs&) = delete;
};

/// Resolves a file name or "package://NAME/path" that stands in a file of `folder`. For packages, in this
/// order: each package path (NAME below it, or itself if its package.xml says NAME), $ROS_PACKAGE_PATH the
/// same way, folders upward whose package.xml says NAME, folders upward that are called or contain NAME, the
/// path without the package, the mere file name beside the document. The error lists every place that was
/// tried.
Result<std::filesystem::path> resolveFile(const std::string& name, const std::filesystem::path& folder,
                                          const std::vector<std::filesystem::path>& packagePaths);

/// The file of a robot that ships with the program, by its name ("arm7") or its file's ("arm7.urdf"); none for other
/// names.
std::optional<std::filesystem::path> shippedRobotFile(const std::string& name);

/// Whether a text is a mere name: no path, and no suffix that would say what kind of file is meant.
bool isBareName(const std::string& text);

/// The whole file as text. Errors: not found, a folder, unreadable, larger than `mostBytes`.
Result<std::string> readTextFile(const std::filesystem::path& file, std::size_t mostBytes);

}  // namespace slipstick::assets

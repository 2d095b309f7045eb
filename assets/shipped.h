// The shipped scenes, robots and meshes, and texts of files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "assets/file_resolver.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

/// The folder of the shipped scenes, robots and meshes: $SLIPSTICK_ASSETS; else ../share/slipstick beside the running
/// program (in a build tree a link to the sources' assets/), else slipstick/ in $XDG_DATA_DIRS, for programs of others
/// that link the engine. Where there is none, the place beside the program, so that errors name it.
std::filesystem::path assetsFolder();

/// Has a thread find the shipped assets elsewhere as long as it exists: those that a recording brings.
class AssetsFolderIs {
 public:
  explicit AssetsFolderIs(std::filesystem::path folder);
  ~AssetsFolderIs();
  AssetsFolderIs(const AssetsFolderIs&) = delete;
  AssetsFolderIs& operator=(const AssetsFolderIs&) = delete;
};

/// The file of a robot that ships with the program, by its name ("arm7") or its file's ("arm7.urdf"); none for other
/// names.
std::optional<std::filesystem::path> shippedRobotFile(const std::string& name);

/// Whether a text is a mere name: no path, and no suffix that would say what kind of file is meant.
bool isBareName(const std::string& text);

/// Errors: not found, a folder, no regular file (a pipe would be waited for, a device has no end).
Result<void> checkIsFile(const std::filesystem::path& file);

/// The whole file as text. Errors: not found, a folder, unreadable, larger than `mostBytes`.
Result<std::string> readTextFile(const std::filesystem::path& file, std::size_t mostBytes);
/// What is in a folder, by name. Not std::filesystem's iterators: those of libstdc++ end the program where there is no memory.
/// Errors: it is missing, no folder, or may not be read.
Result<std::vector<std::filesystem::path>> entriesOf(const std::filesystem::path& folder);

}  // namespace slipstick::assets

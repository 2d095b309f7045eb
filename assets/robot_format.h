// The kinds of files that robots are read from: a row each, which scenes, lone robots, dialogs and completions follow.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assets/robot_io.h"
#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"

namespace slipstick::assets {

struct LoadOptions;
struct LoadedScene;

struct RobotFormat {
  std::string_view key;                         ///< of scenes that name files of this kind: "urdf"
  std::string_view name;                        ///< for people: "URDF"
  std::vector<std::string_view> suffixes;       ///< lower case, without dots
  std::vector<std::string_view> firstElements;  ///< that tell its files, whatever their suffix
  /// As a part of a scene.
  Result<LoadedRobot> (*load)(const std::filesystem::path& file,
                              const std::vector<std::filesystem::path>& packagePaths, LoadProgress* progress);
  /// Suffixes of files that are known only to say what to do with them.
  std::vector<std::string_view> refusedSuffixes = {};
  /// Whether the program reads it; null: it does.
  bool (*isRead)() = nullptr;
  /// Whether joints and poses start where the file has them.
  bool startsAsWritten = false;
  /// Opened alone, where the file is a scene of its own; null: its robot stands on the ground.
  Result<LoadedScene> (*open)(const std::filesystem::path& file, const LoadOptions& options) = nullptr;
};

/// All of them. What stands for one is a row of this table.
const std::vector<RobotFormat>& robotFormats();

/// By its first element, whatever its suffix: ".xml" says nothing, and suffixes are mixed up. By the suffix where the file
/// cannot be read or begins with something else.
const RobotFormat& robotFormatOf(const std::filesystem::path& file);

/// By the first element of a file that begins as XML; null for all others.
const RobotFormat* robotFormatShownBy(const std::filesystem::path& file);

/// By the suffix alone; URDF for those that no format has.
const RobotFormat& robotFormatBySuffix(const std::filesystem::path& file);

/// By the key of scenes. Requires one of robotKeys().
const RobotFormat& robotFormatOfKey(std::string_view key);

/// The keys of scenes that name robots' files, each once: "urdf", "sdf", …
std::vector<std::string> robotKeys();

}  // namespace slipstick::assets

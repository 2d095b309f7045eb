// What kind of robot file a file is.
#pragma once

#include <filesystem>
#include <optional>

namespace slipstick::assets {

enum class RobotFormat { Urdf, Sdf, Mjcf };

/// By its first element, whatever its suffix: ".xml" says nothing, and suffixes are mixed up. By the suffix where the file
/// cannot be read or begins with something else.
RobotFormat robotFormatOf(const std::filesystem::path& file);

/// By the first element of a file that begins as XML; none of all others.
std::optional<RobotFormat> robotFormatShownBy(const std::filesystem::path& file);

/// By the suffix alone.
RobotFormat robotFormatBySuffix(const std::filesystem::path& file);

/// The key of a scene that names files of this kind: "urdf", "sdf", "mjcf".
const char* keyOf(RobotFormat format);

/// For people: "URDF", "SDF", "MJCF".
const char* nameOf(RobotFormat format);

}  // namespace slipstick::assets

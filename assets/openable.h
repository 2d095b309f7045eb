// Which files the program opens, and as what.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipstick::assets {

enum class FileKind { Scene, Robot, Mesh };

/// A robot by the suffix, in either case, or by its first element whatever the suffix; meshes and scenes by the suffix; none
/// for all else.
std::optional<FileKind> kindOfFile(const std::filesystem::path& file);

/// Suffixes of the files that loadModel() takes, lower case, without dots: "yaml", "urdf", …
std::vector<std::string> openableSuffixes();

}  // namespace slipstick::assets

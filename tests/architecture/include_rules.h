// The house rules that a reader of includes can check: which folder may know which, and which libraries.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace slipstick::architecture {

/// "file:line: message" for every #include under root's product folders (app engine render gpu assets ui)
/// that follows an arrow the design does not have (between these folders, or between those of engine/), or
/// names a library that its folder must not know.
std::vector<std::string> forbiddenIncludes(const std::filesystem::path& root);

/// Number of source files that forbiddenIncludes(root) reads.
std::size_t sourceFileCount(const std::filesystem::path& root);

/// Those of the names that the design does not allow at the top of the repository.
std::vector<std::string> strangersAtTopLevel(const std::vector<std::string>& names);

/// Top-level names of the repository: what git tracks, or without git everything in the folder but `build`.
std::vector<std::string> topLevelNames(const std::filesystem::path& root);

}  // namespace slipstick::architecture

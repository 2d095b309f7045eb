// Where tests find the project's own files, the tables of reference data, and the robots of others beside the
// project.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace slipstick::testing {

/// The root of the project's source tree.
std::filesystem::path sourceDir();

/// The built program, `build/<preset>/bin/slipstick`.
std::filesystem::path program();

/// Tables of independent programs; `tests/data/README.md` says where each comes from.
std::filesystem::path dataDir();

/// Reads a JSON file of `dataDir()`; fails the test with the path when it cannot be read.
nlohmann::json readData(const std::string& relativePath);

/// Robots of others, whose licences keep them out of this project: `../shared/robots`, or the folder `robots`
/// of the one that the environment variable SLIPSTICK_SHARED names. It may be missing: use
/// SLIPSTICK_REQUIRE_OTHER_ROBOTS in a test that needs it.
std::filesystem::path otherRobotsDir();

}  // namespace slipstick::testing

/// Skips a test of those robots, with a line that says what is missing.
#define SLIPSTICK_REQUIRE_OTHER_ROBOTS()                                                 \
  if (!std::filesystem::exists(slipstick::testing::otherRobotsDir()))                    \
  GTEST_SKIP() << "robots of others not found: " << slipstick::testing::otherRobotsDir() \
               << " (they may not be copied here; put their folder there, or set SLIPSTICK_SHARED)"

// Where tests find the project's own files and the reference data beside the project.
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

/// `../shared` beside the project, or the folder that the environment variable SLIPSTICK_SHARED names. It may be missing:
/// use SLIPSTICK_REQUIRE_SHARED in a test that needs it.
std::filesystem::path sharedDir();

/// Reads a JSON file of `sharedDir()`; fails the test with the path when it cannot be parsed.
nlohmann::json readSharedJson(const std::string& relativePath);

}  // namespace slipstick::testing

/// Skips a test, with a line that says what is missing, where the reference data is not beside the project.
#define SLIPSTICK_REQUIRE_SHARED(relativePath)                                                          \
  if (!std::filesystem::exists(slipstick::testing::sharedDir() / (relativePath)))                       \
  GTEST_SKIP() << "reference data not found: " << (slipstick::testing::sharedDir() / (relativePath)) \
               << " (put the shared folder beside the project, or set SLIPSTICK_SHARED)"

#include "tests/support/test_paths.h"

#include <cstdlib>
#include <fstream>

namespace slipstick::testing {

std::filesystem::path sourceDir() {
  return SLIPSTICK_SOURCE_DIR;
}

std::filesystem::path program() {
  return SLIPSTICK_PROGRAM;
}

std::filesystem::path dataDir() {
  return sourceDir() / "tests" / "data";
}

nlohmann::json readData(const std::string& relativePath) {
  const std::filesystem::path path = dataDir() / relativePath;
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << "cannot open " << path;
  return nlohmann::json::parse(file);
}

std::filesystem::path otherRobotsDir() {
  const char* folder = std::getenv("SLIPSTICK_SHARED");
  return (folder ? std::filesystem::path(folder) : sourceDir().parent_path() / "shared") / "robots";
}

}  // namespace slipstick::testing

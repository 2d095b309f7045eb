#include "tests/support/test_paths.h"

#include <cstdlib>
#include <fstream>

namespace slipstick::testing {

std::filesystem::path sourceDir() { return SLIPSTICK_SOURCE_DIR; }

std::filesystem::path program() { return SLIPSTICK_PROGRAM; }

std::filesystem::path sharedDir() {
  if (const char* folder = std::getenv("SLIPSTICK_SHARED")) return folder;
  return sourceDir().parent_path() / "shared";
}

nlohmann::json readSharedJson(const std::string& relativePath) {
  const std::filesystem::path path = sharedDir() / relativePath;
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << "cannot open " << path;
  return nlohmann::json::parse(file);
}

}  // namespace slipstick::testing

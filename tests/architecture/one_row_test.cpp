// A method comes into a program by its folder and one line: that of tests does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "tests/support/test_paths.h"

namespace slipstick::architecture {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMethod = "drifting";

bool isCode(const fs::path& file) {
  static const std::set<std::string> kSuffixes = {".cpp", ".h", ".cu", ".cmake", ".txt", ".yaml"};
  return kSuffixes.count(file.extension().string()) > 0 && !file.string().ends_with("_test.cpp");
}

/// Of what is searched: neither what was built, nor the method's own folder, nor that of its tests in the window.
bool isLeftOut(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == "build" || name == kMethod || name.starts_with(".");
}

std::vector<fs::path> codeFiles(const fs::path& root) {
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator();
       ++entry) {
    if (entry->is_directory() && isLeftOut(entry->path())) entry.disable_recursion_pending();
    if (entry->is_regular_file() && isCode(entry->path())) files.push_back(entry->path());
  }
  return files;
}

/// "file: line" for each line with the method's name.
std::vector<std::string> linesThatNameIt(const fs::path& root) {
  std::vector<std::string> lines;
  for (const fs::path& file : codeFiles(root)) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
      if (line.find(kMethod) != std::string::npos)
        lines.push_back(file.lexically_relative(root).generic_string() + ": " + line);
  }
  return lines;
}

TEST(OneRow, AMethodIsNamedOnceOutsideItsFolder) {
  const fs::path root = slipstick::testing::sourceDir();
  ASSERT_GT(codeFiles(root).size(), 1000u);
  ASSERT_TRUE(fs::exists(root / "tests/support" / kMethod));
  EXPECT_THAT(linesThatNameIt(root),
              ::testing::ElementsAre("tests/CMakeLists.txt: add_subdirectory(support/drifting)"));
}

/// Its folder knows the program; no part of the program knows it.
TEST(OneRow, ItIsAddedToTheRegistryByOneLine) {
  std::ifstream stream(slipstick::testing::sourceDir() / "tests/support" / kMethod / "stepping.cpp");
  std::vector<std::string> rows;
  for (std::string line; std::getline(stream, line);)
    if (line.find("drifting::") != std::string::npos) rows.push_back(line);
  EXPECT_THAT(rows, ::testing::ElementsAre("    filled.add(drifting::method());"));
}

}  // namespace
}  // namespace slipstick::architecture

// Seeds of the fuzzers and what they have found: no reader breaks down over any of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"
#include "tests/support/sanitizers.h"
#include "tests/support/test_paths.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;

fs::path corpus() {
  return testing::sourceDir() / "tests" / "fuzz" / "corpus";
}

std::vector<fs::path> filesOf(const fuzz::Target& target) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(corpus() / target.name, ignored))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string bytesOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

/// Of this program's peak of memory: forgets it.
void forgetPeak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

/// The most that this program had since then [MiB].
long peakMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (long kiB = 0; word == "VmHWM:" && status >> kiB) return kiB / 1024;
  return 0;
}

class Corpus : public ::testing::TestWithParam<fuzz::Target> {};

TEST_P(Corpus, IsReadWithoutBreakingDownOrTakingMoreMemoryThanStated) {
  const std::vector<fs::path> files = filesOf(GetParam());
  EXPECT_FALSE(files.empty()) << "there are no seeds in " << corpus() / GetParam().name;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file);
    forgetPeak();
    EXPECT_NO_THROW(GetParam().read(bytesOf(file)));
#ifndef SLIPSTICK_ASAN
    EXPECT_GT(peakMemory(), 0);
    EXPECT_LE(peakMemory(), GetParam().memory_MiB);
#endif
  }
}

TEST_P(Corpus, IsReadHoweverItIsCutOffOrChanged) {
  for (const fs::path& file : filesOf(GetParam())) {
    SCOPED_TRACE(file);
    const std::string bytes = bytesOf(file);
    constexpr std::size_t kPlaces = 12;
    for (std::size_t i = 0; i < kPlaces; ++i) {
      const std::size_t at = bytes.size() * i / kPlaces;
      SCOPED_TRACE("cut off, then changed, at " + std::to_string(at));
      EXPECT_NO_THROW(GetParam().read(bytes.substr(0, at)));
      std::string changed = bytes;
      if (at < changed.size()) changed[at] = static_cast<char>(~changed[at]);
      EXPECT_NO_THROW(GetParam().read(changed));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, Corpus, ::testing::ValuesIn(fuzz::targets()),
                         [](const auto& param) { return std::string(param.param.name); });

/// Every folder of the corpus is of a target: none is left behind that nobody runs.
TEST(CorpusFolders, AreThoseOfTargets) {
  for (const auto& entry : fs::directory_iterator(corpus())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(std::any_of(fuzz::targets().begin(), fuzz::targets().end(),
                            [&](const fuzz::Target& target) { return target.name == name; }) ||
                name == "mjcf")
        << name;
  }
}

}  // namespace
}  // namespace slipstick

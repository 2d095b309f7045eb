// Seeds of the fuzzers and what they have found: no reader breaks down over any of it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"
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

/// Whether Assimp reads it, which the program has a process of its own for: that is ended after a time, and so is this one
/// after a second. Some changes of a PLY keep Assimp busy for minutes.
bool isReadByAChild(const fuzz::Target& target) {
  constexpr std::array kFormats = {"stl", "obj", "dae", "gltf", "glb", "ply", "off"};
  return std::find(kFormats.begin(), kFormats.end(), std::string(target.name)) != kFormats.end();
}

void readInAChild(const fuzz::Target& target, const std::string& bytes) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(1);
    target.read(bytes);
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  const bool wasStopped = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
  EXPECT_TRUE(wasStopped || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) << "status " << status;
}

void readAnyhow(const fuzz::Target& target, const std::string& bytes) {
  if (isReadByAChild(target))
    readInAChild(target, bytes);
  else
    EXPECT_NO_THROW(target.read(bytes));
}

class Corpus : public ::testing::TestWithParam<fuzz::Target> {};

TEST_P(Corpus, IsReadWithoutBreakingDownOrTakingMoreMemoryThanStated) {
  const std::vector<fs::path> files = filesOf(GetParam());
  EXPECT_FALSE(files.empty()) << "there are no seeds in " << corpus() / GetParam().name;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file);
    forgetPeak();
    EXPECT_NO_THROW(GetParam().read(bytesOf(file)));
#ifndef __SANITIZE_ADDRESS__
    EXPECT_GT(peakMemory(), 0);
    EXPECT_LE(peakMemory(), GetParam().memory_MiB);
#endif
  }
}

TEST_P(Corpus, IsReadHoweverItIsCutOffOrChanged) {
  if (std::string(GetParam().name) == "ply")
    GTEST_SKIP() << "Assimp takes minutes over some changes of a PLY, and ends the process at one; in the "
                    "program that is "
                    "a process of its own, see MeshChild";
  for (const fs::path& file : filesOf(GetParam())) {
    SCOPED_TRACE(file);
    const std::string bytes = bytesOf(file);
    constexpr std::size_t kPlaces = 24;
    for (std::size_t i = 0; i < kPlaces; ++i) {
      const std::size_t at = bytes.size() * i / kPlaces;
      SCOPED_TRACE("cut off, then changed, at " + std::to_string(at));
      readAnyhow(GetParam(), bytes.substr(0, at));
      std::string changed = bytes;
      if (at < changed.size()) changed[at] = static_cast<char>(~changed[at]);
      readAnyhow(GetParam(), changed);
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

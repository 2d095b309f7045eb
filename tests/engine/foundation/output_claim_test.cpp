// One run at a time writes a file; what it writes is there whole or not at all.
#include "engine/foundation/output_claim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class OutputClaims : public ::testing::Test {
 protected:
  OutputClaims() {
    std::string name = (fs::temp_directory_path() / "slipstick_claim_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~OutputClaims() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  static void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string textIn(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static void expectBusy(const fs::path& file) {
    const Result<OutputClaim> second = OutputClaim::take(file);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().what, "another run is writing this file");
    EXPECT_EQ(second.error().where, fs::canonical(file.parent_path()) / file.filename());
  }

  fs::path folder_;
};

TEST_F(OutputClaims, TheSecondIsToldAtOnceAndTheFirstIsWhole) {
  const fs::path file = folder_ / "o.csv";
  put(file, "before");
  {
    Result<OutputClaim> first = OutputClaim::take(file);
    ASSERT_TRUE(first) << first.error().message();
    put(first->written(), "half");
    expectBusy(file);
    EXPECT_EQ(textIn(file), "before");
    put(first->written(), "whole");
    ASSERT_TRUE(first->commit());
    EXPECT_EQ(textIn(file), "whole");
    expectBusy(file);  // it may grow under its own name
  }
  EXPECT_EQ(textIn(file), "whole");
  EXPECT_EQ(files(), 1u);
  EXPECT_TRUE(OutputClaim::take(file));
}

TEST_F(OutputClaims, WhatIsGivenUpLeavesWhatStoodThere) {
  const fs::path file = folder_ / "o.csv";
  put(file, "before");
  {
    Result<OutputClaim> claim = OutputClaim::take(file);
    ASSERT_TRUE(claim);
    put(claim->written(), "half");
  }
  EXPECT_EQ(textIn(file), "before");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputClaims, OfAKilledProgramIsNobodys) {
  const fs::path file = folder_ / "o.csv";
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    Result<OutputClaim> claim = OutputClaim::take(file);
    put(claim->written(), "half");
    (void)!write(ready[1], "x", 1);
    for (;;) pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  expectBusy(file);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  Result<OutputClaim> next = OutputClaim::take(file);
  ASSERT_TRUE(next) << next.error().message();
  EXPECT_EQ(textIn(next->written()), "") << "what was left half";
  close(ready[0]), close(ready[1]);
}

TEST_F(OutputClaims, ReservedOnesAreTakenByTheirOwnProcessOnly) {
  const fs::path file = folder_ / "o.csv";
  ASSERT_TRUE(OutputClaim::reserve(file));
  ASSERT_TRUE(OutputClaim::reserve(file)) << "again, by the same process";
  {
    Result<OutputClaim> taken = OutputClaim::take(file);
    ASSERT_TRUE(taken) << taken.error().message();
    expectBusy(file);
  }
  ASSERT_TRUE(OutputClaim::reserve(file));
  OutputClaim::release(file);
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputClaims, KnowOneFileByAllItsNames) {
  fs::create_directory(folder_ / "a");
  put(folder_ / "a" / "real", "before");
  fs::create_symlink(folder_ / "a" / "real", folder_ / "link");
  Result<OutputClaim> claim = OutputClaim::take(folder_ / "link");
  ASSERT_TRUE(claim);
  EXPECT_FALSE(OutputClaim::take(folder_ / "a" / ".." / "a" / "real"));
  put(claim->written(), "whole");
  ASSERT_TRUE(claim->commit());
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(textIn(folder_ / "a" / "real"), "whole");
}

TEST_F(OutputClaims, DevicesAndPipesAreWrittenAsTheyAre) {
  Result<OutputClaim> claim = OutputClaim::take("/dev/null");
  ASSERT_TRUE(claim);
  EXPECT_FALSE(claim->isOrdinary());
  EXPECT_EQ(claim->written(), "/dev/null");
  EXPECT_TRUE(claim->commit());
  EXPECT_TRUE(OutputClaim::take("/dev/null"));
}

TEST_F(OutputClaims, SayWhatCannotBe) {
  const Result<OutputClaim> folder = OutputClaim::take(folder_);
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().what, "it is a folder");
  const Result<OutputClaim> nowhere = OutputClaim::take(folder_ / "no" / "such");
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(nowhere.error().what, HasSubstr("No such file"));
}

}  // namespace
}  // namespace slipstick

// What continuous integration says in its last lines of the sanitizers: in a small repository, with fakes for what it calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class CiRun : public testing::ProgramTest {
 protected:
  CiRun() {
    for (const char* name : {".ci/run", "tests/sanitized", "tests/packages.txt", "app/setup.sh",
                             "app/packages.txt", "tests/support/sanitizer_passes.sh"}) {
      fs::create_directories(folder_ / fs::path(name).parent_path());
      fs::copy_file(testing::sourceDir() / name, folder_ / name);
    }
    for (const char* name : {"bin/dpkg-query", "bin/apt-get", "bin/cmake", "tests/run"})
      writeProgram(name, ":");
    writeProgram("tests/support/sanitized", "sleep ${SLOW:-0}; echo '[  PASSED  ] 1 test.'");
    std::ofstream(folder_ / ".gitignore") << "build/\nsaid\n";
    git("init -q -b main");
    commit();
  }

  void git(const std::string& words) {
    ASSERT_EQ(sh("git -c user.name=a -c user.email=a@b " + words), 0) << words;
  }
  void commit(int count = 1) {
    git("add -A");
    for (int i = 0; i < count; ++i) git("commit -q --allow-empty -m change");
  }
  int sh(const std::string& command) {
    fs::create_directories(folder_ / "build/dev");
    fs::create_directories(folder_ / "build/tsan");
    const std::string line =
        "cd '" + folder_.string() + "' && PATH=\"$PWD/bin:$PATH\" " + command + " > said 2>&1";
    return WEXITSTATUS(std::system(line.c_str()));
  }
  std::string said() { return testing::readText(path("said")); }
  std::string table() { return testing::readText(path("tests/sanitized.csv")); }
};

TEST_F(CiRun, SaysThatSanitizersPassedAtThisCommit) {
  EXPECT_EQ(sh(".ci/run"), 0) << said();
  EXPECT_THAT(said(), AllOf(HasSubstr("sanitizers (dev): passed whole at this commit"),
                            HasSubstr("sanitizers (tsan): passed whole at this commit"),
                            Not(HasSubstr("DID NOT GET THEIR TURN"))));
}

TEST_F(CiRun, SaysWhenTheyWereCutOffAndWhenTheyLastPassed) {
  ASSERT_EQ(sh("tests/sanitized"), 0) << said();
  commit(3);
  EXPECT_EQ(sh("SLOW=5 SECONDS=100000 .ci/run"), 0) << said();  // all of its time has passed
  EXPECT_THAT(said(),
              AllOf(HasSubstr("DID NOT GET THEIR TURN"),
                    HasSubstr("sanitizers (dev): last passed whole on 20"), HasSubstr("3 commits ago")));
}

TEST_F(CiRun, SaysInCapitalsThatTheyPassedTooLongAgoOrNever) {
  EXPECT_EQ(sh("SLOW=5 SECONDS=100000 .ci/run"), 0) << said();
  EXPECT_THAT(said(), HasSubstr("sanitizers (dev): NEVER PASSED WHOLE"));
  ASSERT_EQ(sh("tests/sanitized"), 0) << said();
  commit(51);
  EXPECT_EQ(sh("SLOW=5 SECONDS=100000 .ci/run"), 0) << said();
  EXPECT_THAT(said(), AllOf(HasSubstr("LAST PASSED WHOLE ON"), HasSubstr("51 COMMITS AGO")));
}

TEST_F(CiRun, FailsWhereTheyFind) {
  writeProgram("tests/support/sanitized", "echo 'ERROR: AddressSanitizer'; exit 1");
  commit();
  EXPECT_NE(sh(".ci/run"), 0);
  EXPECT_FALSE(fs::exists(path("tests/sanitized.csv")));
}

TEST_F(CiRun, APassOfATreeThatDiffersFromItsCommitIsNotNoted) {
  writeProgram("tests/run", "exit 0");
  EXPECT_EQ(sh("tests/sanitized"), 0) << said();
  EXPECT_THAT(said(), HasSubstr("differs from its commit"));
  EXPECT_FALSE(fs::exists(path("tests/sanitized.csv")));
}

TEST_F(CiRun, OneProgramAloneIsNotAllOfThem) {
  EXPECT_EQ(sh("tests/sanitized dev test_model"), 0) << said();
  EXPECT_FALSE(fs::exists(path("tests/sanitized.csv")));
}

TEST_F(CiRun, TheNewestPassOfEachPresetIsKept) {
  ASSERT_EQ(sh("tests/sanitized"), 0) << said();
  const std::string before = table();
  commit();
  ASSERT_EQ(sh("tests/sanitized tsan"), 0) << said();
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'), 3);
  const std::string now = table();
  EXPECT_EQ(std::count(now.begin(), now.end(), '\n'), 3);
  const auto devOf = [](const std::string& text) {
    return text.substr(0, text.find("\n", text.find(",dev,")));
  };
  EXPECT_EQ(devOf(now), devOf(before));
  EXPECT_NE(now, before);
}

}  // namespace
}  // namespace slipstick

// app/run and tests/run on a machine where everything is missing: what they call is put in their way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class FirstRun : public testing::ProgramTest {
 protected:
  FirstRun() {
    for (const char* name :
         {"app/run", "app/setup.sh", "app/packages.txt", "tests/run", "tests/packages.txt"}) {
      fs::create_directories(folder_ / fs::path(name).parent_path());
      fs::copy_file(testing::sourceDir() / name, folder_ / name);
    }
    for (const char* name : {"dpkg-query", "cmake", "ctest", "python"})
      writeProgram(std::string("bin/") + name, ":");
    writeProgram("bin/sudo", "exec \"$@\"");
    writeProgram("bin/apt-get", "echo \"$@\" >> '" + path("installed") + "'");
    writeProgram(
        "build/release/bin/slipstick",
        "if [ $1 = --help ]; then printf 'Subcommands:\\n  figure  Draws\\n'; else echo \"opens $*\"; fi");
    writeProgram("build/release/readers/bin/python", ":");
  }

  /// What is said on a terminal where a person types `answer`.
  std::string onTerminal(const std::string& command, const std::string& answer) {
    std::ofstream(path("answer")) << answer;
    return said("script -qec '" + command + "' /dev/null < answer");
  }
  std::string said(const std::string& command) {
    fs::remove(path("installed"));
    // tests/run, under which this runs, names an architecture for what it builds itself.
    const std::string line = "unset SLIPSTICK_CUDA_ARCHITECTURES; cd '" + folder_.string() +
                             "' && PATH=\"$PWD/bin:$PATH\" DISPLAY=:99 " + command + " > said 2>&1";
    status_ = WEXITSTATUS(std::system(line.c_str()));
    return testing::readText(path("said"));
  }
  std::string installed() { return testing::readText(path("installed")); }

  int status_ = -1;
};

TEST_F(FirstRun, APersonIsAskedWithTheNamesOfThePackages) {
  EXPECT_THAT(onTerminal("app/run hold", "n\n"),
              AllOf(HasSubstr("[Y/n]"), HasSubstr("qt6-base-dev"), HasSubstr("nothing was installed"),
                    Not(HasSubstr("opens"))));
  EXPECT_EQ(status_, 1);
  EXPECT_EQ(installed(), "");
  for (const char* yes : {"y\n", "\n", "Yes\n"}) {
    EXPECT_THAT(onTerminal("app/run hold", yes), HasSubstr("opens hold"));
    EXPECT_EQ(status_, 0);
    EXPECT_THAT(installed(), AllOf(HasSubstr("install"), HasSubstr("qt6-base-dev"), Not(HasSubstr("zsh"))));
  }
}

TEST_F(FirstRun, NobodyIsAskedWithYesOrWithoutATerminal) {
  EXPECT_THAT(onTerminal("app/run --yes hold", ""), AllOf(Not(HasSubstr("[Y/n]")), HasSubstr("opens hold")));
  EXPECT_THAT(installed(), HasSubstr("qt6-base-dev"));
  EXPECT_THAT(said("app/run hold < /dev/null"), AllOf(Not(HasSubstr("[Y/n]")), HasSubstr("opens hold")));
  EXPECT_THAT(installed(), HasSubstr("qt6-base-dev"));
}

TEST_F(FirstRun, WhatADistributionLacksIsDoneWithout) {
  writeProgram("bin/apt-cache", "echo known");
  said("app/run --yes hold");
  EXPECT_THAT(installed(), AllOf(HasSubstr("qt6-base-dev"), HasSubstr("libsdformat-dev")));
  writeProgram("bin/apt-cache", "[ $2 != libsdformat-dev ] && echo known");
  EXPECT_THAT(said("app/run --yes hold"), HasSubstr("opens hold"));
  EXPECT_THAT(installed(), AllOf(HasSubstr("qt6-base-dev"), Not(HasSubstr("libsdformat-dev"))));
  writeProgram("bin/apt-cache", ":");
  said("app/run --yes hold");
  EXPECT_THAT(installed(), HasSubstr("libsdformat-dev")) << "apt was never updated, and knows nothing yet";
}

TEST_F(FirstRun, TestsNeverAskAndInstallWhatJudgesThem) {
  EXPECT_THAT(onTerminal("tests/run", ""), Not(HasSubstr("[Y/n]")));
  EXPECT_EQ(status_, 0);
  EXPECT_THAT(installed(), AllOf(HasSubstr("qt6-base-dev"), HasSubstr("mandoc")));
}

/// Kernels take minutes: nobody waits for those that nothing here could run.
TEST_F(FirstRun, KernelsAreCompiledForTheDevicesThatTheMachineHas) {
  writeProgram("bin/cmake", "echo \"$@\" >> '" + path("configured") + "'");
  const auto configured = [&](const std::string& command) {
    fs::remove(path("configured"));
    said(command + " < /dev/null");
    return testing::readText(path("configured"));
  };
  writeProgram("bin/nvidia-smi", "exit 9");  // no device, or no driver that fits
  EXPECT_THAT(configured("app/run hold"), HasSubstr("-DSLIPSTICK_CUDA=OFF"));
  EXPECT_THAT(configured("SLIPSTICK_CUDA_ARCHITECTURES=80 app/run hold"),
              AllOf(HasSubstr("-DSLIPSTICK_CUDA_ARCHITECTURES=80"), Not(HasSubstr("OFF"))));
  writeProgram("bin/nvidia-smi", "printf '9.0\\n8.6\\n9.0\\n'");
  EXPECT_THAT(configured("app/run hold"), HasSubstr("-DSLIPSTICK_CUDA_ARCHITECTURES=86;90"));
  writeProgram("bin/nvidia-smi", "exit 9");
  std::ofstream(path("build/release/CMakeCache.txt")) << "SLIPSTICK_CUDA:STRING=AUTO\n";
  EXPECT_THAT(configured("app/run hold"), Not(HasSubstr("SLIPSTICK_CUDA"))) << "as it was built before";
}

TEST_F(FirstRun, TestsCompileKernelsForSomeDevice) {
  writeProgram("bin/cmake", "echo \"$@\" >> '" + path("configured") + "'");
  writeProgram("bin/nvidia-smi", "exit 9");
  said("tests/run < /dev/null");
  EXPECT_THAT(testing::readText(path("configured")), HasSubstr("-DSLIPSTICK_CUDA_ARCHITECTURES=90"));
}

TEST_F(FirstRun, WhereThereIsNoDisplayVerbsRunAndScenesAreDrawn) {
  const auto without = [&](const std::string& words) {
    return said("env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM app/run " + words + " < /dev/null");
  };
  EXPECT_THAT(without("figure hold"), HasSubstr("opens figure hold"));
  EXPECT_THAT(without("--version"), HasSubstr("opens --version"));
  EXPECT_THAT(without("hold"),
              AllOf(HasSubstr("there is no display"), HasSubstr("opens render hold --to 1.5")));
}

}  // namespace
}  // namespace slipstick

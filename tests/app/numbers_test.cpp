// Numbers on the command line: each wrong one is repeated as typed, with what may be, on one line; status 2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Numbers : public testing::ProgramTest {
 protected:
  void expectRefused(const std::string& before, const std::string& option, const std::string& typed,
                     const std::string& remedy) {
    const Outcome outcome = run(before + " " + option + " '" + typed + "'");
    EXPECT_EQ(outcome.status, 2) << option << ' ' << typed;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
    EXPECT_THAT(outcome.err,
                AllOf(StartsWith("slipstick: " + option + " " + typed + ": "), HasSubstr(remedy)));
  }
};

struct Option {
  const char *before, *name, *below, *above, *remedy;
};

TEST_F(Numbers, OutOfRangeAreNamedAsTyped) {
  for (const Option& o : {
           Option{"run drop.yaml", "--duration", "-3", "1e7", "write a number above 0 to 1000000 s"},
           Option{"run drop.yaml", "--duration", "0", "1000000.5", "above 0 to 1000000 s"},
           Option{"run drop.yaml", "--threads", "-1", "4097", "write a whole number from 0 to 4096"},
           Option{"render drop.yaml --out v", "--fps", "0", "1e300",
                  "write a number from 0.01 to 1000 frames/s"},
           Option{"render drop.yaml --out v", "--from", "-0.5", "1e7", "write a number from 0 to 1000000 s"},
           Option{"render drop.yaml --out v", "--to", "-1", "1e300", "from 0 to 1000000 s"},
           Option{"render drop.yaml --out p.png", "--stills", "0,-2", "0,1e9", "from 0 to 1000000 s"},
           Option{"render drop.yaml --out p.png", "--size", "8x90", "160x20000",
                  "each a whole number from 16 to 16384 px"},
           Option{"drop.yaml", "--window-size", "-1600x960", "1600x1e9", "from 16 to 16384 px"},
           Option{"drop.yaml --screenshot p.png", "--at", "-1", "1e7", "from 0 to 1000000 s"},
           Option{"drop.yaml", "--ghost", "-1", "1e7", "from 0 to 1000000 s"},
           Option{"bench drop.yaml", "--steps", "0", "1000001", "write a whole number from 1 to 1000000"},
           Option{"bench drop.yaml", "--from", "-1", "1e7", "from 0 to 1000000 s"},
       }) {
    expectRefused(o.before, o.name, o.below, o.remedy);
    expectRefused(o.before, o.name, o.above, o.remedy);
  }
}

TEST_F(Numbers, WhatIsNoFiniteDecimalNumberIsRefusedAsThat) {
  for (const char* typed :
       {"nan", "-nan", "inf", "-inf", "1e400", "0x10", "1,5", "soon", "1s", "", " 1", "1e"})
    expectRefused("run drop.yaml", "--duration", typed, std::string("'") + typed + "' is ");
  expectRefused("run drop.yaml", "--duration", "1,5", "write decimals after a point: 1.5");
  expectRefused("run drop.yaml", "--threads", "2.5", "2.5 is not a whole number");
  expectRefused("render drop.yaml --out p.png", "--stills", "0,nan", "'nan' is not a finite number");
  expectRefused("render drop.yaml --out p.png", "--size", "huge", "write WIDTHxHEIGHT");
  expectRefused("render drop.yaml --out p.png", "--size", "160x90x2", "write WIDTHxHEIGHT");
}

/// --set reads as scene files do, which refuse with status 1.
TEST_F(Numbers, OverridesAreNamedAsTyped) {
  for (const char* value : {"-3", "nan", ".nan", "inf", "-.inf", "1e400", "0x10", "1,5", "soon", "true"}) {
    const Outcome outcome = run(std::string("run drop.yaml --set time.dt_ms=") + value);
    EXPECT_EQ(outcome.status, 1) << value;
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
    EXPECT_THAT(outcome.err, StartsWith(std::string("slipstick: --set time.dt_ms=") + value + ": "));
  }
  const Outcome list = run("run drop.yaml --set 'gravity=[0, 0, nan]'");
  EXPECT_THAT(list.err, AllOf(StartsWith("slipstick: --set gravity=[0, 0, nan]: "),
                              HasSubstr("'nan' is not a finite")));
}

/// Any text is a duration or refused with its own words; never a crash, an endless run or silence.
TEST_F(Numbers, EveryTextIsANumberOrRefused) {
  const std::string characters = "0123456789+-.,eExnaif";
  std::mt19937 random(16);
  for (int i = 0; i < 40; ++i) {
    std::string typed;
    for (std::size_t n = 1 + random() % 4; n > 0; --n) typed += characters[random() % characters.size()];
    const Outcome outcome = run("run no_such_scene --duration '" + typed + "'");
    if (outcome.status == 1)  // a number: then it is the scene that is missing
      EXPECT_THAT(outcome.err, HasSubstr("no_such_scene"));
    else
      EXPECT_THAT(outcome.err,
                  AllOf(StartsWith("slipstick: --duration " + typed + ": "), HasSubstr("; write")));
  }
}

TEST_F(Numbers, MorePicturesThanAFolderCanNumberAreRefused) {
  const Outcome outcome = run("render drop.yaml --out frames --fps 1000 --to 1000000");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("1000000001 pictures"));
}

TEST_F(Numbers, OutputsThatCannotBeWrittenAreErrorsAndNotFolders) {
  for (const char* name : {"x.jpg", "x.apng", "x.avi", "x.mkv", "x.MOV", "v.1"}) {
    const Outcome outcome = run(std::string("render drop.yaml --to 0.01 --out ") + name);
    EXPECT_EQ(outcome.status, 1) << name;
    EXPECT_THAT(outcome.err, AllOf(StartsWith(std::string("slipstick: --out ") + name + ": "),
                                   HasSubstr("end it in .mp4, .webm, .gif or .png")));
    EXPECT_FALSE(std::filesystem::exists(path(name))) << name;
  }
  const Outcome folder = run("render drop.yaml --size 16x16 --to 0.01 --out v.1/");
  EXPECT_EQ(folder.status, 0) << folder.err;
  EXPECT_TRUE(std::filesystem::is_directory(path("v.1")));
  EXPECT_THAT(run("drop.yaml --screenshot x.jpg").err, HasSubstr("ends in .png"));
}

TEST_F(Numbers, TheHelpHasDefaultsAndTheExitStatus) {
  EXPECT_THAT(run("render --help").out, ::testing::ContainsRegex("--fps NUMBER *[=[]30"));
  EXPECT_THAT(run("--help").out, HasSubstr("by Ctrl+C 130"));
}

}  // namespace
}  // namespace slipstick

// slipstick soak: minutes are for a person to wait for, so here only that it does what it says, and ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program_run.h"

namespace slipstick {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class Soak : public testing::ProgramTest {};

TEST_F(Soak, OpensSceneAfterSceneAndSaysWhatItDidAndHeld) {
  std::filesystem::copy(path("drop.yaml"), path("other.yaml"));
  const Outcome outcome = run("soak drop.yaml other.yaml --minutes 0.03 --per-scene 0.3 --seed 7");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(ContainsRegex("round 1, 0\\.0 min: [0-9.]+ MiB in use, [0-9]+ MiB resident"),
                                 ContainsRegex("seed 7: .*[0-9]+ open"), HasSubstr("too few to say")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("stopped by a step")));
}

/// With many short rounds it judges: a third of them beside another.
TEST_F(Soak, ComparesBothNumbersOfMemory) {
  const Outcome outcome = run("soak drop.yaml --minutes 0.05 --per-scene 0.05");
  EXPECT_THAT(outcome.out, AllOf(ContainsRegex("memory in use: [0-9.]+ MiB .* [-+][0-9.]+ %"),
                                 ContainsRegex("memory resident: [0-9.]+ MiB .* [-+][0-9.]+ %")));
  // What three seconds hold says nothing about growth, so either verdict stands; but not a silent one.
  EXPECT_THAT(outcome.status, AnyOf(0, 3));
  EXPECT_EQ(outcome.status == 3, outcome.err.find("grows by more than 5 %") != std::string::npos);
}

TEST_F(Soak, RefusesASceneThatIsNotThere) {
  const Outcome outcome = run("soak nowhere.yaml --minutes 0.01");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("nowhere.yaml"));
}

}  // namespace
}  // namespace slipstick

// What the report and the lines at a run's end say of flags and phases that a method has of its own.
#include "app/run_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/model/method_rows.h"
#include "engine/model/model.h"

namespace slipstick::app {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const MethodRows> hopper() {
  MethodRows rows;
  rows.name = "hopper";
  rows.phases = {{"hop", "hopping", "all legs at once"}};
  rows.flags = {{ownFlag(0), "Tired", "Tired legs", "it hopped too high", "lower solver.hopper.height"}};
  return std::make_shared<const MethodRows>(std::move(rows));
}

TEST(RunStatistics, FlagsOfAMethodsOwnHaveTheWordsOfItsRow) {
  Model model;
  model.own = hopper();
  Snapshot snapshot;
  snapshot.time = 0.25;
  raise(snapshot.report.health, Health::TooThin);
  raise(snapshot.report.health, ownFlag(0));
  RunStatistics statistics;
  statistics.add(snapshot, 0.001, 0.01);
  EXPECT_THAT(
      statistics.healthLines(model),
      ElementsAre(
          "TooThin first at 0.250 s, in 1 of 1 steps: particles are deeper in a shape than half of its "
          "thickness; make the shape thicker, raise contact.stiffness_factor or shorten time.dt_ms",
          "Tired first at 0.250 s, in 1 of 1 steps: it hopped too high; lower solver.hopper.height"));
}

TEST(RunStatistics, AFlagOfAMethodThatIsNotKnownIsToldAllTheSame) {
  Snapshot snapshot;
  raise(snapshot.report.health, ownRefusal(3));
  RunStatistics statistics;
  statistics.add(snapshot, 0.001, 0.01);
  EXPECT_THAT(
      statistics.healthLines(Model()),
      ElementsAre("Own3 first at 0.000 s, in 1 of 1 steps: a method that is not known here raised it; "
                  "open it with a program that has the method"));
}

}  // namespace
}  // namespace slipstick::app

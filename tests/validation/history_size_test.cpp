// Whether a long run of a shipped task fits into the history (issue 12, build item 7).
#include <gtest/gtest.h>

#include "engine/runtime/history.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

TEST(HistorySize, TenThousandStepsOfDoughRollingFitIntoOneGibibyte) {
  testing::SceneRun run("dough_rolling");
  ASSERT_TRUE(run.ok());
  while (run.snapshot().time < 0.6) run.step();  // the pin presses: as many contacts as on the average
  ASSERT_GE(run.snapshot().contacts.size(), 163u);

  const auto observables = std::make_shared<const Observables>(observablesOf(run.model()));
  const PackedSnapshot packed(run.snapshot());
  // Places in the maps and marks are what the history itself adds to a step.
  History history;
  const std::size_t empty = history.bytesUsed();
  Snapshot snapshot = run.snapshot();
  constexpr std::uint64_t kSteps = 640;  // ten chunks of columns
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    snapshot.step = step;
    (void)history.push(HistoryStep::of(snapshot, observables, nullptr));
  }
  const std::size_t perStep = (history.bytesUsed() - empty) / kSteps;
  RecordProperty("exactBytes", static_cast<int>(run.snapshot().byteCount()));
  RecordProperty("packedBytes", static_cast<int>(packed.byteCount()));
  RecordProperty("bytesPerStep", static_cast<int>(perStep));
  constexpr std::size_t kBudget = std::size_t{1} << 30;
  EXPECT_LE(perStep * 10'000, kBudget / 4 * 3);  // the other quarter holds keyframes
}

TEST(HistorySize, APackedSnapshotOfDoughRollingIsCloseToTheExactOne) {
  testing::SceneRun run("dough_rolling");
  ASSERT_TRUE(run.ok());
  while (run.snapshot().time < 0.6) run.step();
  const Snapshot& exact = run.snapshot();
  const auto unpacked = PackedSnapshot(exact).unpack();
  // A block of particles is no larger than the dough: half of 1/65535 of its edge, and a float's rounding.
  const DeformableFacts& dough = exact.deformables[0];
  const double bound = 0.5 * (dough.upper - dough.lower).maxCoeff() / 65535 + 1e-7;
  double worst = 0;
  for (std::size_t i = 0; i < exact.particles.size(); ++i)
    worst = std::max<double>(worst, (unpacked->particles[i] - exact.particles[i]).cwiseAbs().maxCoeff());
  RecordProperty("worstPosition_nm", static_cast<int>(worst * 1e9));
  EXPECT_LE(worst, bound);
  // The contacts of a body still add up to its wrench, to a float's rounding of each.
  Vec3 sum = Vec3::Zero(), packedSum = Vec3::Zero();
  double magnitude = 0;
  for (std::size_t i = 0; i < exact.contacts.size(); ++i) {
    sum += exact.contacts[i].f_Bc_W;
    packedSum += unpacked->contacts[i].f_Bc_W;
    magnitude += exact.contacts[i].f_Bc_W.norm();
  }
  EXPECT_LE((packedSum - sum).norm(), 1e-7 * magnitude);
}

}  // namespace
}  // namespace slipstick

// Whether a long run of a shipped task fits into the history (issue 12, build item 7).
#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "engine/runtime/history.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

/// In the middle of the first roll: more contacts than the 163 of the mean step of the task's 900.
class DoughHistory : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    run_ = std::make_unique<testing::SceneRun>("dough_rolling");
    ASSERT_TRUE(run_->ok());
    run_->runTo(1.3);
    ASSERT_GE(run_->snapshot().contacts.size(), 163u);
  }
  static void TearDownTestSuite() { run_.reset(); }

  static std::unique_ptr<testing::SceneRun> run_;
};
std::unique_ptr<testing::SceneRun> DoughHistory::run_;

TEST_F(DoughHistory, TenThousandStepsFitIntoOneGibibyte) {
  const auto observables = std::make_shared<const Observables>(observablesOf(run_->model()));
  History history;
  const std::size_t empty = history.bytesUsed();
  Snapshot snapshot = run_->snapshot();
  constexpr std::uint64_t kSteps = 640;  // ten chunks of columns
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    snapshot.step = step;
    (void)history.push(HistoryStep::of(snapshot, observables, nullptr));
  }
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
  const std::size_t perStep = (history.bytesUsed() - empty) / kSteps;
  RecordProperty("contacts", static_cast<int>(snapshot.contacts.size()));
  RecordProperty("exactBytes", static_cast<int>(snapshot.byteCount()));
  RecordProperty("packedBytes", static_cast<int>(PackedSnapshot(snapshot).byteCount()));
  RecordProperty("bytesPerStep", static_cast<int>(perStep));
  RecordProperty("packedIn_us", static_cast<int>(taken.count() / kSteps));
  constexpr std::size_t kBudget = std::size_t{1} << 30;
  EXPECT_LE(perStep * 10'000, kBudget / 4 * 3);  // the other quarter holds keyframes
}

TEST_F(DoughHistory, APackedSnapshotIsCloseToTheExactOne) {
  const Snapshot& exact = run_->snapshot();
  const auto unpacked = PackedSnapshot(exact).unpack();
  // A block of particles is no larger than the dough: half of 1/65535 of its edge, and a float's rounding.
  const DeformableFacts& dough = exact.deformables[0];
  const double bound = 0.5 * (dough.upper - dough.lower).maxCoeff() / 65535 + 1e-7;
  double worst = 0;
  for (std::size_t i = 0; i < exact.particles.size(); ++i)
    worst = std::max<double>(worst, (unpacked->particles[i] - exact.particles[i]).cwiseAbs().maxCoeff());
  RecordProperty("worstPosition_nm", static_cast<int>(worst * 1e9));
  EXPECT_LE(worst, bound);
  // The contacts' forces still add up, to a float's rounding of each.
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

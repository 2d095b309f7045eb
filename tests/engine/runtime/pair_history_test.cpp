#include "engine/runtime/pair_history.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/runtime/fake_stepper.h"
#include "tests/support/stored_run.h"

namespace slipstick {
namespace {

const ContactPair kPair{{1}, {0}};
constexpr double kSlope = 0.5;  ///< tan of the angle

/// A ball of 1 kg that slides on the world, gravity (10 tan, 0, −10) m/s², μ = 0.2 until `sticksFrom`, where
/// it holds; dt = 10 ms.
class SlidingRun : public testing::StoredRun {
 public:
  explicit SlidingRun(std::uint64_t last) : StoredRun(last) {
    auto model = testing::oneBodyModel();
    model->compositeOf = {0, 1};
    model_ = model;
  }

  std::uint64_t sticksFrom = 1000;

 private:
  std::shared_ptr<const Snapshot> snapshotOf(std::uint64_t step) const override {
    auto s = std::make_shared<Snapshot>();
    s->model = model_;
    s->step = step;
    s->time = 0.01 * static_cast<double>(step);
    s->X_WB.resize(2);
    s->V_WB.resize(2);
    s->V_WB[1].v.x() = 10 * (kSlope - 0.2) * s->time;
    Contact c;
    c.a = {.body = 1, .geometry = 1};
    c.b = {.body = 0, .geometry = 0};
    c.normal_W = -Vec3::UnitZ();
    const bool sticks = step >= sticksFrom;
    c.f_Bc_W = Vec3(sticks ? -5 : -2, 0, 10);
    c.friction = sticks ? 0.8 : 0.2;
    c.frictionBound = 10 * c.friction;
    c.slipSpeed = sticks ? 0 : s->V_WB[1].v.x();
    c.mode = sticks ? ContactMode::Stick : ContactMode::Slip;
    s->contacts = {c};
    return s;
  }

  std::shared_ptr<const Model> model_;
};

TEST(PairHistory, HasTheLastSecondOfThePair) {
  SlidingRun run(300);
  run.sticksFrom = 180;
  PairHistory history(kPair);
  const std::vector<PairHistory::Sample> samples = history.upTo(run, 201);
  ASSERT_GE(samples.size(), 40u);
  EXPECT_LE(samples.size(), PairHistory::kMaxSamples + 1);
  EXPECT_EQ(samples.back().step, 201u);
  EXPECT_NEAR(samples.front().time, 1.02, 0.011);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const PairHistory::Sample& s = samples[i];
    if (i > 0) {
      EXPECT_GT(s.time, samples[i - 1].time);
    }
    const bool sticks = s.step >= 180;
    EXPECT_NEAR(s.normal, 10, 1e-12);
    EXPECT_NEAR(s.friction, sticks ? 5 : 2, 1e-12);
    EXPECT_NEAR(s.bound, sticks ? 8 : 2, 1e-12);
    EXPECT_EQ(s.slippingPart, sticks ? 0 : 1);
    EXPECT_NEAR(s.slipSpeed, sticks ? 0 : 3 * s.time, 1e-12);
  }
}

TEST(PairHistory, ReadsOneStepMoreWhenAskedAStepLater) {
  SlidingRun run(300);
  PairHistory history(kPair);
  (void)history.upTo(run, 150);
  EXPECT_LE(run.reads, static_cast<int>(PairHistory::kMaxSamples) + 1);
  for (std::uint64_t step = 151; step < 180; ++step) {
    run.reads = 0;
    EXPECT_EQ(history.upTo(run, step).back().step, step);
    EXPECT_LE(run.reads, 1) << step;
  }
  run.reads = 0;
  run.jumps = 1;  // other steps have these numbers now
  (void)history.upTo(run, 180);
  EXPECT_GT(run.reads, 30);
}

TEST(PairHistory, ShowsWhatIsStoredOnceAndNothingBeforeIt) {
  SlidingRun run(300);
  run.stored = 8;
  run.first = 160;
  const std::vector<PairHistory::Sample> samples = PairHistory(kPair).upTo(run, 200);
  ASSERT_EQ(samples.size(), 6u);
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].step, 160 + 8 * i);
  // A step that is not there yet is the newest one, now and later.
  PairHistory history(kPair);
  EXPECT_EQ(history.upTo(run, 900).back().step, 296u);
  const SlidingRun longer(400);
  EXPECT_EQ(history.upTo(longer, 900).back().step, 400u);
}

TEST(PairHistory, SaysWhichFrictionWouldHoldItFromTheLastFiftyMilliseconds) {
  SlidingRun run(300);
  const HoldingFriction answer = PairHistory::holdingFriction(run, 250, kPair);
  ASSERT_TRUE(answer.holdingFriction) << answer.why;
  EXPECT_NEAR(*answer.holdingFriction, kSlope, 1e-9);
  EXPECT_NEAR(answer.margin, 0, 1e-12);
  EXPECT_LE(run.reads, 6);
  run.stored = 50;  // nothing within twice the time
  const HoldingFriction sparse = PairHistory::holdingFriction(run, 250, kPair);
  EXPECT_FALSE(sparse.holdingFriction);
  EXPECT_NE(sparse.why.find("not stored"), std::string::npos);
  EXPECT_FALSE(PairHistory::holdingFriction(run, 0, kPair).holdingFriction);
}

}  // namespace
}  // namespace slipstick

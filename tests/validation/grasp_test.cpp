// Grasps: a hand that lifts and holds a box by friction, two grippers that tear dough.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr double kBoxMass = 0.512;  // [kg]

struct BodyPair {
  int palm, box;
  Pose of(const Snapshot& s) const {
    return s.X_WB[static_cast<std::size_t>(palm)].inverse() * s.X_WB[static_cast<std::size_t>(box)];
  }
};

TEST(BoxLift, FingertipsCarryTheBoxAndItStaysWhereItWasGrasped) {
  testing::SceneRun run("box_lift");
  ASSERT_TRUE(run.ok());
  const BodyPair pair = {run.model().findBody("hand.palm"), run.model().findBody("box")};
  ASSERT_GT(pair.palm, 0);
  ASSERT_GT(pair.box, 0);
  const auto heightOf = [&] { return run.snapshot().X_WB[static_cast<std::size_t>(pair.box)].p.z(); };
  const double before = heightOf();
  run.runTo(0.95);
  const Pose gripped = pair.of(run.snapshot());
  // Held still from 2.3 s to 4.3 s; compared where it is lifted fastest and where it is held.
  double shift = 0, turn = 0, carried = 0;
  int steps = 0;
  run.runTo(4.25, [&](const Snapshot& s) {
    const Pose now = pair.of(s);
    shift = std::max(shift, (now.p - gripped.p).norm());
    turn = std::max(turn, Eigen::AngleAxisd(gripped.R.transpose() * now.R).angle());
    if (s.time < 2.5) return;
    carried += s.contactWrench[static_cast<std::size_t>(pair.box)].force.z();
    ++steps;
  });
  EXPECT_NEAR(heightOf() - before, 0.2, 2e-3);
  EXPECT_LT(shift, 1.5e-3) << "it slides through the fingers [m]";
  EXPECT_LT(turn, 0.02) << "it turns in the hand [rad]";
  EXPECT_NEAR(carried / steps, kBoxMass * 9.81, 0.02 * kBoxMass * 9.81);
  run.runTo(5.9);
  EXPECT_NEAR(heightOf(), before, 1e-3) << "it was not put down again";
  EXPECT_FALSE(has(run.health(), Health::NotConverged));
  EXPECT_FALSE(has(run.health(), Health::IkFailed));
}

/// Sizes of the groups of particles that are connected by steps of at most `reach` [m], largest first.
std::vector<std::size_t> pieces(const std::vector<Eigen::Vector3f>& x, float reach) {
  std::vector<std::size_t> leader(x.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if ((x[i] - x[j]).squaredNorm() < reach * reach) leader[find(i)] = find(j);
  std::vector<std::size_t> count(x.size(), 0), sizes;
  for (std::size_t i = 0; i < x.size(); ++i) ++count[find(i)];
  std::copy_if(count.begin(), count.end(), std::back_inserter(sizes), [](std::size_t n) { return n > 0; });
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

TEST(DoughTearing, TheDoughIsOnePieceWhenLiftedAndTwoWhenTorn) {
  testing::SceneRun run("dough_tearing");
  ASSERT_TRUE(run.ok());
  const double count = run.model().nodeCount();
  EXPECT_NEAR(count, 1647, 0.03 * 1647);
  const float reach = static_cast<float>(run.model().gridSpacing);
  const float board = 0.2f;  // its top [m]
  const auto lowest = [&] {
    const auto& x = run.snapshot().particles;
    return std::min_element(x.begin(), x.end(), [](const auto& a, const auto& b) { return a.z() < b.z(); })
        ->z();
  };
  run.runTo(1.9);
  EXPECT_EQ(pieces(run.snapshot().particles, reach).size(), 1u);
  EXPECT_GT(lowest(), board + 0.05f) << "it was not lifted";
  run.runTo(4.0);
  const std::vector<std::size_t> torn = pieces(run.snapshot().particles, reach);
  ASSERT_EQ(torn.size(), 2u);
  EXPECT_GT(static_cast<double>(torn[1]), 0.35 * count);
  EXPECT_GT(lowest(), board + 0.05f) << "a piece fell";
  EXPECT_FALSE(has(run.health(), Health::NotConverged));
  EXPECT_FALSE(has(run.health(), Health::NonFinite));
}

}  // namespace
}  // namespace slipstick

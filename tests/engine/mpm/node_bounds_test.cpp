#include "engine/mpm/node_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace slipstick;
using namespace slipstick::mpm;

namespace {

class Dice {
 public:
  double number() { return normal_(engine_); }
  Vec3 vector() { return {number(), number(), number()}; }
  Mat3 metric() {
    Mat3 a;
    for (int i = 0; i < 3; ++i) a.col(i) = vector();
    return a * a.transpose() + 0.3 * Mat3::Identity();
  }
  NodeBound plane(BoundaryKind kind) { return {kind, 0, vector().normalized(), 0.3 * vector()}; }

 private:
  std::mt19937 engine_{3};
  std::normal_distribution<double> normal_;
};

/// v is allowed; H (v − a) is what the active bounds push with, outwards where they are half-spaces.
void expectOptimal(const Vec3& a, const std::vector<NodeBound>& bounds, const Mat3& H) {
  const AllowedVelocity found = nearestAllowed(a, bounds, H.inverse());
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    const NodeBound& b = bounds[k];
    const double gap = gapOf(b, found.v), share = b.normal.dot(H * found.push[k]);
    sum += found.push[k];
    EXPECT_LT((H * found.push[k] - share * b.normal).norm(), 1e-9) << "a push is along its normal";
    if (found.active[k] || b.kind == BoundaryKind::Slip) {
      EXPECT_NEAR(gap, 0, 1e-9);
    } else {
      EXPECT_EQ(found.push[k], Vec3(0, 0, 0));
    }
    if (b.kind == BoundaryKind::Separate) {
      EXPECT_GE(gap, -1e-9);
      EXPECT_GE(share, 0);
    }
  }
  EXPECT_LT((found.v - a - sum).norm(), 1e-10);
}

}  // namespace

TEST(NodeBounds, TheAllowedVelocityMeetsTheOptimalityConditionsInAnyMetric) {
  Dice dice;
  int touching = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<NodeBound> bounds;
    for (int k = 0; k < 1 + trial % 3; ++k)
      bounds.push_back(dice.plane((trial + k) % 4 == 0 ? BoundaryKind::Slip : BoundaryKind::Separate));
    const Vec3 a = dice.vector();
    expectOptimal(a, bounds, trial % 2 == 0 ? Mat3::Identity() : dice.metric());
    const auto active = nearestAllowed(a, bounds).active;
    touching += static_cast<int>(std::count(active.begin(), active.end(), true)) > 1;
  }
  EXPECT_GT(touching, 200) << "corners are part of the test";
}

/// Four walls of a funnel with one speed: the answer exists though there are more walls than directions.
TEST(NodeBounds, MoreHalfSpacesThanDirectionsAreAllMet) {
  Dice dice;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<NodeBound> bounds;
    const Vec3 wall = 0.5 * dice.vector();
    for (const double angle : {0.1, 1.7, 3.2, 4.8, 5.5})
      bounds.push_back(
          {BoundaryKind::Separate, 0, Vec3(std::cos(angle), std::sin(angle), 1.1).normalized(), wall});
    expectOptimal(dice.vector(), bounds, dice.metric());
  }
}

TEST(NodeBounds, StickyGoesBeforeAllElseAndTheFirstOfTwo) {
  const std::vector<NodeBound> bounds = {{BoundaryKind::Slip, 0, Vec3::UnitX(), Vec3(9, 9, 9)},
                                         {BoundaryKind::Sticky, 1, Vec3::UnitZ(), Vec3(1, 2, 3)},
                                         {BoundaryKind::Sticky, 2, Vec3::UnitZ(), Vec3(4, 5, 6)}};
  const AllowedVelocity found = nearestAllowed({7, 7, 7}, bounds);
  EXPECT_EQ(found.v, Vec3(1, 2, 3));
  EXPECT_EQ(found.push[1], Vec3(-6, -5, -4));
  EXPECT_TRUE(found.active[1]);
  EXPECT_FALSE(found.active[0] || found.active[2]);
}

/// Two plates that close on each other leave no allowed velocity: the node takes the middle course at worst.
TEST(NodeBounds, ContradictionsAreBrokenAsLittleAsPossible) {
  const std::vector<NodeBound> bounds = {{BoundaryKind::Separate, 0, Vec3::UnitZ(), Vec3(0, 0, 1)},
                                         {BoundaryKind::Separate, 1, -Vec3::UnitZ(), Vec3(0, 0, -1)},
                                         {BoundaryKind::Slip, 2, Vec3::UnitX(), Vec3(2, 0, 0)}};
  const Vec3 v = nearestAllowed({0, 5, 0.4}, bounds).v;
  EXPECT_EQ(v.x(), 2);
  EXPECT_EQ(v.y(), 5);
  EXPECT_LE(std::abs(v.z()), 1);
}

TEST(NodeBounds, AVelocityThatIsNotANumberStaysOne) {
  const std::vector<NodeBound> bounds = {{BoundaryKind::Separate, 0, Vec3::UnitZ(), Vec3::Zero()},
                                         {BoundaryKind::Separate, 1, Vec3::UnitX(), Vec3::Zero()}};
  EXPECT_FALSE(nearestAllowed({std::nan(""), 0, 0}, bounds).v.allFinite());
}

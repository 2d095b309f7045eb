#include "engine/multibody/inverse_kinematics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/multibody/kinematics.h"
#include "tests/support/random_tree.h"

namespace slipstick::multibody::testing {
namespace {

const std::vector<int> kJoints = {0, 1, 2, 3, 4, 5, 6};
constexpr int kHand = 7;

Pose handPose(const Tree& tree, const VecX& q) {
  std::vector<Pose> X_WB;
  computePoses(tree, q, X_WB);
  return X_WB[kHand];
}

/// Inside the limits, a margin away from them.
VecX randomArm(Random& random, const Tree& tree, double margin) {
  VecX q(tree.nq);
  for (int i = 0; i < q.size(); ++i) {
    const Joint& joint = tree.joints[static_cast<std::size_t>(i)];
    q[i] = uniform(random, joint.lower + margin, joint.upper - margin);
  }
  return q;
}

void expectWithinLimits(const Tree& tree, const VecX& q) {
  for (const Joint& joint : tree.joints) {
    EXPECT_GE(q[joint.qStart], joint.lower);
    EXPECT_LE(q[joint.qStart], joint.upper);
  }
}

TEST(InverseKinematics, ReachesEveryGoalNearTheStart) {
  Random random(31);
  const Tree tree = sevenJointArm();
  for (int i = 0; i < 500; ++i) {
    const VecX at = randomArm(random, tree, 0.3);
    const Pose goal = handPose(tree, at);
    VecX q = at + 0.2 * randomVecX(random, 7);
    const IkResult result = solveInverseKinematics(tree, kHand, kJoints, goal, q);
    EXPECT_TRUE(result.reached) << "goal " << i << ": " << result.positionError << ", "
                                << result.rotationError;
    const Pose X = handPose(tree, q);
    EXPECT_LT((X.p - goal.p).norm(), 1e-6);
    EXPECT_LT(Quat(X.R).angularDistance(Quat(goal.R)), 1.1e-6);
    expectWithinLimits(tree, q);
  }
}

TEST(InverseKinematics, ReportsHonestlyAndKeepsLimitsFromAnyStart) {
  Random random(32);
  const Tree tree = sevenJointArm();
  int reached = 0;
  for (int i = 0; i < 300; ++i) {
    const Pose goal = handPose(tree, randomArm(random, tree, 0.1));
    VecX q = randomArm(random, tree, 0);
    const IkResult result = solveInverseKinematics(tree, kHand, kJoints, goal, q);
    const Pose X = handPose(tree, q);
    EXPECT_NEAR(result.positionError, (X.p - goal.p).norm(), 1e-12);
    EXPECT_EQ(result.reached, result.positionError < 1e-6 && result.rotationError < 1e-6);
    expectWithinLimits(tree, q);
    reached += result.reached;
  }
  // A local method from a random start may end in a corner of the limits; most starts lead to the goal (230
  // did).
  EXPECT_GE(reached, 200);
}

TEST(InverseKinematics, FollowsASmoothPathInAFewIterationsWithoutJumps) {
  const Tree tree = sevenJointArm();
  VecX q(7);
  q << 0, 0.6, 0, 1.2, 0, 0.7, 0;
  const Pose start = handPose(tree, q);
  VecX last = q;
  for (int step = 1; step <= 400; ++step) {
    // A circle of 0.2 m diameter while the hand turns: 3 mm and 8 mrad per step.
    const double s = 2 * std::numbers::pi * step / 200;
    Pose goal = start;
    goal.p += 0.1 * Vec3(std::cos(s) - 1, std::sin(s), 0);
    goal.R = Eigen::AngleAxisd(0.25 * std::sin(s), Vec3::UnitZ()) * start.R;
    const IkResult result = solveInverseKinematics(tree, kHand, kJoints, goal, q);
    ASSERT_TRUE(result.reached) << "step " << step;
    EXPECT_LE(result.iterations, 5) << "step " << step;
    EXPECT_LT((q - last).lpNorm<Eigen::Infinity>(), 0.05) << "step " << step;
    last = q;
  }
}

TEST(InverseKinematics, AsksNothingMoreOfAGoalAlreadyMet) {
  const Tree tree = sevenJointArm();
  VecX q = VecX::Constant(7, 0.3);
  const VecX before = q;
  const IkResult result = solveInverseKinematics(tree, kHand, kJoints, handPose(tree, q), q);
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(q, before);
}

TEST(InverseKinematics, StretchesTowardsAGoalOutOfReachAndSaysSo) {
  const Tree tree = sevenJointArm();
  VecX q = VecX::Constant(7, 0.2);
  const Pose goal{handPose(tree, q).R, Vec3(3, 0, 0.34)};
  const IkResult result = solveInverseKinematics(tree, kHand, kJoints, goal, q);
  EXPECT_FALSE(result.reached);
  EXPECT_TRUE(q.allFinite());
  expectWithinLimits(tree, q);
  // The shoulder is at z = 0.34 and the arm is 0.92 m long: 2.08 m are missing at least.
  EXPECT_GE(result.positionError, 2.08 - 1e-9);
  EXPECT_LT(result.positionError, 2.3);
}

TEST(InverseKinematics, LeavesASingularPose) {
  const Tree tree = sevenJointArm();
  VecX q = VecX::Zero(7);  // straight up: axes 1, 3, 5, 7 coincide
  const Pose goal = handPose(tree, (VecX(7) << 0.2, 0.7, -0.1, 1.0, 0.3, 0.6, -0.2).finished());
  const IkResult result = solveInverseKinematics(tree, kHand, kJoints, goal, q);
  EXPECT_TRUE(result.reached) << result.positionError << ", " << result.rotationError;
  expectWithinLimits(tree, q);
}

TEST(InverseKinematics, MovesOnlyTheGivenJoints) {
  Tree tree = sevenJointArm();
  addSevenJointArm(tree, Pose::translation(Vec3(0, 1, 0)));
  VecX q = VecX::Constant(14, 0.2), at = q;
  at.head<7>() += 0.1 * VecX::Ones(7);
  const IkResult result = solveInverseKinematics(tree, kHand, kJoints, handPose(tree, at), q);
  EXPECT_TRUE(result.reached);
  EXPECT_EQ(q.tail<7>(), VecX::Constant(7, 0.2));
}

}  // namespace
}  // namespace slipstick::multibody::testing

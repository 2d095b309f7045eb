#include "engine/multibody/kinematics.h"

#include <gtest/gtest.h>

#include "tests/support/random_tree.h"

namespace slipstick::multibody::testing {
namespace {

constexpr int kTrees = 200;

struct Moving {
  Tree tree;
  VecX q, v;
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
};

Moving randomMoving(Random& random, int maxBodies) {
  Moving m;
  m.tree = randomTree(random, maxBodies);
  m.q = randomPosition(random, m.tree);
  m.v = randomVecX(random, m.tree.nv);
  computePoses(m.tree, m.q, m.X_WB);
  computeVelocities(m.tree, m.q, m.v, m.X_WB, m.V_WB);
  return m;
}

TEST(Kinematics, ZeroPositionPutsEveryChildAtItsJointFrame) {
  Random random(1);
  for (int i = 0; i < kTrees; ++i) {
    const Tree tree = randomTree(random, 8);
    std::vector<Pose> X_WB;
    computePoses(tree, tree.zeroPosition(), X_WB);
    for (const Joint& joint : tree.joints) {
      const Pose expected = X_WB[static_cast<std::size_t>(joint.parent)] * joint.X_PJ;
      const Pose& X_WC = X_WB[static_cast<std::size_t>(joint.child)];
      EXPECT_LT((X_WC.p - expected.p).norm() + (X_WC.R - expected.R).norm(), 1e-13);
    }
  }
}

TEST(Kinematics, VelocitiesAreTheTimeDerivativesOfPosesAlongIntegrate) {
  Random random(2);
  for (int i = 0; i < kTrees; ++i) {
    const Moving m = randomMoving(random, 8);
    const double h = 1e-5;
    VecX before = m.q, after = m.q;
    integrate(m.tree, m.v, -h, before);
    integrate(m.tree, m.v, h, after);
    std::vector<Pose> X_before, X_after;
    computePoses(m.tree, before, X_before);
    computePoses(m.tree, after, X_after);
    for (std::size_t b = 0; b < m.X_WB.size(); ++b) {
      const Vec3 v = (X_after[b].p - X_before[b].p) / (2 * h);
      const Mat3 wx = (X_after[b].R - X_before[b].R) / (2 * h) * m.X_WB[b].R.transpose();
      EXPECT_LT((v - m.V_WB[b].v).norm(), 1e-6);
      EXPECT_LT((wx - skew(m.V_WB[b].w)).norm(), 1e-6);
    }
  }
}

TEST(Kinematics, JacobianTimesVelocityIsTheVelocityOfThePoint) {
  Random random(3);
  for (int i = 0; i < kTrees; ++i) {
    const Moving m = randomMoving(random, 10);
    for (std::size_t b = 0; b < m.X_WB.size(); ++b) {
      const Vec3 p_W = m.X_WB[b] * randomVec3(random);
      const VecX V = pointJacobian(m.tree, m.X_WB, static_cast<int>(b), p_W) * m.v;
      EXPECT_LT((V.head<3>() - m.V_WB[b].w).norm(), 1e-12);
      EXPECT_LT((V.tail<3>() - m.V_WB[b].at(p_W - m.X_WB[b].p)).norm(), 1e-12);
    }
  }
}

TEST(Kinematics, IntegrateForthAndBackReturnsToTheStart) {
  Random random(4);
  for (int i = 0; i < kTrees; ++i) {
    const Tree tree = randomTree(random, 8);
    const VecX start = randomPosition(random, tree);
    const VecX v = 5 * randomVecX(random, tree.nv);
    VecX q = start;
    integrate(tree, v, 0.3, q);
    integrate(tree, v, -0.3, q);
    EXPECT_LT((q - start).lpNorm<Eigen::Infinity>(), 1e-13);
  }
}

TEST(Kinematics, IntegrateIsExactForAConstantAngularVelocity) {
  Tree tree;
  tree.add({.name = "top", .mass = 1}, {.name = "base", .type = JointType::Floating, .effortLimit = {}});
  VecX v(6);
  v << 0.4, -1.1, 2.0, 0.3, 0.2, -0.1;
  VecX once = tree.zeroPosition(), often = once;
  integrate(tree, v, 1.0, once);
  for (int i = 0; i < 1000; ++i) integrate(tree, v, 1e-3, often);
  EXPECT_LT((once - often).norm(), 1e-12);
  const Vec3 w = v.head<3>();
  const Mat3 R = Pose::fromQuat(Quat(once[3], once[4], once[5], once[6]), Vec3::Zero()).R;
  EXPECT_LT((R - Eigen::AngleAxisd(w.norm(), w.normalized()).toRotationMatrix()).norm(), 1e-14);
}

}  // namespace
}  // namespace slipstick::multibody::testing

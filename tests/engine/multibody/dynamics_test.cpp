#include "engine/multibody/dynamics.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "engine/multibody/kinematics.h"
#include "tests/support/random_tree.h"

namespace slipstick::multibody::testing {
namespace {

const Vec3 kGravity(0.3, -0.2, -9.81);

struct Sample {
  Tree tree;
  VecX q, v;
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  MatX M;
};

Sample randomSample(Random& random, int maxBodies) {
  Sample s;
  s.tree = randomTree(random, maxBodies);
  s.q = randomPosition(random, s.tree);
  s.v = 2 * randomVecX(random, s.tree.nv);
  computePoses(s.tree, s.q, s.X_WB);
  computeVelocities(s.tree, s.q, s.v, s.X_WB, s.V_WB);
  computeMassMatrix(s.tree, s.X_WB, s.M);
  return s;
}

TEST(Dynamics, ArticulatedBodyAgreesWithMassMatrixAndBiasOnThousandRandomTrees) {
  Random random(11);
  double worst = 0, largest = 0;
  std::map<JointType, int> seen;
  for (int i = 0; i < 1000; ++i) {
    const Sample s = randomSample(random, 10);
    for (const Joint& joint : s.tree.joints) ++seen[joint.type];
    if (s.tree.nv == 0) continue;
    const VecX tau = 5 * randomVecX(random, s.tree.nv);
    std::vector<Wrench> external(s.tree.bodies.size());
    for (Wrench& w : external) w = {randomVec3(random), randomVec3(random)};
    const VecX a = forwardDynamics(s.tree, s.q, s.v, tau, kGravity, external);
    const VecX bias = inverseDynamics(s.tree, s.q, s.v, VecX::Zero(s.tree.nv), kGravity, external);
    worst = std::max(worst, (s.M * a - (tau - bias)).lpNorm<Eigen::Infinity>());
    largest = std::max(largest, bias.lpNorm<Eigen::Infinity>());
  }
  EXPECT_LT(worst, 1e-10);
  EXPECT_EQ(seen.size(), 7u) << "joint types";
  std::printf("  M ABA(τ) differs from τ − bias by %.1e N m, with forces up to %.0f N m\n", worst, largest);
}

TEST(Dynamics, InverseDynamicsIsTheInverseOfForwardDynamics) {
  Random random(12);
  for (int i = 0; i < 300; ++i) {
    const Sample s = randomSample(random, 10);
    const VecX a = randomVecX(random, s.tree.nv);
    const VecX tau = inverseDynamics(s.tree, s.q, s.v, a, kGravity);
    if (s.tree.nv == 0) continue;
    EXPECT_LT((forwardDynamics(s.tree, s.q, s.v, tau, kGravity) - a).lpNorm<Eigen::Infinity>(), 1e-8);
  }
}

TEST(Dynamics, MassMatrixIsSymmetricPositiveDefiniteAndGivesTheKineticEnergy) {
  Random random(13);
  for (int i = 0; i < 300; ++i) {
    Sample s = randomSample(random, 10);
    for (Joint& joint : s.tree.joints) joint.armature = 0;
    computeMassMatrix(s.tree, s.X_WB, s.M);
    if (s.tree.nv == 0) continue;
    EXPECT_LT((s.M - s.M.transpose()).norm(), 1e-12 * s.M.norm());
    EXPECT_EQ(Eigen::LLT<MatX>(s.M).info(), Eigen::Success);
    const double energy = mechanicalTotals(s.tree, s.X_WB, s.V_WB, kGravity).kinetic;
    EXPECT_NEAR(0.5 * s.v.dot(s.M * s.v), energy, 1e-11 * (1 + energy));
  }
}

TEST(Dynamics, BiasAtRestIsTheGradientOfThePotential) {
  Random random(14);
  for (int i = 0; i < 100; ++i) {
    Sample s = randomSample(random, 6);
    const VecX bias = inverseDynamics(s.tree, s.q, VecX::Zero(s.tree.nv), VecX::Zero(s.tree.nv), kGravity);
    for (int d = 0; d < s.tree.nv; ++d) {
      const auto potentialAt = [&](double h) {
        VecX q = s.q;
        integrate(s.tree, VecX::Unit(s.tree.nv, d), h, q);
        computePoses(s.tree, q, s.X_WB);
        return mechanicalTotals(s.tree, s.X_WB, s.V_WB, kGravity).potential;
      };
      EXPECT_NEAR((potentialAt(1e-5) - potentialAt(-1e-5)) / 2e-5, bias[d], 1e-6 * (1 + std::abs(bias[d])));
    }
  }
}

TEST(Dynamics, ExternalWrenchActsThroughTheBodyJacobian) {
  Random random(15);
  for (int i = 0; i < 100; ++i) {
    const Sample s = randomSample(random, 8);
    std::vector<Wrench> external(s.tree.bodies.size());
    VecX expected = inverseDynamics(s.tree, s.q, s.v, VecX::Zero(s.tree.nv), kGravity);
    for (std::size_t b = 1; b < external.size(); ++b) {
      external[b] = {randomVec3(random), randomVec3(random)};
      const MatX J = pointJacobian(s.tree, s.X_WB, static_cast<int>(b), s.X_WB[b].p);
      expected -=
          J.topRows<3>().transpose() * external[b].torque + J.bottomRows<3>().transpose() * external[b].force;
    }
    const VecX tau = inverseDynamics(s.tree, s.q, s.v, VecX::Zero(s.tree.nv), kGravity, external);
    EXPECT_LT((tau - expected).norm(), 1e-11);
  }
}

TEST(MechanicalTotals, LeavesOutBodiesThatAreFixedToTheWorld) {
  Tree tree;
  const Mat3 inertia = Mat3::Identity();
  tree.add({.name = "table", .mass = 50, .com = Vec3(0, 0, 1), .inertia = inertia},
           {.name = "bolt", .effortLimit = {}});
  tree.add({.name = "ball", .mass = 2, .inertia = inertia},
           {.name = "base", .type = JointType::Floating, .parent = 1, .effortLimit = {}});
  VecX q = tree.zeroPosition(), v = VecX::Zero(6);
  q[2] = 3;
  v << 0, 0, 1, 4, 0, 0;
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  computePoses(tree, q, X_WB);
  computeVelocities(tree, q, v, X_WB, V_WB);
  const MechanicalTotals totals = mechanicalTotals(tree, X_WB, V_WB, Vec3(0, 0, -10));
  EXPECT_DOUBLE_EQ(totals.potential, 60);
  EXPECT_DOUBLE_EQ(totals.kinetic, 0.5 * 2 * 16 + 0.5);
  EXPECT_LT((totals.momentum - Vec3(8, 0, 0)).norm(), 1e-14);
  EXPECT_LT((totals.angularMomentum - Vec3(0, 24, 1)).norm(), 1e-14);
}

}  // namespace
}  // namespace slipstick::multibody::testing

#include "engine/multibody/weightless.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "tests/support/random_tree.h"

namespace slipstick::multibody::testing {
namespace {

/// The least eigenvalue of M, scaled to a unit diagonal: 0 where a motion has no inertia.
double leastInertia(const Tree& tree, const VecX& q) {
  std::vector<Pose> X_WB;
  computePoses(tree, q, X_WB);
  MatX M;
  computeMassMatrix(tree, X_WB, M);
  for (Eigen::Index i = 0; i < M.rows(); ++i) {
    if (!(M(i, i) > 0)) return 0;
    const double scale = std::sqrt(M(i, i));
    M.row(i) /= scale;
    M.col(i) /= scale;
  }
  return Eigen::SelfAdjointEigenSolver<MatX>(M, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

void emptyBody(Body& body) {
  body.mass = 0;
  body.inertia.setZero();
}

TEST(WeightlessJoints, AreThereExactlyWhereTheMassMatrixIsSingular) {
  Random random(5);
  int singular = 0, regular = 0;
  for (int i = 0; i < 400; ++i) {
    Tree tree = randomTree(random, 8);
    if (tree.nv == 0) continue;
    for (Joint& joint : tree.joints) joint.armature = 0;
    for (std::size_t b = 1; b < tree.bodies.size(); ++b) {
      const double chance = std::abs(randomVec3(random).x());
      if (chance < 0.3)
        emptyBody(tree.bodies[b]);
      else if (chance < 0.5)
        tree.bodies[b].inertia.setZero();
    }
    double least = 0;
    for (int k = 0; k < 4; ++k) least = std::max(least, leastInertia(tree, randomPosition(random, tree)));
    // Between rounding (1e-16 of nv ≤ 40 unit entries) and what random bodies of comparable sizes have.
    if (least > 1e-13 && least < 1e-8) continue;
    EXPECT_EQ(weightlessJoints(tree).empty(), least > 1e-8) << "tree " << i << ", least eigenvalue " << least;
    ++(least > 1e-8 ? regular : singular);
  }
  EXPECT_GT(singular, 30);
  EXPECT_GT(regular, 30);
}

Tree pendulum(const Body& bob, JointType type, const Vec3& axis) {
  Tree tree;
  tree.add(bob, {.name = "pivot", .type = type, .axis = axis, .effortLimit = {}});
  return tree;
}

TEST(WeightlessJoints, APointSwingsButCannotSpin) {
  const Body point{.name = "bob", .mass = 1, .com = Vec3(0, 0, -1)};
  EXPECT_TRUE(weightlessJoints(pendulum(point, JointType::Revolute, Vec3::UnitX())).empty());
  EXPECT_EQ(weightlessJoints(pendulum(point, JointType::Revolute, Vec3::UnitZ())), std::vector<int>{0});
  EXPECT_EQ(weightlessJoints(pendulum(point, JointType::Ball, Vec3::UnitZ())), std::vector<int>{0});
}

TEST(WeightlessJoints, AnIdealRodTurnsAboutAllAxesButItsOwn) {
  const Body rod{.name = "rod", .mass = 1, .inertia = Vec3(0.1, 0.1, 0).asDiagonal()};
  EXPECT_TRUE(weightlessJoints(pendulum(rod, JointType::Continuous, Vec3::UnitY())).empty());
  EXPECT_EQ(weightlessJoints(pendulum(rod, JointType::Continuous, Vec3::UnitZ())), std::vector<int>{0});
  EXPECT_EQ(weightlessJoints(pendulum(rod, JointType::Floating, Vec3::UnitZ())), std::vector<int>{0});
}

TEST(WeightlessJoints, CarriersOfSomethingHeavyAreNone) {
  Tree tree;
  const int first =
      tree.add({.name = "carrier"}, {.name = "yaw", .type = JointType::Revolute, .effortLimit = {}});
  const int second = tree.add({.name = "carrier 2"}, {.name = "pitch",
                                                      .type = JointType::Revolute,
                                                      .parent = first,
                                                      .axis = Vec3::UnitY(),
                                                      .effortLimit = {}});
  EXPECT_EQ(weightlessJoints(tree), (std::vector<int>{0, 1}));
  tree.joints[0].armature = 0.01;
  EXPECT_EQ(weightlessJoints(tree), std::vector<int>{1}) << "a rotor is an inertia, too";
  tree.joints[0].armature = 0;
  tree.add({.name = "load", .mass = 1, .com = Vec3(1, 0, 0), .inertia = 0.01 * Mat3::Identity()},
           {.name = "weld", .parent = second, .effortLimit = {}});
  EXPECT_TRUE(weightlessJoints(tree).empty());
}

}  // namespace
}  // namespace slipstick::multibody::testing

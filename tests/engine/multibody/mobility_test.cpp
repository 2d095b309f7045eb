#include "engine/multibody/mobility.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "tests/support/random_tree.h"

namespace slipstick::multibody::testing {
namespace {

/// J A⁻¹ Jᵀ of all bodies from the mass matrix, without the velocities of prescribed joints, which hang from the world.
std::vector<Mat6> fromMassMatrix(const Tree& tree, const std::vector<Pose>& X_WB,
                                 const std::vector<char>& isPrescribed, const VecX& added) {
  MatX A;
  computeMassMatrix(tree, X_WB, A);
  A.diagonal() += added;
  std::vector<int> free;
  for (std::size_t j = 0; j < tree.joints.size(); ++j)
    for (int k = 0; k < velocityCount(tree.joints[j].type); ++k)
      if (!isPrescribed[j]) free.push_back(tree.joints[j].vStart + k);
  const MatX Af = A(free, free);
  const Eigen::LLT<MatX> factor(Af);
  std::vector<Mat6> mobility;
  for (std::size_t b = 0; b < tree.bodies.size(); ++b) {
    const MatX J = pointJacobian(tree, X_WB, static_cast<int>(b), X_WB[b].p);
    const MatX Jf = J(Eigen::all, free);
    mobility.push_back(free.empty() ? Mat6(Mat6::Zero()) : Mat6(Jf * factor.solve(Jf.transpose())));
  }
  return mobility;
}

TEST(Mobility, IsWhatTheMassMatrixSays) {
  Random random(11);
  for (int i = 0; i < 100; ++i) {
    const Tree tree = randomTree(random, 9);
    if (tree.nv == 0) continue;
    std::vector<Pose> X_WB;
    computePoses(tree, randomPosition(random, tree), X_WB);
    std::vector<char> isPrescribed(tree.joints.size(), 0);
    if (i % 3 == 1) isPrescribed[0] = 1;
    VecX added = VecX::Zero(tree.nv);
    if (i % 2 == 1) added = randomVecX(random, tree.nv).cwiseAbs();
    const std::vector<Mat6> found = mobilities(tree, X_WB, isPrescribed, added);
    const std::vector<Mat6> expected = fromMassMatrix(tree, X_WB, isPrescribed, added);
    for (std::size_t b = 0; b < found.size(); ++b)
      EXPECT_LE((found[b] - expected[b]).norm(), 1e-8 * (1 + expected[b].norm()))
          << "tree " << i << ", body " << b;
  }
}

TEST(Mobility, OfAFreeBodyIsItsInverseInertia) {
  Tree tree;
  Body ball;
  ball.name = "ball", ball.mass = 2, ball.inertia = 0.1 * Mat3::Identity();
  Joint base;
  base.type = JointType::Floating;
  tree.add(ball, base);
  std::vector<Pose> X_WB;
  computePoses(tree, tree.zeroPosition(), X_WB);
  const Mat6 mobility = mobilities(tree, X_WB)[1];
  EXPECT_NEAR(mobility(0, 0), 10, 1e-12);
  EXPECT_NEAR(mobility(5, 5), 0.5, 1e-12);
  EXPECT_TRUE(mobilities(tree, X_WB, {1})[1].isZero(0));
}

}  // namespace
}  // namespace slipstick::multibody::testing

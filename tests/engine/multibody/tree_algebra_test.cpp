#include "engine/multibody/tree_algebra.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "tests/support/random_tree.h"

namespace slipstick::multibody {
namespace {

using testing::Random;
using testing::randomVecX;

Mat6 randomPositive(Random& random) {
  Mat6 B;
  for (int c = 0; c < 6; ++c) B.col(c) = randomVecX(random, 6);
  return B * B.transpose() + Mat6::Identity();
}

TEST(TreeAlgebra, InvertsAFreeBodysMatrix) {
  Random random(1);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Mat6 A = randomPositive(random);
    Mat6 L = A, general = A, inverse;
    ASSERT_TRUE(invertFree(L.data(), inverse));
    ASSERT_TRUE(factorizeDense(general.data(), 6));
    EXPECT_LT((inverse * A - Mat6::Identity()).norm(), 1e-11);
    const Mat6 difference = L - general;
    EXPECT_LT(Mat6(difference.triangularView<Eigen::Lower>()).norm(), 1e-13);
  }
  Mat6 indefinite = Mat6::Identity(), inverse;
  indefinite(4, 4) = -1;
  EXPECT_FALSE(invertFree(indefinite.data(), inverse));
}

TEST(TreeAlgebra, TracesTheLinearPartOfAMovedMobility) {
  Random random(2);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Mat6 W = randomPositive(random);
    const Vec3 r = randomVecX(random, 3);
    const double expected = moveMobility(W, r).bottomRightCorner<3, 3>().trace();
    EXPECT_NEAR(linearTrace(W, r), expected, 1e-12 * std::abs(expected));
  }
}

TEST(TreeAlgebra, SolvesWithAPartOfAFactor) {
  Random random(3);
  Mat6 L = randomPositive(random);
  ASSERT_TRUE(factorizeDense(L.data(), 6));
  const VecX b = randomVecX(random, 4);
  VecX x = b;
  solveLower(L.data() + 2 * 7, 6, 4, x.data());
  const MatX part = L.bottomRightCorner<4, 4>().triangularView<Eigen::Lower>();
  EXPECT_LT((part * x - b).norm(), 1e-13);
}

}  // namespace
}  // namespace slipstick::multibody

#include "engine/mpm/contact/conjugate_gradients.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipstick::mpm {
namespace {

/// What came of a system whose matrix has 200 eigenvalues from 1 up to `condition`, evenly on a logarithmic scale.
struct Outcome {
  int iterations;
  bool gaveUp;
  double error;   ///< √(rᵀr), relative to where it began
  double energy;  ///< ½ sᵀH s − bᵀs
};
Outcome solve(double condition, int most, bool otherWays) {
  constexpr Eigen::Index kSize = 200;
  VecX H(kSize), s = VecX::Zero(kSize);
  for (Eigen::Index i = 0; i < kSize; ++i) H[i] = std::pow(condition, static_cast<double>(i) / (kSize - 1));
  const VecX b = VecX::Ones(kSize);
  VecX r = b;
  ConjugateGradients<VecX> gradients;
  const int iterations = gradients.solve(
      s, r, [&](const VecX& x, VecX& Hx) { Hx = H.cwiseProduct(x); }, [](const VecX& x, VecX& z) { z = x; },
      0.02, most, otherWays);
  EXPECT_LT((b - H.cwiseProduct(s) - r).norm(), 1e-9 * b.norm()) << "what is left";
  return {iterations, gradients.gaveUp(), r.norm() / b.norm(), 0.5 * s.dot(H.cwiseProduct(s)) - b.dot(s)};
}

TEST(ConjugateGradients, StopWhereTheyHaveSolvedTheSystem) {
  for (const bool otherWays : {false, true}) {
    const Outcome done = solve(10, 30, otherWays);
    EXPECT_FALSE(done.gaveUp);
    EXPECT_LE(done.error, 0.02);
    EXPECT_LT(done.iterations, 30);
  }
}

/// Where there are other ways, not all iterations are spent on what they clearly will not reach; they lead downhill all the same.
TEST(ConjugateGradients, GiveUpEarlyOnlyWhereThereAreOtherWays) {
  const Outcome whole = solve(1000, 25, false), early = solve(1000, 25, true);
  EXPECT_TRUE(whole.gaveUp && early.gaveUp);
  EXPECT_EQ(whole.iterations, 25);
  EXPECT_EQ(early.iterations, 16);
  EXPECT_LT(early.energy, 0);
  for (const double condition :
       {30.0, 100.0, 300.0, 1e3, 1e4, 1e5}) {  // the residual rises at first from 1,000 on
    const int needed = solve(condition, 1000, false).iterations;
    ASSERT_LT(needed, 1000);
    EXPECT_FALSE(solve(condition, needed, true).gaveUp) << condition;
    // What takes a little longer may yet get there: it is given its time.
    EXPECT_EQ(solve(condition, needed - 3, true).iterations, needed - 3) << condition;
  }
}

}  // namespace
}  // namespace slipstick::mpm

// Factors and triangular systems, which are made of halves, against their definitions.
#include "engine/foundation/dense_blas.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace slipstick {
namespace {

/// Around the sizes of the parts that are not halved any more.
constexpr int kSizes[] = {1, 15, 16, 17, 33, 63, 64, 65, 100, 257};

template <class Real>
class DenseIn : public ::testing::Test {
 protected:
  using Matrix = typename Dense<Real>::Dynamic;

  Matrix noise(int rows, int columns) {
    std::uniform_real_distribution<Real> between(-1, 1);
    return Matrix::NullaryExpr(rows, columns, [&] { return between(random); });
  }
  /// Positive definite, its condition below ten.
  Matrix definite(int n) {
    const Matrix X = noise(n, n);
    return X * X.transpose() + Real(0.5) * static_cast<Real>(n) * Matrix::Identity(n, n);
  }
  /// A triangle of it, within a matrix that has more rows.
  Matrix lower(int n, int more) {
    Matrix all = noise(n + more, n);
    all.topRows(n) = definite(n).llt().matrixL();
    return all;
  }
  /// Of sums of n products: a few times n roundings, of systems whose condition is below ten.
  static Real tolerance(int n) { return static_cast<Real>(10 + n) * std::numeric_limits<Real>::epsilon(); }

  std::mt19937 random{7};
};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(DenseIn, Reals);

TYPED_TEST(DenseIn, FactorisesWhatIsDefiniteAndLeavesWhatIsAboveTheDiagonal) {
  using Dynamic = typename Dense<TypeParam>::Dynamic;
  for (const int n : kSizes) {
    SCOPED_TRACE(n);
    const Dynamic A = this->definite(n), above = this->noise(n, n);
    Dynamic within = this->noise(n + 3, n);
    within.topRows(n) = A.template triangularView<Eigen::Lower>();
    within.topRows(n).template triangularView<Eigen::StrictlyUpper>() = above;
    const Dynamic below = within.bottomRows(3);
    ASSERT_TRUE(Dense<TypeParam>::factorize(within.topRows(n)));
    const Dynamic L = within.topRows(n).template triangularView<Eigen::Lower>();
    EXPECT_LE((L * L.transpose() - A).norm(), this->tolerance(n) * A.norm());
    const Dynamic aboveNow = within.topRows(n).template triangularView<Eigen::StrictlyUpper>();
    EXPECT_EQ(aboveNow, Dynamic(above.template triangularView<Eigen::StrictlyUpper>()));
    EXPECT_EQ(within.bottomRows(3), below);
  }
}

TYPED_TEST(DenseIn, HasNoFactorWhereverAPivotIsNegative) {
  constexpr int kRows = 200;
  for (const int pivot : {0, 40, 99, 130, 199}) {
    SCOPED_TRACE(pivot);
    auto A = this->definite(kRows);
    A(pivot, pivot) = -1;
    EXPECT_FALSE(Dense<TypeParam>::factorize(A));
  }
}

TYPED_TEST(DenseIn, SolvesTriangularSystemsFromBothSides) {
  using Dynamic = typename Dense<TypeParam>::Dynamic;
  for (const int n : kSizes)
    for (const int columns : {1, 7, 90}) {
      SCOPED_TRACE(::testing::PrintToString(n) + " rows, " + ::testing::PrintToString(columns));
      const Dynamic whole = this->lower(n, 5);
      const auto triangle = whole.topRows(n).template triangularView<Eigen::Lower>();
      const Dynamic B = this->noise(n, columns);
      Dynamic within = this->noise(n + 2, columns);
      within.topRows(n) = B;
      const Dynamic below = within.bottomRows(2);
      Dense<TypeParam>::solveLower(whole.topRows(n), within.topRows(n));
      EXPECT_LE((triangle * Dynamic(within.topRows(n)) - B).norm(), this->tolerance(n) * B.norm());
      EXPECT_EQ(within.bottomRows(2), below);

      const Dynamic C = this->noise(columns, n);
      Dynamic X = C;
      Dense<TypeParam>::solveLowerFromRight(whole.topRows(n), X);
      EXPECT_LE((triangle * Dynamic(X.transpose()) - C.transpose()).norm(), this->tolerance(n) * C.norm());
    }
}

}  // namespace
}  // namespace slipstick

// Products and factors of matrices so large that it matters which vector instructions they use: OpenBLAS chooses when the
// program runs, where Eigen has those of the build. One thread. Column-major; of symmetric matrices the lower triangle counts.
#pragma once

#include "engine/foundation/math.h"

namespace slipstick {

/// @tparam Real  float or double
template <class Real>
struct Dense {
  using Dynamic = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  using Matrix = Eigen::Ref<Dynamic, 0, Eigen::OuterStride<>>;
  using ConstMatrix = Eigen::Ref<const Dynamic, 0, Eigen::OuterStride<>>;
  using Vector = Eigen::Ref<Eigen::Matrix<Real, Eigen::Dynamic, 1>>;
  using ConstVector = Eigen::Ref<const Eigen::Matrix<Real, Eigen::Dynamic, 1>>;

  /// A ← L with A = L Lᵀ, above the diagonal unchanged. @return false where A is not positive definite
  [[nodiscard]] static bool factorize(Matrix A);
  /// X ← L⁻¹ X
  static void solveLower(const ConstMatrix& L, Matrix X);
  /// X ← X L⁻ᵀ
  static void solveLowerFromRight(const ConstMatrix& L, Matrix X);
  /// C ← C + scale · X Xᵀ, its lower triangle.
  static void addSquare(Real scale, const ConstMatrix& X, Matrix C);
  /// C ← C + scale · Xᵀ X, its lower triangle.
  static void addTransposedSquare(Real scale, const ConstMatrix& X, Matrix C);
  /// C ← A B
  static void multiply(const ConstMatrix& A, const ConstMatrix& B, Matrix C);
  /// C ← C + A Bᵀ
  static void addProductTransposed(const ConstMatrix& A, const ConstMatrix& B, Matrix C);
  /// C ← C − A B
  static void subtractProduct(const ConstMatrix& A, const ConstMatrix& B, Matrix C);

  // Of one vector:

  /// x ← L⁻¹ x
  static void solveLowerFor(const ConstMatrix& L, Vector x);
  /// x ← L⁻ᵀ x
  static void solveTransposedFor(const ConstMatrix& L, Vector x);
  /// y ← A x, A symmetric
  static void multiplySymmetric(const ConstMatrix& A, const ConstVector& x, Vector y);
  /// y ← y − A x
  static void subtractImage(const ConstMatrix& A, const ConstVector& x, Vector y);
  /// y ← y − Aᵀ x
  static void subtractTransposedImage(const ConstMatrix& A, const ConstVector& x, Vector y);
};

}  // namespace slipstick

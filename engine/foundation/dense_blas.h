// Products and factors of matrices so large that it matters which vector instructions they use: OpenBLAS chooses when the
// program runs, where Eigen has those of the build. One thread. Column-major; of symmetric matrices the lower triangle counts.
#pragma once

#include "engine/foundation/math.h"

namespace slipstick::dense {

using Matrix = Eigen::Ref<MatX, 0, Eigen::OuterStride<>>;
using ConstMatrix = Eigen::Ref<const MatX, 0, Eigen::OuterStride<>>;

/// A ← L with A = L Lᵀ, above the diagonal unchanged. @return false where A is not positive definite
bool factorize(Matrix A);
/// X ← L⁻¹ X
void solveLower(const ConstMatrix& L, Matrix X);
/// X ← X L⁻ᵀ
void solveLowerFromRight(const ConstMatrix& L, Matrix X);
/// C ← C + scale · X Xᵀ, its lower triangle.
void addSquare(double scale, const ConstMatrix& X, Matrix C);
/// C ← C + scale · Xᵀ X, its lower triangle.
void addTransposedSquare(double scale, const ConstMatrix& X, Matrix C);
/// C ← A B
void multiply(const ConstMatrix& A, const ConstMatrix& B, Matrix C);
/// C ← C + A Bᵀ
void addProductTransposed(const ConstMatrix& A, const ConstMatrix& B, Matrix C);
/// C ← C − A B
void subtractProduct(const ConstMatrix& A, const ConstMatrix& B, Matrix C);

}  // namespace slipstick::dense

// Dense factorisations of one tree's matrices, in place and without allocation.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/multibody/spatial.h"

namespace slipstick::multibody {

/// Lower Cholesky factor of a symmetric n × n matrix, column-major, in place (the strict upper part is left).
/// @return false where a pivot is not positive
[[nodiscard]] inline bool factorizeDense(double* A, int n) {
  for (int c = 0; c < n; ++c) {
    double* column = A + c * n;
    for (int k = 0; k < c; ++k) {
      const double* earlier = A + k * n;
      for (int r = c; r < n; ++r) column[r] -= earlier[r] * earlier[c];
    }
    if (!(column[c] > 0) || !std::isfinite(column[c])) return false;
    const double inverse = 1 / std::sqrt(column[c]);
    for (int r = c; r < n; ++r) column[r] *= inverse;
  }
  return true;
}

/// The same of a free body's 6 × 6 matrix, with its inverse: loops of known length run twice as fast.
[[nodiscard]] inline bool invertFree(double* A, Mat6& inverse) {
  constexpr int n = 6;
  double Y[n][n];  // L⁻¹, rows first
#pragma GCC unroll 6
  for (int c = 0; c < n; ++c) {
    double* column = A + c * n;
#pragma GCC unroll 6
    for (int k = 0; k < c; ++k)
#pragma GCC unroll 6
      for (int r = c; r < n; ++r) column[r] -= A[k * n + r] * A[k * n + c];
    if (!(column[c] > 0) || !std::isfinite(column[c])) return false;
    const double pivot = 1 / std::sqrt(column[c]);
#pragma GCC unroll 6
    for (int r = c; r < n; ++r) column[r] *= pivot;
    Y[c][c] = pivot;
  }
#pragma GCC unroll 6
  for (int r = 1; r < n; ++r)
#pragma GCC unroll 6
    for (int c = 0; c < r; ++c) {
      double sum = 0;
#pragma GCC unroll 6
      for (int k = c; k < r; ++k) sum += A[k * n + r] * Y[k][c];
      Y[r][c] = -sum * Y[r][r];
    }
#pragma GCC unroll 6
  for (int r = 0; r < n; ++r)
#pragma GCC unroll 6
    for (int c = r; c < n; ++c) {
      double sum = 0;
#pragma GCC unroll 6
      for (int k = c; k < n; ++k) sum += Y[k][r] * Y[k][c];
      inverse(r, c) = inverse(c, r) = sum;
    }
  return true;
}

/// x ← L⁻¹ x. @param stride  from column to column
inline void solveLower(const double* L, int stride, int n, double* x) {
  for (int c = 0; c < n; ++c) {
    x[c] /= L[c * stride + c];
    for (int r = c + 1; r < n; ++r) x[r] -= L[c * stride + r] * x[c];
  }
}
inline void solveLower(const double* L, int n, double* x) {
  solveLower(L, n, n, x);
}

/// x ← (L Lᵀ)⁻¹ x.
inline void solveDense(const double* L, int n, double* x) {
  solveLower(L, n, x);
  for (int c = n - 1; c >= 0; --c) {
    for (int r = c + 1; r < n; ++r) x[c] -= L[c * n + r] * x[r];
    x[c] /= L[c * n + c];
  }
}

/// J A⁻¹ Jᵀ from the factor L of A. @param J  6 × n, column-major
inline Mat6 mobilityOf(const double* L, int n, const double* J, std::vector<double>& scratch) {
  // Row r of J, solved by L: the six results side by side.
  scratch.resize(std::max(scratch.size(), static_cast<std::size_t>(6 * n)));
  for (int r = 0; r < 6; ++r) {
    double* y = scratch.data() + r * n;
    for (int c = 0; c < n; ++c) y[c] = J[6 * c + r];
    solveLower(L, n, y);
  }
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 6>> Y(scratch.data(), n, 6);
  return Y.transpose().lazyProduct(Y);
}

/// A mobility (velocity per impulse) about a point r away from the body's origin.
inline Mat6 moveMobility(const Mat6& W, const Vec3& r) {
  Mat6 X = Mat6::Identity();
  X.bottomLeftCorner<3, 3>() = -skew(r);
  return X * W * X.transpose();
}

/// Trace of the linear part of a mobility about a point r away from the body's origin: that of
/// W_ll − [r]× W_al − W_la [r]×ᵀ + [r]× W_aa [r]×ᵀ.
inline double linearTrace(const Mat6& W, const Vec3& r) {
  const auto aa = W.topLeftCorner<3, 3>();
  const auto al = W.topRightCorner<3, 3>();
  const double crossed =
      r.x() * (al(1, 2) - al(2, 1)) + r.y() * (al(2, 0) - al(0, 2)) + r.z() * (al(0, 1) - al(1, 0));
  return W.bottomRightCorner<3, 3>().trace() - 2 * crossed + r.squaredNorm() * aa.trace() - r.dot(aa * r);
}

}  // namespace slipstick::multibody

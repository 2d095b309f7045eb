// A pose or affine map as shaders take it.
#pragma once

#include <Eigen/Core>
#include <array>

#include "engine/foundation/math.h"

namespace slipstick::render {

/// Rows of [A p], 3 × 4.
inline std::array<Eigen::Vector4f, 3> rowsOf(const Mat3& A, const Vec3& p) {
  std::array<Eigen::Vector4f, 3> rows;
  for (int k = 0; k < 3; ++k)
    rows[static_cast<std::size_t>(k)] = Eigen::Vector4d(A(k, 0), A(k, 1), A(k, 2), p[k]).cast<float>();
  return rows;
}
inline std::array<Eigen::Vector4f, 3> rowsOf(const Pose& X) {
  return rowsOf(X.R, X.p);
}

}  // namespace slipstick::render

// Between the engine's Eigen types and the lane types of the element math.
#pragma once

#include "engine/foundation/math.h"
#include "engine/lanes/lane.h"

namespace slipstick::lanes {

template <class Real>
V3<Real> toLanes(const Vec3& a) {
  return {static_cast<Real>(a.x()), static_cast<Real>(a.y()), static_cast<Real>(a.z())};
}
template <class Real>
M3<Real> toLanes(const Mat3& m) {
  M3<Real> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = static_cast<Real>(m(i, j));
  return r;
}
template <class Real>
Vec3 toEigen(const V3<Real>& a) {
  return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}
template <class Real>
Mat3 toEigen(const M3<Real>& m) {
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = static_cast<double>(m(i, j));
  return r;
}

}  // namespace slipstick::lanes

// Signed distance and outward normal of each shape, in the geometry's frame: φ < 0 inside [m], n = ∇φ, unit.
// Inside a box or cylinder the nearest face wins; ties: lowest axis, side before cap, positive direction; in
// an ellipsoid the shorter axis, too.
//
// Branch-free and generic over the lane type T (engine/mpm/lane.h): every lane asks the same shape.
#pragma once

#include "engine/geometry/geometry_shape.h"
#include "engine/mpm/lane.h"

namespace slipstick {
inline namespace SIM_ISA {

template <class T>
struct SignedDistance {
  T phi;              ///< [m]
  mpm::V3<T> normal;  ///< outward
};

/// The type of one lane: float for Pack, otherwise T itself.
template <class T>
struct LaneScalarOf {
  using type = T;
};
template <>
struct LaneScalarOf<mpm::Pack> {
  using type = float;
};
template <class T>
using LaneScalar = typename LaneScalarOf<T>::type;

namespace detail {

/// Direction of d with fallback where d is zero; `length` is |d|.
template <class T>
SIM_HD mpm::V3<T> directionOr(const mpm::V3<T>& d, T length, const mpm::V3<T>& fallback) {
  const auto defined = length > T(0);
  return mpm::select<T>(defined, (T(1) / mpm::select(defined, length, T(1))) * d, fallback);
}

template <class T>
SIM_HD T signOf(T x) {
  return mpm::select(x >= T(0), T(1), T(-1));
}

}  // namespace detail

template <class T>
SIM_HD SignedDistance<T> planeDistance(const mpm::V3<T>& p) {
  return {p.z, {T(0), T(0), T(1)}};
}

template <class T>
SIM_HD SignedDistance<T> sphereDistance(const mpm::V3<T>& p, T radius) {
  const T r = mpm::sqrt(dot(p, p));
  return {r - radius, detail::directionOr(p, r, {T(0), T(0), T(1)})};
}

template <class T>
SIM_HD SignedDistance<T> capsuleDistance(const mpm::V3<T>& p, T radius, T halfLength) {
  const mpm::V3<T> d = {p.x, p.y, p.z - mpm::min(mpm::max(p.z, -halfLength), halfLength)};
  const T r = mpm::sqrt(dot(d, d));
  return {r - radius, detail::directionOr(d, r, {T(1), T(0), T(0)})};
}

template <class T>
SIM_HD SignedDistance<T> boxDistance(const mpm::V3<T>& p, const mpm::V3<T>& halfExtents) {
  const T zero = T(0), one = T(1);
  const mpm::V3<T> sign = {detail::signOf(p.x), detail::signOf(p.y), detail::signOf(p.z)};
  const mpm::V3<T> d = {mpm::abs(p.x) - halfExtents.x, mpm::abs(p.y) - halfExtents.y,
                        mpm::abs(p.z) - halfExtents.z};
  // Inside: the face with the largest (least negative) distance; a later axis must be strictly larger.
  const auto y = d.y > d.x;
  const T xy = mpm::select(y, d.y, d.x);
  const auto z = d.z > xy;
  mpm::V3<T> face = mpm::select<T>(y, {zero, sign.y, zero}, {sign.x, zero, zero});
  face = mpm::select<T>(z, {zero, zero, sign.z}, face);
  const T faceDistance = mpm::select(z, d.z, xy);
  // Outside: the nearest point of the box.
  const mpm::V3<T> g = {mpm::max(d.x, zero) * sign.x, mpm::max(d.y, zero) * sign.y,
                        mpm::max(d.z, zero) * sign.z};
  const T length = mpm::sqrt(dot(g, g));
  const auto outside = length > zero;
  const T inverse = one / mpm::select(outside, length, one);
  return {mpm::select(outside, length, faceDistance), mpm::select<T>(outside, inverse * g, face)};
}

template <class T>
SIM_HD SignedDistance<T> cylinderDistance(const mpm::V3<T>& p, T radius, T halfLength) {
  const T zero = T(0), one = T(1);
  const T rho = mpm::sqrt(p.x * p.x + p.y * p.y);
  const mpm::V3<T> radial = detail::directionOr<T>({p.x, p.y, zero}, rho, {one, zero, zero});
  const mpm::V3<T> axial = {zero, zero, detail::signOf(p.z)};
  const T side = rho - radius, cap = mpm::abs(p.z) - halfLength;
  const auto nearCap = cap > side;
  const mpm::V3<T> face = mpm::select<T>(nearCap, axial, radial);
  const mpm::V3<T> g = mpm::max(side, zero) * radial + mpm::max(cap, zero) * axial;
  const T length = mpm::sqrt(dot(g, g));
  const auto outside = length > zero;
  const T inverse = one / mpm::select(outside, length, one);
  return {mpm::select(outside, length, mpm::max(side, cap)), mpm::select<T>(outside, inverse * g, face)};
}

/// The nearest point q of the surface has its normal towards p: with eᵢ the radii, e the least of them, ρᵢ =
/// (eᵢ/e)² and zᵢ = |pᵢ|/eᵢ, it is qᵢ = eᵢ ρᵢ zᵢ / (w + ρᵢ − 1), where w ≥ 0 makes Σ (qᵢ/eᵢ)² = 1 (Eberly,
/// "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid", 2013). That sum falls with w and
/// is convex: Newton's method from below the root climbs to it.
template <class T>
SIM_HD SignedDistance<T> ellipsoidDistance(const mpm::V3<T>& p, const mpm::V3<T>& radii) {
  const T zero = T(0), one = T(1), tiny = T(1e-30f);
  const T least = mpm::min(mpm::min(radii.x, radii.y), radii.z);
  mpm::V3<T> rho, z, sign;
  T w = zero;
  for (int i = 0; i < 3; ++i) {
    rho[i] = (radii[i] / least) * (radii[i] / least);
    z[i] = mpm::abs(p[i]) / radii[i];
    sign[i] = detail::signOf(p[i]);
    w = mpm::max(w, rho[i] * z[i] - (rho[i] - one));  // one term alone cannot exceed the sum
  }
  for (int iteration = 0; iteration < 12; ++iteration) {
    T value = -one, slope = zero;
    for (int i = 0; i < 3; ++i) {
      const T reach = mpm::max(w + (rho[i] - one), tiny), q = rho[i] * z[i] / reach;
      value += q * q, slope += q * q / reach;
    }
    w += mpm::max(value, zero) / mpm::max(slope + slope, tiny);
  }
  mpm::V3<T> q;
  T rest = one;
  for (int i = 0; i < 3; ++i) {
    q[i] = rho[i] * z[i] / mpm::max(w + (rho[i] - one), tiny);
    rest -= q[i] * q[i];
  }
  // In the plane across the shortest axis, near the centre, the nearest point lies off that plane.
  const T off = mpm::select(w > zero, zero, mpm::sqrt(mpm::max(rest, zero)));
  const auto shortX = radii.x <= least, shortY = radii.y <= least;
  q.x = mpm::select(shortX, mpm::max(q.x, off), q.x);
  q.y = mpm::select(shortX, q.y, mpm::select(shortY, mpm::max(q.y, off), q.y));
  q.z = mpm::select(shortX, q.z, mpm::select(shortY, q.z, mpm::max(q.z, off)));
  mpm::V3<T> normal, away;
  for (int i = 0; i < 3; ++i) {
    normal[i] = sign[i] * q[i] / radii[i];
    away[i] = p[i] - sign[i] * q[i] * radii[i];
  }
  normal = (one / mpm::max(mpm::sqrt(dot(normal, normal)), tiny)) * normal;
  return {dot(normal, away), normal};
}

/// Trilinear interpolation of a distance grid; outside it the value at the grid's nearest point plus the
/// distance to that point. The normal is the direction of this function's gradient.
template <class T>
SIM_HD SignedDistance<T> gridDistance(const mpm::V3<T>& p, const SdfGridView<T>& grid) {
  int cell[3];
  T f[3];           // position within the cell, 0…1
  mpm::V3<T> away;  // from the grid's nearest point to p
  for (int i = 0; i < 3; ++i) {
    const T x = (p[i] - grid.origin[i]) / grid.spacing;
    const T inside = mpm::min(mpm::max(x, T(0)), T(grid.size[i] - 1));
    const T base = mpm::min(mpm::floor(inside), T(grid.size[i] - 2));
    cell[i] = static_cast<int>(base);
    f[i] = inside - base;
    away[i] = (x - inside) * grid.spacing;
  }
  const int strideY = grid.size[2], strideX = grid.size[1] * grid.size[2];
  const float* node = grid.distance + (cell[0] * strideX + cell[1] * strideY + cell[2]);
  const T v000 = T(node[0]), v001 = T(node[1]);
  const T v010 = T(node[strideY]), v011 = T(node[strideY + 1]);
  const T v100 = T(node[strideX]), v101 = T(node[strideX + 1]);
  const T v110 = T(node[strideX + strideY]), v111 = T(node[strideX + strideY + 1]);
  const T gx = T(1) - f[0], gy = T(1) - f[1], gz = T(1) - f[2];
  const T v00 = gx * v000 + f[0] * v100, v01 = gx * v001 + f[0] * v101;
  const T v10 = gx * v010 + f[0] * v110, v11 = gx * v011 + f[0] * v111;
  const T v0 = gy * v00 + f[1] * v10, v1 = gy * v01 + f[1] * v11;
  mpm::V3<T> gradient = {
      gy * (gz * (v100 - v000) + f[2] * (v101 - v001)) + f[1] * (gz * (v110 - v010) + f[2] * (v111 - v011)),
      gz * (v10 - v00) + f[2] * (v11 - v01), v1 - v0};
  gradient = (T(1) / grid.spacing) * gradient;
  const T distance = mpm::sqrt(dot(away, away));
  const mpm::V3<T> direction = detail::directionOr<T>(away, distance, {T(0), T(0), T(0)});
  for (int i = 0; i < 3; ++i) gradient[i] = mpm::select(mpm::abs(away[i]) > T(0), direction[i], gradient[i]);
  const T slope = mpm::sqrt(dot(gradient, gradient));
  return {gz * v0 + f[2] * v1 + distance, detail::directionOr<T>(gradient, slope, {T(0), T(0), T(1)})};
}

/// A table look-up has no vector form: one lane after the other.
SIM_HD SignedDistance<mpm::Pack> gridDistance(const mpm::V3<mpm::Pack>& p, const SdfGridView<float>& grid) {
  SignedDistance<mpm::Pack> r;
  for (int lane = 0; lane < mpm::Pack::kLanes; ++lane) {
    const SignedDistance<float> one = gridDistance<float>({p.x[lane], p.y[lane], p.z[lane]}, grid);
    r.phi.x[lane] = one.phi;
    r.normal.x.x[lane] = one.normal.x;
    r.normal.y.x[lane] = one.normal.y;
    r.normal.z.x[lane] = one.normal.z;
  }
  return r;
}

/// φ and n of any shape at p, in the geometry's frame.
template <class T>
SIM_HD SignedDistance<T> signedDistance(const GeometryShape<LaneScalar<T>>& shape, const mpm::V3<T>& p) {
  switch (shape.type) {
    case ShapeType::Sphere:
      return sphereDistance(p, T(shape.radius));
    case ShapeType::Box:
      return boxDistance(p, {T(shape.halfExtents[0]), T(shape.halfExtents[1]), T(shape.halfExtents[2])});
    case ShapeType::Capsule:
      return capsuleDistance(p, T(shape.radius), T(shape.halfLength));
    case ShapeType::Cylinder:
      return cylinderDistance(p, T(shape.radius), T(shape.halfLength));
    case ShapeType::Ellipsoid:
      return ellipsoidDistance(p,
                               {T(shape.halfExtents[0]), T(shape.halfExtents[1]), T(shape.halfExtents[2])});
    case ShapeType::Mesh:
      return gridDistance(p, shape.grid);
    case ShapeType::Plane:
      break;
  }
  return planeDistance(p);
}

}  // namespace SIM_ISA
}  // namespace slipstick

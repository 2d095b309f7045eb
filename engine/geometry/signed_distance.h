// Signed distance and outward normal of each shape, in the geometry's frame: φ < 0 inside [m], n = ∇φ, unit.
// Inside a box or cylinder the nearest face wins; ties: lowest axis, side before cap, positive direction; in
// an ellipsoid the shorter axis, too.
//
// Branch-free and generic over the lane type T (engine/lanes/lane.h): every lane asks the same shape.
#pragma once

#include "engine/geometry/geometry_shape.h"
#include "engine/lanes/lane.h"

namespace slipstick {
inline namespace SIM_ISA {

template <class T>
struct SignedDistance {
  T phi;                ///< [m]
  lanes::V3<T> normal;  ///< outward
};

/// The type of one lane: float for Pack, otherwise T itself.
template <class T>
struct LaneScalarOf {
  using type = T;
};
template <class T>
using LaneScalar = typename LaneScalarOf<T>::type;

namespace branchless {

/// Direction of d with fallback where d is zero; `length` is |d|.
template <class T>
SIM_HD lanes::V3<T> directionOr(const lanes::V3<T>& d, T length, const lanes::V3<T>& fallback) {
  const auto defined = length > T(0);
  return lanes::select<T>(defined, (T(1) / lanes::select(defined, length, T(1))) * d, fallback);
}

template <class T>
SIM_HD T signOf(T x) {
  return lanes::select(x >= T(0), T(1), T(-1));
}

}  // namespace branchless

template <class T>
SIM_HD SignedDistance<T> planeDistance(const lanes::V3<T>& p) {
  return {p.z, {T(0), T(0), T(1)}};
}

template <class T>
SIM_HD SignedDistance<T> sphereDistance(const lanes::V3<T>& p, T radius) {
  const T r = lanes::sqrt(dot(p, p));
  return {r - radius, branchless::directionOr(p, r, {T(0), T(0), T(1)})};
}

template <class T>
SIM_HD SignedDistance<T> capsuleDistance(const lanes::V3<T>& p, T radius, T halfLength) {
  const lanes::V3<T> d = {p.x, p.y, p.z - lanes::min(lanes::max(p.z, -halfLength), halfLength)};
  const T r = lanes::sqrt(dot(d, d));
  return {r - radius, branchless::directionOr(d, r, {T(1), T(0), T(0)})};
}

template <class T>
SIM_HD SignedDistance<T> boxDistance(const lanes::V3<T>& p, const lanes::V3<T>& halfExtents) {
  const T zero = T(0), one = T(1);
  const lanes::V3<T> sign = {branchless::signOf(p.x), branchless::signOf(p.y), branchless::signOf(p.z)};
  const lanes::V3<T> d = {lanes::abs(p.x) - halfExtents.x, lanes::abs(p.y) - halfExtents.y,
                          lanes::abs(p.z) - halfExtents.z};
  // Inside: the face with the largest (least negative) distance; a later axis must be strictly larger.
  const auto y = d.y > d.x;
  const T xy = lanes::select(y, d.y, d.x);
  const auto z = d.z > xy;
  lanes::V3<T> face = lanes::select<T>(y, {zero, sign.y, zero}, {sign.x, zero, zero});
  face = lanes::select<T>(z, {zero, zero, sign.z}, face);
  const T faceDistance = lanes::select(z, d.z, xy);
  // Outside: the nearest point of the box.
  const lanes::V3<T> g = {lanes::max(d.x, zero) * sign.x, lanes::max(d.y, zero) * sign.y,
                          lanes::max(d.z, zero) * sign.z};
  const T length = lanes::sqrt(dot(g, g));
  const auto outside = length > zero;
  const T inverse = one / lanes::select(outside, length, one);
  return {lanes::select(outside, length, faceDistance), lanes::select<T>(outside, inverse * g, face)};
}

template <class T>
SIM_HD SignedDistance<T> cylinderDistance(const lanes::V3<T>& p, T radius, T halfLength) {
  const T zero = T(0), one = T(1);
  const T rho = lanes::sqrt(p.x * p.x + p.y * p.y);
  const lanes::V3<T> radial = branchless::directionOr<T>({p.x, p.y, zero}, rho, {one, zero, zero});
  const lanes::V3<T> axial = {zero, zero, branchless::signOf(p.z)};
  const T side = rho - radius, cap = lanes::abs(p.z) - halfLength;
  const auto nearCap = cap > side;
  const lanes::V3<T> face = lanes::select<T>(nearCap, axial, radial);
  const lanes::V3<T> g = lanes::max(side, zero) * radial + lanes::max(cap, zero) * axial;
  const T length = lanes::sqrt(dot(g, g));
  const auto outside = length > zero;
  const T inverse = one / lanes::select(outside, length, one);
  return {lanes::select(outside, length, lanes::max(side, cap)),
          lanes::select<T>(outside, inverse * g, face)};
}

/// The nearest point q of the surface has its normal towards p: with eᵢ the radii, e the least of them, ρᵢ =
/// (eᵢ/e)² and zᵢ = |pᵢ|/eᵢ, it is qᵢ = eᵢ ρᵢ zᵢ / (w + ρᵢ − 1), where w ≥ 0 makes Σ (qᵢ/eᵢ)² = 1 (Eberly,
/// "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid", 2013). That sum falls with w and
/// is convex: Newton's method from below the root climbs to it.
template <class T>
SIM_HD SignedDistance<T> ellipsoidDistance(const lanes::V3<T>& p, const lanes::V3<T>& radii) {
  const T zero = T(0), one = T(1), tiny = T(1e-30f);
  const T least = lanes::min(lanes::min(radii.x, radii.y), radii.z);
  lanes::V3<T> rho, z, sign;
  T w = zero;
  for (int i = 0; i < 3; ++i) {
    rho[i] = (radii[i] / least) * (radii[i] / least);
    z[i] = lanes::abs(p[i]) / radii[i];
    sign[i] = branchless::signOf(p[i]);
    w = lanes::max(w, rho[i] * z[i] - (rho[i] - one));  // one term alone cannot exceed the sum
  }
  for (int iteration = 0; iteration < 12; ++iteration) {
    T value = -one, slope = zero;
    for (int i = 0; i < 3; ++i) {
      const T reach = lanes::max(w + (rho[i] - one), tiny), q = rho[i] * z[i] / reach;
      value += q * q, slope += q * q / reach;
    }
    w += lanes::max(value, zero) / lanes::max(slope + slope, tiny);
  }
  lanes::V3<T> q;
  T rest = one;
  for (int i = 0; i < 3; ++i) {
    q[i] = rho[i] * z[i] / lanes::max(w + (rho[i] - one), tiny);
    rest -= q[i] * q[i];
  }
  // In the plane across the shortest axis, near the centre, the nearest point lies off that plane.
  const T off = lanes::select(w > zero, zero, lanes::sqrt(lanes::max(rest, zero)));
  const auto shortX = radii.x <= least, shortY = radii.y <= least;
  q.x = lanes::select(shortX, lanes::max(q.x, off), q.x);
  q.y = lanes::select(shortX, q.y, lanes::select(shortY, lanes::max(q.y, off), q.y));
  q.z = lanes::select(shortX, q.z, lanes::select(shortY, q.z, lanes::max(q.z, off)));
  lanes::V3<T> normal, away;
  for (int i = 0; i < 3; ++i) {
    normal[i] = sign[i] * q[i] / radii[i];
    away[i] = p[i] - sign[i] * q[i] * radii[i];
  }
  normal = (one / lanes::max(lanes::sqrt(dot(normal, normal)), tiny)) * normal;
  return {dot(normal, away), normal};
}

/// Trilinear interpolation of a distance grid; outside it the value at the grid's nearest point plus the
/// distance to that point. The normal is the direction of this function's gradient.
template <class T>
SIM_HD SignedDistance<T> gridDistance(const lanes::V3<T>& p, const SdfGridView<T>& grid) {
  int cell[3];
  T f[3];             // position within the cell, 0…1
  lanes::V3<T> away;  // from the grid's nearest point to p
  for (int i = 0; i < 3; ++i) {
    const T x = (p[i] - grid.origin[i]) / grid.spacing;
    const T inside = lanes::min(lanes::max(x, T(0)), T(grid.size[i] - 1));
    const T base = lanes::min(lanes::floor(inside), T(grid.size[i] - 2));
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
  lanes::V3<T> gradient = {
      gy * (gz * (v100 - v000) + f[2] * (v101 - v001)) + f[1] * (gz * (v110 - v010) + f[2] * (v111 - v011)),
      gz * (v10 - v00) + f[2] * (v11 - v01), v1 - v0};
  gradient = (T(1) / grid.spacing) * gradient;
  const T distance = lanes::sqrt(dot(away, away));
  const lanes::V3<T> direction = branchless::directionOr<T>(away, distance, {T(0), T(0), T(0)});
  for (int i = 0; i < 3; ++i)
    gradient[i] = lanes::select(lanes::abs(away[i]) > T(0), direction[i], gradient[i]);
  const T slope = lanes::sqrt(dot(gradient, gradient));
  return {gz * v0 + f[2] * v1 + distance, branchless::directionOr<T>(gradient, slope, {T(0), T(0), T(1)})};
}

#ifndef __CUDACC__
template <>
struct LaneScalarOf<lanes::Pack> {
  using type = float;
};

/// A table look-up has no vector form: one lane after the other.
SIM_HD SignedDistance<lanes::Pack> gridDistance(const lanes::V3<lanes::Pack>& p,
                                                const SdfGridView<float>& grid) {
  SignedDistance<lanes::Pack> r;
  for (int lane = 0; lane < lanes::Pack::kLanes; ++lane) {
    const SignedDistance<float> one = gridDistance<float>({p.x[lane], p.y[lane], p.z[lane]}, grid);
    r.phi.x[lane] = one.phi;
    r.normal.x.x[lane] = one.normal.x;
    r.normal.y.x[lane] = one.normal.y;
    r.normal.z.x[lane] = one.normal.z;
  }
  return r;
}
#endif

/// φ and n of any shape at p, in the geometry's frame.
template <class T>
SIM_HD SignedDistance<T> signedDistance(const GeometryShape<LaneScalar<T>>& shape, const lanes::V3<T>& p) {
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

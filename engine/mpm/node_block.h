// The 3×3 blocks that contacts give to their nodes, in the order xx yy zz xy xz yz. Generic over the lane type T.
#pragma once

#include "engine/contact/potential.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// A contact's curvature: G, or the majorant Ĝ with Ĝ_t = μn₀/s, Ĝ_n = boost · the largest normal curvature ahead.
template <class T>
SIM_HD void contactBlock(const contact::LaggedPotential<T>& p, const lanes::V3<T>& n, bool majorant, T boost,
                         T (&block)[6]) {
  const lanes::V3<T>& t = p.slip;
  const T slipping = majorant ? T(0) : p.tangential;
  const T along = (majorant ? boost * p.normalBound : p.normal) - p.tangential;
  block[0] = p.tangential + along * n.x * n.x - slipping * t.x * t.x;
  block[1] = p.tangential + along * n.y * n.y - slipping * t.y * t.y;
  block[2] = p.tangential + along * n.z * n.z - slipping * t.z * t.z;
  block[3] = along * n.x * n.y - slipping * t.x * t.y;
  block[4] = along * n.x * n.z - slipping * t.x * t.z;
  block[5] = along * n.y * n.z - slipping * t.y * t.z;
}

/// B x
template <class T>
SIM_HD lanes::V3<T> symmetricTimes(const T (&b)[6], const lanes::V3<T>& x) {
  return {b[0] * x.x + b[3] * x.y + b[4] * x.z, b[3] * x.x + b[1] * x.y + b[5] * x.z,
          b[4] * x.x + b[5] * x.y + b[2] * x.z};
}

/// x with (m I + B) x = b, B symmetric positive semidefinite in the order xx yy zz xy xz yz, by Cholesky. No
/// pivot of such a matrix is below m; where rounding says otherwise (a light node under a stiff contact, in
/// float), m it is.
template <class T>
SIM_HD lanes::V3<T> solveBlock(const T& m, const T (&block)[6], const lanes::V3<T>& b) {
  const T i00 = T(1) / lanes::sqrt(m + block[0]);
  const T l10 = block[3] * i00, l20 = block[4] * i00;
  const T i11 = T(1) / lanes::sqrt(lanes::max(m + block[1] - l10 * l10, m));
  const T l21 = (block[5] - l20 * l10) * i11;
  const T i22 = T(1) / lanes::sqrt(lanes::max(m + block[2] - l20 * l20 - l21 * l21, m));
  const T y0 = b.x * i00, y1 = (b.y - l10 * y0) * i11, y2 = (b.z - l20 * y0 - l21 * y1) * i22;
  const T z = y2 * i22, y = (y1 - l21 * z) * i11, x = (y0 - l10 * y - l20 * z) * i00;
  return {x, y, z};
}

}  // namespace SIM_ISA
}  // namespace slipstick::mpm

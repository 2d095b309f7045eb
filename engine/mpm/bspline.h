// Quadratic B-spline weights of a particle on the grid (Jiang et al. 2016, Eq. 123).
#pragma once

#include "engine/mpm/lanes.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {

/// Weights of the 3×3×3 nodes around a particle: w_ijk = w[0][i] w[1][j] w[2][k]. Node n stands at n h.
template <class T>
struct Bspline {
  V3<T> base;  ///< index of the first node per axis, an integer in T: floor(x/h − ½)
  V3<T> f;     ///< x/h − base, in [½, 3/2)
  T w[3][3];   ///< [axis][node]; each axis sums to 1
};

/// @param high  particle position [m] …
/// @param low   … and a correction, far smaller than h, that `high` cannot hold [m]
/// @param invH  1/h [1/m]
template <class T>
SIM_HD Bspline<T> bspline(const V3<T>& high, const V3<T>& low, const T& invH) {
  Bspline<T> b;
  for (int a = 0; a < 3; ++a) {
    const T cells = high[a] * invH;
    b.base[a] = floor(cells - T(0.5f));
    const T f = (cells - b.base[a]) + low[a] * invH;
    const T left = T(1.5f) - f, middle = f - T(1), right = f - T(0.5f);
    b.f[a] = f;
    b.w[a][0] = T(0.5f) * left * left;
    b.w[a][1] = T(0.75f) - middle * middle;
    b.w[a][2] = T(0.5f) * right * right;
  }
  return b;
}

/// @param x  particle position [m]
template <class T>
SIM_HD Bspline<T> bspline(const V3<T>& x, const T& invH) {
  return bspline(x, V3<T>{T(0.0f), T(0.0f), T(0.0f)}, invH);
}

}  // namespace SIM_ISA
}  // namespace slipstick::mpm

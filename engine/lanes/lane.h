// The scalar types that element math is written for, once: double (the oracle), float (a CUDA thread, tests)
// and Pack (16 particles side by side on the CPU). Code that is generic over the lane type T is branch-free:
// choices are select(mask, a, b), loops have fixed trip counts, lanes that are done stop changing.
#pragma once

#include "engine/lanes/target.h"
#ifndef __CUDACC__
#include "engine/lanes/double_pack.h"
#include "engine/lanes/pack.h"
#endif

namespace slipstick::lanes {
inline namespace SIM_ISA {

/// What a comparison of two lane types gives: bool for plain scalars.
template <class T>
using Mask = decltype(T() < T());

// Plain scalars: builtins, not std:: functions, because an inline function of the standard library would be a
// symbol that variants share. A device has its own.
#ifdef __CUDA_ARCH__
#define SIM_SCALAR(function) ::function
#else
#define SIM_SCALAR(function) __builtin_##function
#endif
SIM_HD float select(bool m, float a, float b) {
  return m ? a : b;
}
SIM_HD double select(bool m, double a, double b) {
  return m ? a : b;
}
SIM_HD bool any(bool m) {
  return m;
}
SIM_HD float sqrt(float a) {
  return SIM_SCALAR(sqrtf)(a);
}
SIM_HD double sqrt(double a) {
  return SIM_SCALAR(sqrt)(a);
}
SIM_HD float abs(float a) {
  return SIM_SCALAR(fabsf)(a);
}
SIM_HD double abs(double a) {
  return SIM_SCALAR(fabs)(a);
}
SIM_HD float floor(float a) {
  return SIM_SCALAR(floorf)(a);
}
SIM_HD double floor(double a) {
  return SIM_SCALAR(floor)(a);
}
SIM_HD float exp(float a) {
  return SIM_SCALAR(expf)(a);
}
SIM_HD double exp(double a) {
  return SIM_SCALAR(exp)(a);
}
SIM_HD float log(float a) {
  return SIM_SCALAR(logf)(a);
}
SIM_HD double log(double a) {
  return SIM_SCALAR(log)(a);
}
SIM_HD float sin(float a) {
#ifdef __CUDA_ARCH__
  return ::sinpif(a * 0.318309886183791f);  // sinf keeps a table in local memory for angles beyond 10⁵
#else
  return __builtin_sinf(a);
#endif
}
SIM_HD double sin(double a) {
  return SIM_SCALAR(sin)(a);
}
SIM_HD float atan2(float y, float x) {
  return SIM_SCALAR(atan2f)(y, x);
}
SIM_HD double atan2(double y, double x) {
  return SIM_SCALAR(atan2)(y, x);
}
#undef SIM_SCALAR

// Any lane type.
template <class T>
SIM_HD T min(T a, T b) {
  return select(a < b, a, b);
}
template <class T>
SIM_HD T max(T a, T b) {
  return select(a > b, a, b);
}

/// Three lanes-of-something: a vector per particle.
template <class T>
struct V3 {
  T x, y, z;
  SIM_HD T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  SIM_HD const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
  friend SIM_HD V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend SIM_HD V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend SIM_HD V3 operator-(const V3& a) { return {-a.x, -a.y, -a.z}; }
  friend SIM_HD V3 operator*(const T& s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend SIM_HD V3 operator*(const V3& a, const T& s) { return s * a; }
  SIM_HD V3& operator+=(const V3& o) { return x += o.x, y += o.y, z += o.z, *this; }
  SIM_HD V3& operator-=(const V3& o) { return x -= o.x, y -= o.y, z -= o.z, *this; }
};
template <class T>
SIM_HD T dot(const V3<T>& a, const V3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
SIM_HD V3<T> cross(const V3<T>& a, const V3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
SIM_HD V3<T> select(Mask<T> m, const V3<T>& a, const V3<T>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

/// 3×3 matrix, row-major: element (i, j) is a[3 i + j].
template <class T>
struct M3 {
  T a[9];
  SIM_HD T& operator()(int i, int j) { return a[3 * i + j]; }
  SIM_HD const T& operator()(int i, int j) const { return a[3 * i + j]; }
  SIM_HD static M3 identity() { return {T(1), T(0), T(0), T(0), T(1), T(0), T(0), T(0), T(1)}; }
  SIM_HD static M3 zero() { return {T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0), T(0)}; }
  SIM_HD V3<T> row(int i) const { return {a[3 * i], a[3 * i + 1], a[3 * i + 2]}; }
  SIM_HD V3<T> col(int j) const { return {a[j], a[3 + j], a[6 + j]}; }
  friend SIM_HD M3 operator+(const M3& l, const M3& r) {
    M3 o;
    for (int i = 0; i < 9; ++i) o.a[i] = l.a[i] + r.a[i];
    return o;
  }
  friend SIM_HD M3 operator-(const M3& l, const M3& r) {
    M3 o;
    for (int i = 0; i < 9; ++i) o.a[i] = l.a[i] - r.a[i];
    return o;
  }
  friend SIM_HD M3 operator*(const T& s, const M3& m) {
    M3 o;
    for (int i = 0; i < 9; ++i) o.a[i] = s * m.a[i];
    return o;
  }
  friend SIM_HD V3<T> operator*(const M3& m, const V3<T>& v) {
    return {m.a[0] * v.x + m.a[1] * v.y + m.a[2] * v.z, m.a[3] * v.x + m.a[4] * v.y + m.a[5] * v.z,
            m.a[6] * v.x + m.a[7] * v.y + m.a[8] * v.z};
  }
  friend SIM_HD M3 operator*(const M3& l, const M3& r) {
    M3 o;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        o.a[3 * i + j] = l.a[3 * i] * r.a[j] + l.a[3 * i + 1] * r.a[3 + j] + l.a[3 * i + 2] * r.a[6 + j];
    return o;
  }
};
template <class T>
SIM_HD M3<T> transpose(const M3<T>& m) {
  return {m.a[0], m.a[3], m.a[6], m.a[1], m.a[4], m.a[7], m.a[2], m.a[5], m.a[8]};
}
template <class T>
SIM_HD T trace(const M3<T>& m) {
  return m.a[0] + m.a[4] + m.a[8];
}
template <class T>
SIM_HD T determinant(const M3<T>& m) {
  return m.a[0] * (m.a[4] * m.a[8] - m.a[5] * m.a[7]) - m.a[1] * (m.a[3] * m.a[8] - m.a[5] * m.a[6]) +
         m.a[2] * (m.a[3] * m.a[7] - m.a[4] * m.a[6]);
}
/// Squared Frobenius norm.
template <class T>
SIM_HD T squaredNorm(const M3<T>& m) {
  T sum = m.a[0] * m.a[0];
  for (int i = 1; i < 9; ++i) sum += m.a[i] * m.a[i];
  return sum;
}
template <class T>
SIM_HD M3<T> selectMatrix(Mask<T> m, const M3<T>& a, const M3<T>& b) {
  M3<T> o;
  for (int i = 0; i < 9; ++i) o.a[i] = select(m, a.a[i], b.a[i]);
  return o;
}
/// The matrix with these columns.
template <class T>
SIM_HD M3<T> fromColumns(const V3<T>& a, const V3<T>& b, const V3<T>& c) {
  return {a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z};
}
/// ½ (m + mᵀ)
template <class T>
SIM_HD M3<T> symmetricPart(const M3<T>& m) {
  return T(0.5f) * (m + transpose(m));
}
/// m + s I
template <class T>
SIM_HD M3<T> addToDiagonal(M3<T> m, const T& s) {
  m.a[0] += s;
  m.a[4] += s;
  m.a[8] += s;
  return m;
}
/// m − ⅓ tr(m) I
template <class T>
SIM_HD M3<T> deviator(const M3<T>& m) {
  return addToDiagonal(m, trace(m) * T(-1.0 / 3));
}
/// a bᵀ
template <class T>
SIM_HD M3<T> outer(const V3<T>& a, const V3<T>& b) {
  return {a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z};
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes

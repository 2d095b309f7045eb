// The scalar types that element math is written for, once: double (the oracle), float (a CUDA thread, tests)
// and Pack (16 particles side by side on the CPU). Code that is generic over the lane type T is branch-free:
// choices are select(mask, a, b), loops have fixed trip counts, lanes that are done stop changing.
//
// Everything here lives in an inline namespace named after the instruction set that the including file is
// compiled for (SIM_ISA), so that the linker can never keep an AVX-512 copy of a function for a program that
// runs on an older CPU.
#pragma once

#include <cstdint>

#ifndef SIM_ISA
#define SIM_ISA base
#endif

#ifdef __CUDACC__
#define SIM_HD __host__ __device__ inline
#define SIM_HD_CALL __host__ __device__ __noinline__
#else
#define SIM_HD inline __attribute__((always_inline))
// For the few large functions, so that a program has one copy per lane type.
#define SIM_HD_CALL __attribute__((noinline))
#endif

namespace slipstick::lanes {
inline namespace SIM_ISA {

// Sixteen float lanes as one, two or four native vector registers (GCC/Clang vector extensions). Wider
// vectors than the target has would compile too, but their choices would be made one lane at a time.
#if defined(__AVX512F__)
#define SIM_REGISTER_BYTES 64
#elif defined(__AVX__)
#define SIM_REGISTER_BYTES 32
#else
#define SIM_REGISTER_BYTES 16
#endif
#define SIM_EACH_REGISTER _Pragma("GCC unroll 4") for (int i = 0; i < Pack::kRegisters; ++i)

/// Sixteen particles side by side.
struct Pack {
  static constexpr int kLanes = 16;
  static constexpr int kRegisters = kLanes * 4 / SIM_REGISTER_BYTES;
  typedef float Register __attribute__((vector_size(SIM_REGISTER_BYTES)));
  typedef std::int32_t IntRegister __attribute__((vector_size(SIM_REGISTER_BYTES)));
  typedef float Lane __attribute__((may_alias));
  typedef std::int32_t IntLane __attribute__((may_alias));

  /// [] is one lane.
  struct Values {
    Register r[kRegisters];
    SIM_HD Lane& operator[](int lane) { return reinterpret_cast<Lane*>(r)[lane]; }
    SIM_HD float operator[](int lane) const { return reinterpret_cast<const Lane*>(r)[lane]; }
  };
  struct Bits {
    IntRegister r[kRegisters];
    SIM_HD std::int32_t operator[](int lane) const { return reinterpret_cast<const IntLane*>(r)[lane]; }
  };

  /// All bits of a lane set (−1) or clear (0).
  struct Mask {
    Bits m;
    friend SIM_HD Mask operator&(Mask a, Mask b) {
      SIM_EACH_REGISTER a.m.r[i] &= b.m.r[i];
      return a;
    }
    friend SIM_HD Mask operator|(Mask a, Mask b) {
      SIM_EACH_REGISTER a.m.r[i] |= b.m.r[i];
      return a;
    }
    friend SIM_HD Mask operator!(Mask a) {
      SIM_EACH_REGISTER a.m.r[i] = ~a.m.r[i];
      return a;
    }
  };

  Values x;

  Pack() = default;
  SIM_HD Pack(float s) {  // NOLINT(google-explicit-constructor): literals in generic code
    SIM_EACH_REGISTER x.r[i] = s - Register{};
  }

  SIM_HD static Pack load(const float* p) {
    Pack a;
    __builtin_memcpy(&a.x, p, sizeof a.x);
    return a;
  }
  SIM_HD void store(float* p) const { __builtin_memcpy(p, &x, sizeof x); }
  SIM_HD float operator[](int lane) const { return x[lane]; }

  SIM_HD Pack& operator+=(Pack o) {
    SIM_EACH_REGISTER x.r[i] += o.x.r[i];
    return *this;
  }
  SIM_HD Pack& operator-=(Pack o) {
    SIM_EACH_REGISTER x.r[i] -= o.x.r[i];
    return *this;
  }
  SIM_HD Pack& operator*=(Pack o) {
    SIM_EACH_REGISTER x.r[i] *= o.x.r[i];
    return *this;
  }
  SIM_HD Pack& operator/=(Pack o) {
    SIM_EACH_REGISTER x.r[i] /= o.x.r[i];
    return *this;
  }
  friend SIM_HD Pack operator+(Pack a, Pack b) { return a += b; }
  friend SIM_HD Pack operator-(Pack a, Pack b) { return a -= b; }
  friend SIM_HD Pack operator*(Pack a, Pack b) { return a *= b; }
  friend SIM_HD Pack operator/(Pack a, Pack b) { return a /= b; }
  friend SIM_HD Pack operator-(Pack a) {
    SIM_EACH_REGISTER a.x.r[i] = -a.x.r[i];
    return a;
  }
  friend SIM_HD Mask operator<(Pack a, Pack b) {
    Mask m;
    SIM_EACH_REGISTER m.m.r[i] = a.x.r[i] < b.x.r[i];
    return m;
  }
  friend SIM_HD Mask operator<=(Pack a, Pack b) {
    Mask m;
    SIM_EACH_REGISTER m.m.r[i] = a.x.r[i] <= b.x.r[i];
    return m;
  }
  friend SIM_HD Mask operator>(Pack a, Pack b) { return b < a; }
  friend SIM_HD Mask operator>=(Pack a, Pack b) { return b <= a; }
};

/// Mask type of a lane type: bool for plain scalars.
template <class T>
struct MaskOf {
  using type = bool;
};
template <>
struct MaskOf<Pack> {
  using type = Pack::Mask;
};
template <class T>
using Mask = typename MaskOf<T>::type;

// Plain scalars: builtins, not std:: functions, because an inline function of the standard library would be a
// symbol that variants share.
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
  return __builtin_sqrtf(a);
}
SIM_HD double sqrt(double a) {
  return __builtin_sqrt(a);
}
SIM_HD float abs(float a) {
  return __builtin_fabsf(a);
}
SIM_HD double abs(double a) {
  return __builtin_fabs(a);
}
SIM_HD float floor(float a) {
  return __builtin_floorf(a);
}
SIM_HD double floor(double a) {
  return __builtin_floor(a);
}
SIM_HD float exp(float a) {
  return __builtin_expf(a);
}
SIM_HD double exp(double a) {
  return __builtin_exp(a);
}
SIM_HD float log(float a) {
  return __builtin_logf(a);
}
SIM_HD double log(double a) {
  return __builtin_log(a);
}
SIM_HD float sin(float a) {
  return __builtin_sinf(a);
}
SIM_HD double sin(double a) {
  return __builtin_sin(a);
}
SIM_HD float atan2(float y, float x) {
  return __builtin_atan2f(y, x);
}
SIM_HD double atan2(double y, double x) {
  return __builtin_atan2(y, x);
}

// Packs.
SIM_HD Pack::Bits bitsOf(Pack a) {
  Pack::Bits bits;
  __builtin_memcpy(&bits, &a.x, sizeof bits);
  return bits;
}
SIM_HD Pack fromBits(Pack::Bits bits) {
  Pack a;
  __builtin_memcpy(&a.x, &bits, sizeof bits);
  return a;
}
/// Integers, rounded towards zero; |a| < 2³¹.
SIM_HD Pack::Bits toIntegers(Pack a) {
  Pack::Bits bits;
  SIM_EACH_REGISTER bits.r[i] = __builtin_convertvector(a.x.r[i], Pack::IntRegister);
  return bits;
}
SIM_HD Pack fromIntegers(Pack::Bits bits) {
  Pack a;
  SIM_EACH_REGISTER a.x.r[i] = __builtin_convertvector(bits.r[i], Pack::Register);
  return a;
}
SIM_HD Pack select(Pack::Mask m, Pack a, Pack b) {
  SIM_EACH_REGISTER a.x.r[i] = m.m.r[i] ? a.x.r[i] : b.x.r[i];
  return a;
}
SIM_HD Pack sqrt(Pack a) {
  for (int lane = 0; lane < Pack::kLanes; ++lane) a.x[lane] = __builtin_sqrtf(a.x[lane]);
  return a;
}
SIM_HD Pack abs(Pack a) {
  Pack::Bits bits = bitsOf(a);
  SIM_EACH_REGISTER bits.r[i] &= 0x7fffffff;
  return fromBits(bits);
}
SIM_HD bool any(Pack::Mask a) {
  std::int32_t bits = 0;
  for (int lane = 0; lane < Pack::kLanes; ++lane) bits |= a.m[lane];
  return bits != 0;
}
/// Rounds down; |a| < 2³¹.
SIM_HD Pack floor(Pack a) {
  const Pack truncated = fromIntegers(toIntegers(a));
  return select(truncated > a, truncated - Pack(1.0f), truncated);
}
/// Natural logarithm of normal numbers > 0, to about one unit in the last place: a = 2ᵉ m with m in [√½, √2),
/// and ln m = 2 artanh((m − 1)/(m + 1)) as an odd series.
SIM_HD Pack log(Pack a) {
  constexpr std::int32_t kRootHalf =
      0x3f3504f3;  // bits of √½: taking them off rounds so that m lies around one
  Pack::Bits exponent = bitsOf(a), mantissa = exponent;
  SIM_EACH_REGISTER {
    mantissa.r[i] = ((mantissa.r[i] - kRootHalf) & 0x007fffff) + kRootHalf;
    exponent.r[i] = (exponent.r[i] - kRootHalf) >> 23;
  }
  const Pack m = fromBits(mantissa);
  const Pack s = (m - Pack(1.0f)) / (m + Pack(1.0f));
  const Pack s2 = s * s;
  const Pack tail =
      s2 * (Pack(1.0f / 3) + s2 * (Pack(1.0f / 5) + s2 * (Pack(1.0f / 7) + s2 * Pack(1.0f / 9))));
  return fromIntegers(exponent) * Pack(0.693147180559945f) + Pack(2.0f) * (s + s * tail);
}
/// Exponential, clamped to the range of normal numbers: a = k ln 2 + r, |r| ≤ ½ ln 2, Taylor series for r.
SIM_HD Pack exp(Pack a) {
  a = select(a < Pack(-87.0f), Pack(-87.0f), select(a > Pack(88.0f), Pack(88.0f), a));
  const Pack k = floor(a * Pack(1.44269504088896f) + Pack(0.5f));
  const Pack r = (a - k * Pack(0.693145751953125f)) - k * Pack(1.42860677e-6f);  // ln 2 in two parts
  constexpr float kCoefficients[] = {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f};
  Pack series(1.0f / 5040);
  for (const float coefficient : kCoefficients) series = Pack(coefficient) + r * series;
  Pack::Bits power = toIntegers(k);
  SIM_EACH_REGISTER power.r[i] = (power.r[i] + 127) << 23;
  return series * fromBits(power);
}
/// Sine of angles within ±π/2 by its series.
SIM_HD Pack sin(Pack a) {
  const Pack a2 = a * a;
  constexpr float kCoefficients[] = {1.0f / 362880, -1.0f / 5040, 1.0f / 120, -1.0f / 6, 1.0f};
  Pack series(-1.0f / 39916800);
  for (const float coefficient : kCoefficients) series = Pack(coefficient) + a2 * series;
  return a * series;
}

/// Angle of the point (x, y) in (−π, π], 0 at the origin. The angle to the nearer axis is halved once,
/// atan t = 2 atan(t/(1 + √(1 + t²))), and then given by its series for |t| ≤ √2 − 1.
SIM_HD Pack atan2(Pack y, Pack x) {
  const Pack ax = abs(x), ay = abs(y), zero(0.0f);
  const Pack::Mask steep = ay > ax;
  const Pack large = select(steep, ay, ax), small = select(steep, ax, ay);
  const Pack t = small / select(large > zero, large, Pack(1.0f));
  const Pack half = t / (Pack(1.0f) + sqrt(Pack(1.0f) + t * t));
  const Pack square = half * half;
  constexpr float kCoefficients[] = {-1.0f / 15, 1.0f / 13, -1.0f / 11, 1.0f / 9,
                                     -1.0f / 7,  1.0f / 5,  -1.0f / 3};
  Pack series(1.0f / 17);
  for (const float coefficient : kCoefficients) series = Pack(coefficient) + square * series;
  Pack angle = Pack(2.0f) * (half + half * square * series);
  angle = select(steep, Pack(1.57079632679490f) - angle, angle);
  angle = select(x < zero, Pack(3.14159265358979f) - angle, angle);
  return select(y < zero, -angle, angle);
}

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

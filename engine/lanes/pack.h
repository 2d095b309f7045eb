// Sixteen particles side by side on the CPU, over GCC/Clang vector extensions. Not for nvcc, whose threads
// take a float each.
#pragma once

#include <cstdint>

#include "engine/lanes/target.h"

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
  // The bits of √½: taking them off rounds so that m lies around one.
  constexpr std::int32_t kRootHalf = 0x3f3504f3;
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

}  // namespace SIM_ISA
}  // namespace slipstick::lanes

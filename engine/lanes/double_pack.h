// Four doubles side by side on the CPU, over GCC/Clang vector extensions: the rigid solver's lanes. Compiled
// without contraction (a*b+c is rounded twice), every instruction set gives the same bits.
#pragma once

#include "engine/lanes/target.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

#if defined(__AVX__)
#define SIM_DOUBLE_REGISTERS 1
#else
#define SIM_DOUBLE_REGISTERS 2
#endif
#define SIM_EACH_DOUBLE_REGISTER _Pragma("GCC unroll 2") for (int i = 0; i < SIM_DOUBLE_REGISTERS; ++i)

struct DoublePack {
  static constexpr int kLanes = 4;
  static constexpr int kRegisters = SIM_DOUBLE_REGISTERS;
  typedef double Register __attribute__((vector_size(32 / SIM_DOUBLE_REGISTERS)));
  typedef long long IntRegister __attribute__((vector_size(32 / SIM_DOUBLE_REGISTERS)));

  /// All bits of a lane set (−1) or clear (0).
  struct Mask {
    IntRegister r[kRegisters];

    friend SIM_HD Mask operator&(Mask a, Mask b) {
      SIM_EACH_DOUBLE_REGISTER a.r[i] &= b.r[i];
      return a;
    }
    friend SIM_HD Mask operator!(Mask a) {
      SIM_EACH_DOUBLE_REGISTER a.r[i] = ~a.r[i];
      return a;
    }
  };

  Register r[kRegisters];

  DoublePack() = default;
  SIM_HD DoublePack(double s) {  // NOLINT(google-explicit-constructor): literals in generic code
    SIM_EACH_DOUBLE_REGISTER r[i] = s - Register{};
  }
  SIM_HD static DoublePack load(const double* p) {
    DoublePack a;
    __builtin_memcpy(&a, p, sizeof a);
    return a;
  }
  SIM_HD void store(double* p) const { __builtin_memcpy(p, this, sizeof *this); }
  /// Lane 0 + 1, then 2 + 3, then both.
  SIM_HD double sum() const {
    double x[kLanes];
    store(x);
    return (x[0] + x[1]) + (x[2] + x[3]);
  }

  SIM_HD DoublePack& operator+=(DoublePack o) {
    SIM_EACH_DOUBLE_REGISTER r[i] += o.r[i];
    return *this;
  }
  SIM_HD DoublePack& operator-=(DoublePack o) {
    SIM_EACH_DOUBLE_REGISTER r[i] -= o.r[i];
    return *this;
  }
  SIM_HD DoublePack& operator*=(DoublePack o) {
    SIM_EACH_DOUBLE_REGISTER r[i] *= o.r[i];
    return *this;
  }
  SIM_HD DoublePack& operator/=(DoublePack o) {
    SIM_EACH_DOUBLE_REGISTER r[i] /= o.r[i];
    return *this;
  }
  friend SIM_HD DoublePack operator+(DoublePack a, DoublePack b) { return a += b; }
  friend SIM_HD DoublePack operator-(DoublePack a, DoublePack b) { return a -= b; }
  friend SIM_HD DoublePack operator*(DoublePack a, DoublePack b) { return a *= b; }
  friend SIM_HD DoublePack operator/(DoublePack a, DoublePack b) { return a /= b; }
  friend SIM_HD DoublePack operator-(DoublePack a) {
    SIM_EACH_DOUBLE_REGISTER a.r[i] = -a.r[i];
    return a;
  }
  friend SIM_HD Mask operator<(DoublePack a, DoublePack b) {
    Mask m;
    SIM_EACH_DOUBLE_REGISTER m.r[i] = a.r[i] < b.r[i];
    return m;
  }
  friend SIM_HD Mask operator<=(DoublePack a, DoublePack b) {
    Mask m;
    SIM_EACH_DOUBLE_REGISTER m.r[i] = a.r[i] <= b.r[i];
    return m;
  }
  friend SIM_HD Mask operator>(DoublePack a, DoublePack b) { return b < a; }
};

SIM_HD DoublePack select(DoublePack::Mask m, DoublePack a, DoublePack b) {
  SIM_EACH_DOUBLE_REGISTER a.r[i] = m.r[i] ? a.r[i] : b.r[i];
  return a;
}
SIM_HD DoublePack abs(DoublePack a) {
  return select(a < DoublePack(0.0), -a, a);
}
SIM_HD bool any(DoublePack::Mask m) {
  long long lanes[DoublePack::kLanes];
  __builtin_memcpy(lanes, &m, sizeof lanes);
  return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0;
}
SIM_HD DoublePack sqrt(DoublePack a) {
  SIM_EACH_DOUBLE_REGISTER for (int k = 0; k < DoublePack::kLanes / DoublePack::kRegisters; ++k) a.r[i][k] =
      __builtin_sqrt(a.r[i][k]);
  return a;
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes

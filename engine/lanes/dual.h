// A number that carries its derivatives along: code that is generic over the lane type, called with it, gives the exact
// derivatives of what it computes (forward mode). For tangents in double, outside of kernels.
#pragma once

#include "engine/foundation/math.h"
#include "engine/lanes/lane.h"

namespace slipstick::lanes {
inline namespace SIM_ISA {

/// With derivatives by N variables.
template <int N>
struct Dual {
  using Slopes = Eigen::Matrix<double, N, 1>;

  double value = 0;
  Slopes slopes = Slopes::Zero();

  Dual() = default;
  explicit Dual(double constant) : value(constant) {}
  Dual(double v, Slopes s) : value(v), slopes(std::move(s)) {}
  /// The variable of this index.
  static Dual variable(double value, int index) { return {value, Slopes::Unit(index)}; }

  friend Dual operator+(const Dual& a, const Dual& b) { return {a.value + b.value, a.slopes + b.slopes}; }
  friend Dual operator-(const Dual& a, const Dual& b) { return {a.value - b.value, a.slopes - b.slopes}; }
  friend Dual operator-(const Dual& a) { return {-a.value, -a.slopes}; }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.value * b.slopes + b.value * a.slopes};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double ratio = a.value / b.value;
    return {ratio, (a.slopes - ratio * b.slopes) / b.value};
  }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
};

template <int N>
Dual<N> select(bool m, const Dual<N>& a, const Dual<N>& b) {
  return m ? a : b;
}
/// At zero without slope, where the root has none.
template <int N>
Dual<N> sqrt(const Dual<N>& a) {
  const double root = sqrt(a.value);
  if (root == 0) return Dual<N>(0.0);
  return {root, a.slopes / (2 * root)};
}

}  // namespace SIM_ISA
}  // namespace slipstick::lanes

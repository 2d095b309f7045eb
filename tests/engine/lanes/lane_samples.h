// Matrices that decompositions find hard, and lanes to and from plain numbers.
#pragma once

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "engine/lanes/eigen_lanes.h"

namespace slipstick::testing {

/// The value of one lane.
template <class T>
double laneOf(const T& value, int) {
  return static_cast<double>(value);
}
inline double laneOf(const lanes::Pack& value, int lane) {
  return static_cast<double>(value[lane]);
}
inline double laneOf(const lanes::DoublePack& value, int lane) {
  double lanes[lanes::DoublePack::kLanes];
  value.store(lanes);
  return lanes[lane];
}

template <class T>
Mat3 laneOf(const lanes::M3<T>& m, int lane) {
  Mat3 r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) = laneOf(m(i, j), lane);
  return r;
}

/// Matrices side by side, from the first on.
template <class T = lanes::Pack>
lanes::M3<T> packOf(const std::vector<Mat3>& matrices, std::size_t first) {
  using Real = std::conditional_t<std::is_same_v<T, lanes::DoublePack>, double, float>;
  lanes::M3<T> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      Real lanes[T::kLanes];
      for (std::size_t lane = 0; lane < T::kLanes; ++lane)
        lanes[lane] = static_cast<Real>(matrices[(first + lane) % matrices.size()](i, j));
      r(i, j) = T::load(lanes);
    }
  return r;
}

inline Mat3 randomRotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Quat(normal(random), normal(random), normal(random), normal(random)).normalized().toRotationMatrix();
}

/// U diag(sigma) Vᵀ with random rotations.
inline Mat3 withSingularValues(std::mt19937& random, const Vec3& sigma) {
  return randomRotation(random) * sigma.asDiagonal() * randomRotation(random).transpose();
}

/// Random, equal, nearly equal and tiny singular values; inverted ones when asked for.
inline std::vector<Mat3> hardMatrices(bool inverted) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<Mat3> list = {Mat3::Identity(), 2 * Mat3::Identity(), Vec3(1, 2, 3).asDiagonal()};
  const std::vector<Vec3> stretches = {{1, 1, 1},        {1.3, 1.3, 0.7},    {1.3, 0.7, 0.7},
                                       {1, 1, 1 - 1e-7}, {1, 1 - 1e-9, 0.5}, {1 + 1e-12, 1, 1},
                                       {1.5, 0.8, 1e-2}, {1.2, 0.05, 0.04},  {3, 2, 0.1},
                                       {0.2, 0.2, 0.2},  {1.1, 1.0, 0.9},    {10, 1, 0.1}};
  for (const Vec3& s : stretches) {
    list.push_back(withSingularValues(random, s));
    if (inverted) list.push_back(withSingularValues(random, {s.x(), s.y(), -s.z()}));
  }
  for (int i = 0; i < 20; ++i)
    list.push_back(Mat3::Identity() + 0.2 * Mat3::NullaryExpr([&](int, int) { return normal(random); }));
  for (int i = 0; i < 5; ++i) list.push_back(randomRotation(random));
  return list;
}

}  // namespace slipstick::testing

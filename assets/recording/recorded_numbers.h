// How a recording shortens numbers: as far as nobody sees it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "engine/model/model.h"

namespace slipstick::assets::recording {

/// To 28 bits of mantissa, about nine digits: what a recording keeps of observables. The zeros behind them compress well.
double rounded(double value);
/// To some bits of mantissa.
float rounded(float value, int bits);

/// Places of particles, as whole multiples of the lattice of a file.
class Lattice {
 public:
  using Place = std::array<std::int32_t, 3>;
  explicit Lattice(double spacing) : spacing_(static_cast<float>(spacing)) {}
  /// A five-hundredth of what the method resolves: no picture shows less, and no force depends on it.
  static Lattice of(const Model& model);

  float spacing() const { return spacing_; }  ///< [m]
  std::vector<Place> encode(const std::vector<Eigen::Vector3f>& positions) const;
  std::vector<Eigen::Vector3f> decode(const std::vector<Place>& places) const;

 private:
  float spacing_;
};

/// Numbers near 0 of either sign as small numbers without one: 0, −1, 1, −2, … become 0, 1, 2, 3, …
inline std::uint32_t zigzag(std::int32_t number) {
  return (static_cast<std::uint32_t>(number) << 1) ^ static_cast<std::uint32_t>(number >> 31);
}
inline std::int32_t unzigzag(std::uint32_t code) {
  return static_cast<std::int32_t>(code >> 1) ^ -static_cast<std::int32_t>(code & 1);
}

}  // namespace slipstick::assets::recording

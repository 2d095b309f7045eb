#include "assets/recording/recorded_numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace slipstick::assets::recording {

double rounded(double value) {
  constexpr int kDropped = 52 - 28;
  if (!std::isfinite(value)) return value;
  const auto bits = std::bit_cast<std::uint64_t>(value) + (std::uint64_t{1} << (kDropped - 1));
  return std::bit_cast<double>(bits >> kDropped << kDropped);
}

float rounded(float value, int bits) {
  const int dropped = 23 - bits;
  if (!std::isfinite(value) || dropped <= 0) return value;
  const auto all = std::bit_cast<std::uint32_t>(value) + (std::uint32_t{1} << (dropped - 1));
  return std::bit_cast<float>(all >> dropped << dropped);
}

Lattice Lattice::of(const Model& model) {
  double finest = model.deformables.empty() ? model.gridSpacing : model.resolutionOf(0);
  for (std::size_t d = 1; d < model.deformables.size(); ++d) finest = std::min(finest, model.resolutionOf(d));
  return Lattice(finest / 512);
}

std::vector<Lattice::Place> Lattice::encode(const std::vector<Eigen::Vector3f>& positions) const {
  constexpr float kMax = 1 << 29;  // differences of two fit, too
  std::vector<Place> places(positions.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float x = positions[i][static_cast<Eigen::Index>(axis)] / spacing_;
      places[i][axis] =
          std::isfinite(x) ? static_cast<std::int32_t>(std::lround(std::clamp(x, -kMax, kMax))) : 0;
    }
  return places;
}

std::vector<Eigen::Vector3f> Lattice::decode(const std::vector<Place>& places) const {
  std::vector<Eigen::Vector3f> positions(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      positions[i][static_cast<Eigen::Index>(axis)] = spacing_ * static_cast<float>(places[i][axis]);
  return positions;
}

}  // namespace slipstick::assets::recording

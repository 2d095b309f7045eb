// How the packs keep positions: relative to their block's corner and in fixed point, so that a particle 10 m
// from the origin still moves by 1e-10 m, and so that leaving a block and coming back, or being saved and
// restored, changes nothing.
#pragma once

#include <cmath>

#include "engine/foundation/math.h"
#include "engine/mpm/grid.h"

namespace slipstick::mpm {

/// A coordinate is x = corner + high + low. `high` is a multiple of coarse() and fits a float as far as 8
/// cells from the corner, `low` a multiple of fine() from −½ to below ½ of coarse(). Everything is a multiple of
/// fine(), of which kDomainCells cells have fewer than 2⁵¹: x in double precision, its parts in float and
/// every way from one to the other are exact. For h = 2 cm: coarse() = 3e-8 m, fine() = 1.1e-13 m.
class PositionFormat {
 public:
  explicit PositionFormat(double gridSpacing)
      : blockEdge_(kBlockEdge * gridSpacing),
        coarse_(std::exp2(std::ceil(std::log2(8 * gridSpacing)) - 23)),
        fine_(std::exp2(std::ceil(std::log2(1.1 * kDomainCells * gridSpacing)) - 51)),
        roundCoarse_(kRound * coarse_),
        roundFine_(kRound * fine_) {}

  double coarse() const { return coarse_; }  ///< [m]
  double fine() const { return fine_; }      ///< [m]
  // A number to which these are added, and from which they are then taken away, is rounded to whole steps.
  double roundCoarse() const { return roundCoarse_; }
  double roundFine() const { return roundFine_; }

  double rounded(double x) const { return (x + roundFine_) - roundFine_; }
  Vec3 rounded(const Vec3& x) const { return {rounded(x.x()), rounded(x.y()), rounded(x.z())}; }

  /// Corner of a block: its lowest node, to fine(). @param block  in blocks [m]
  Vec3 corner(const BlockCoordinates& block) const {
    return rounded(Vec3(blockEdge_ * block.x, blockEdge_ * block.y, blockEdge_ * block.z));
  }

  struct Parts {
    float high, low;
  };
  /// @param local  x − corner, a multiple of fine() [m]
  Parts split(double local) const {
    const double nearest = (local + roundCoarse_) - roundCoarse_, rest = local - nearest;
    const double half = rest >= 0.5 * coarse_ ? coarse_ : 0;  // a half goes up
    return {static_cast<float>(nearest + half), static_cast<float>(rest - half)};
  }

 private:
  /// Added to a number, leaves no room for less than one step.
  static constexpr double kRound = 3.0 * (1ll << 51);

  double blockEdge_, coarse_, fine_, roundCoarse_, roundFine_;
};

}  // namespace slipstick::mpm

// Surfaces unrolled into a plane. Part of buildFrame().
#pragma once

#include "render/footprints.h"

namespace slipstick::render {

/// How the surface of a shape becomes flat: the mantle of a cylinder or capsule by its angle and length,
/// everything else as seen along the mean normal of the footprint, with what is up in the world upwards.
class Unrolling {
 public:
  /// @param outward_G  mean normal of the footprint, unit
  /// @param up_G       the world's up
  Unrolling(const Shape& shape, const Vec3& outward_G, const Vec3& up_G);
  /// A plane of this normal, seen from where it points. @param up  not along it
  Unrolling(const Vec3& normal, const Vec3& up);

  Eigen::Vector2f at(const Vec3& p_G) const;
  /// Triangles and axes, without title and strokes. @param values  per point
  FootprintInset inset(const PaintedSurface& painted, const std::vector<double>& values) const;
  /// Triangles and outline of a surface in the frame that is unrolled.
  void add(const PatchSurface& surface, FootprintInset& inset) const;

 private:
  double radius_ = 0;  ///< of a mantle; 0: there is none
  Vec3 right_ = Vec3::UnitX(), up_ = Vec3::UnitY();
  double middle_ = 0;  ///< the angle in the middle of the picture [rad]
};

}  // namespace slipstick::render

// Contact at a point, of a given depth.
#pragma once

#include "engine/geometry/contact_shape.h"
#include "engine/geometry/rigid_contact_set.h"

namespace slipstick {

/// Stiffness and dissipation of a point of contact of two surfaces: springs in series, and the dissipation of
/// each as far as it gives way.
struct PointLaw {
  double stiffness = 0;    ///< [N/m]
  double dissipation = 0;  ///< [s/m]

  static PointLaw combined(const SurfaceProperties& a, const SurfaceProperties& b) {
    const double sum = a.stiffness + b.stiffness;
    return {a.stiffness * b.stiffness / sum,
            (b.stiffness * a.dissipation + a.stiffness * b.dissipation) / sum};
  }
  RigidContactPoint point(const Vec3& p_W, const Vec3& normal_W, double depth) const {
    RigidContactPoint point;
    point.p_W = p_W, point.normal_W = normal_W;
    point.force = stiffness * depth, point.stiffness = stiffness, point.dissipation = dissipation;
    point.penetration = depth;
    return point;
  }
};

}  // namespace slipstick

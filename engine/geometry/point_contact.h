// Contact at a point, of a given depth.
#pragma once

#include <algorithm>

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
  /// Appends a place; one that is apart carries no force.
  void add(const RigidContactPoint& place, RigidContactSet& contacts) const {
    contacts.add(
        place,
        {.force = stiffness * std::max(-place.gap, 0.0), .stiffness = stiffness, .dissipation = dissipation});
  }
  /// Appends a point where two surfaces overlap by a depth [m].
  void add(const Vec3& p_W, const Vec3& normal_W, double depth, RigidContactSet& contacts) const {
    contacts.add({.p_W = p_W, .normal_W = normal_W, .gap = -depth},
                 {.force = stiffness * depth, .stiffness = stiffness, .dissipation = dissipation});
  }
};

}  // namespace slipstick

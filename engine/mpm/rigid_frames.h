// The geometries of one step, frozen at t_n, as contact detection wants them.
#pragma once

#include <vector>

#include "engine/geometry/shape_lowering.h"
#include "engine/mpm/backend.h"

namespace slipstick::mpm {

template <class Real>
struct FrozenGeometry {
  int index = 0;  ///< into Model::geometries
  int body = 0;
  GeometryShape<Real> shape;
  Pose X_WG;
  Vec3 p_WB = Vec3::Zero();  ///< the body's origin, about which its velocity and wrench are taken
  Velocity V_WB;

  /// Velocity of the body's material at a point [m/s].
  Vec3 velocityAt(const Vec3& p_W) const { return V_WB.at(p_W - p_WB); }
};

template <class Real>
std::vector<FrozenGeometry<Real>> freezeGeometries(const Model& model, const RigidMotion& motion) {
  std::vector<FrozenGeometry<Real>> frozen;
  frozen.reserve(model.geometries.size());
  for (const Geometry& g : model.geometries) {
    const RigidMotion::BodyMotion& body = motion.bodies[static_cast<std::size_t>(g.body)];
    frozen.push_back({static_cast<int>(frozen.size()), g.body, lowerShape<Real>(g.shape, g.sdf.get()),
                      body.X_WB * g.X_BG, body.X_WB.p, body.V_WB});
  }
  return frozen;
}

}  // namespace slipstick::mpm

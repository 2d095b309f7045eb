// The rigid geometries in one step, as contact detection wants them.
#pragma once

#include <vector>

#include "engine/geometry/shape_lowering.h"
#include "engine/mpm/backend.h"

namespace slipstick::mpm {

/// Where X_WB comes to in `elapsed` with the velocity of its origin.
inline Pose moved(const Pose& X_WB, const Velocity& V_WB, double elapsed) {
  Pose X = X_WB;
  X.p += elapsed * V_WB.v;
  const double speed = V_WB.w.norm();
  if (speed > 0) X.R = Eigen::AngleAxisd(elapsed * speed, V_WB.w / speed).toRotationMatrix() * X_WB.R;
  return X;
}

/// A geometry where a substep sees it. Velocities are those of t_n for all substeps (Yu 2025, IV-A).
template <class Real>
struct StepGeometry {
  int index = 0;  ///< into Model::geometries
  int body = 0;
  GeometryShape<Real> shape;
  Pose X_WG;
  Vec3 p_WB = Vec3::Zero();   ///< the body's origin now, about which its velocity is taken
  Vec3 p_WB0 = Vec3::Zero();  ///< at t_n, about which its wrench is taken: the rigid step applies it there
  Velocity V_WB;
  /// How far outside a particle that has come through is still held, see held_side.h; 0: the shape is not thin [m].
  Real heldReach = 0;

  /// Velocity of the body's material at a point [m/s].
  Vec3 velocityAt(const Vec3& p_W) const { return V_WB.at(p_W - p_WB); }
};

/// @param started  becomes: per Model geometry, at t_n
template <class Real>
void startGeometries(const Model& model, const StepInput& motion, std::vector<StepGeometry<Real>>& started) {
  started.clear();
  for (const Geometry& g : model.geometries) {
    const StepInput::BodyMotion& body = motion.bodies[static_cast<std::size_t>(g.body)];
    started.push_back({static_cast<int>(started.size()), g.body, lowerShape<Real>(g.shape, g.sdf.get()),
                       body.X_WB * g.X_BG, body.X_WB.p, body.X_WB.p, body.V_WB});
  }
}

/// Per geometry StepGeometry::heldReach: a grid spacing for what is thinner than that.
std::vector<double> heldReaches(const Model& model);

/// Brings those that move to t_n + elapsed; with SubstepGeometry::Frozen does nothing.
/// @param onMoved  is told the index of each
template <class Real, class OnMoved>
void moveGeometries(const Model& model, const StepInput& motion, double elapsed,
                    std::vector<StepGeometry<Real>>& geometries, OnMoved&& onMoved) {
  if (model.solver.geometry == SubstepGeometry::Frozen) return;
  for (StepGeometry<Real>& g : geometries) {
    if (g.V_WB.v.isZero(0) && g.V_WB.w.isZero(0)) continue;
    const auto i = static_cast<std::size_t>(g.index);
    const Pose X_WB = moved(motion.bodies[static_cast<std::size_t>(g.body)].X_WB, g.V_WB, elapsed);
    g.X_WG = X_WB * model.geometries[i].X_BG;
    g.p_WB = X_WB.p;
    onMoved(i);
  }
}

}  // namespace slipstick::mpm

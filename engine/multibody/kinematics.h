// Where bodies are and how they move, from generalized coordinates.
#pragma once

#include <vector>

#include "engine/foundation/math.h"
#include "engine/multibody/tree.h"

namespace slipstick::multibody {

/// Poses of all bodies in W, in body order (index 0: the world). q: length tree.nq.
void computePoses(const Tree& tree, const VecX& q, std::vector<Pose>& X_WB);

/// Velocities of all body origins in W axes. X_WB must belong to q.
void computeVelocities(const Tree& tree, const VecX& q, const VecX& v, const std::vector<Pose>& X_WB,
                       std::vector<Velocity>& V_WB);

/// 6 × nv Jacobian of a point fixed in `body` at p_W: rows 0–2 angular, rows 3–5 linear velocity, W axes.
/// @param p_W  the point, in W [m]
MatX pointJacobian(const Tree& tree, const std::vector<Pose>& X_WB, int body, const Vec3& p_W);
/// The same into `J`, without allocation where J already has its size.
void pointJacobian(const Tree& tree, const std::vector<Pose>& X_WB, int body, const Vec3& p_W, MatX& J);

/// q ← q ⊕ dt·v: exact exponential map for ball and floating joints, then unit quaternions.
void integrate(const Tree& tree, const VecX& v, double dt, VecX& q);

}  // namespace slipstick::multibody

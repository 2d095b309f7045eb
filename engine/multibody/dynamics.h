// Mass matrix (CRBA), inverse dynamics (RNEA) and forward dynamics (ABA) of a tree. Featherstone 2008.
#pragma once

#include <vector>

#include "engine/model/math.h"
#include "engine/multibody/tree.h"

namespace slipstick::multibody {

/// M(q), nv × nv, with armature on the diagonal. X_WB must belong to q. Composite rigid body algorithm.
void computeMassMatrix(const Tree& tree, const std::vector<Pose>& X_WB, MatX& M);

/// τ = M(q) a + bias(q, v) with gravity; recursive Newton–Euler. a = 0 gives the bias. External wrenches
/// (about body origins, W axes) are subtracted; may be empty. Damping and dry friction are not included.
VecX inverseDynamics(const Tree& tree, const VecX& q, const VecX& v, const VecX& a, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench = {});

/// Accelerations from τ by the articulated-body algorithm: the independent check of the two above.
VecX forwardDynamics(const Tree& tree, const VecX& q, const VecX& v, const VecX& tau, const Vec3& gravity,
                     const std::vector<Wrench>& externalWrench = {});

/// Σ over bodies: kinetic energy, gravitational potential (zero at W's origin), momentum, angular momentum
/// about W's origin.
struct MechanicalTotals {
  double kinetic = 0, potential = 0;
  Vec3 momentum = Vec3::Zero(), angularMomentum = Vec3::Zero();
};
/// The energy of rotors (armature) is left out.
/// Bodies welded to the world (no movable joint above them) are left out of the potential and the momenta.
MechanicalTotals mechanicalTotals(const Tree& tree, const std::vector<Pose>& X_WB,
                                  const std::vector<Velocity>& V_WB, const Vec3& gravity);

}  // namespace slipstick::multibody

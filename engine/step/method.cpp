#include "engine/step/method.h"

#include "engine/model/method_rows.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {

void StepOutcome::begin(const Model& model, const State& state, const VecX& effort) {
  q = state.q;
  v = state.v;
  rigid.tau = effort;
  rigid.contacts.clear();
  rigid.saturated.clear();
  rigid.trace.clear();
  rigid.contactImpulse.clear();
  rigid.iterations = 0;
  rigid.converged = rigid.factored = true;
  soft.reset(model.tree.bodies.size(), model.boundaries.size());
  touchWork.clear();
  contactInterval = 0;
  report = {};
  observables.assign(model.own ? model.own->observables.size() : 0, 0);
}

void Method::poses(const Model& model, const State& state, std::vector<Pose>& X_WB) const {
  multibody::computePoses(model.tree, state.q, X_WB);
}

void Method::velocities(const Model& model, const State&, const BodyMotion& motion,
                        std::vector<Velocity>& V_WB) const {
  multibody::computeVelocities(model.tree, motion.q, motion.v, motion.X_WB, V_WB);
}

}  // namespace slipstick

#include "engine/step/method.h"

#include "engine/model/method_rows.h"

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

}  // namespace slipstick

#include "engine/methods/convex_mpm/particle_step.h"

#include <algorithm>
#include <utility>

#include "engine/foundation/require.h"
#include "engine/mpm/contact/rigid_side.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::convex_mpm {

namespace {

bool isFinite(const std::vector<Wrench>& wrenches) {
  return std::all_of(wrenches.begin(), wrenches.end(), [](const Wrench& wrench) {
    return wrench.force.allFinite() && wrench.torque.allFinite();
  });
}

/// What the particles tell, and what was known before.
StepReport together(const StepReport& before, const StepReport& particles) {
  StepReport report = particles;
  report.health |= before.health;
  for (std::size_t i = 0; i < before.phases.size(); ++i) report.phases[i] += before.phases[i];
  return report;
}

}  // namespace

ParticleStep::ParticleStep(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend)
    : model_(std::move(model)), backend_(std::move(backend)) {
  SIM_REQUIRE(model_->nodeCount() == 0 || backend_ != nullptr, model_->nodeCount());
  if (backend_) backend_->restore(mpm::particlesAtStart(*model_));
}

/// What may run out of memory comes first: then everything has the old numbers, or everything the new.
void ParticleStep::tune(std::shared_ptr<const Model> model) {
  prepare(model);
  if (backend_) backend_->tune(model);
  use();
  model_ = std::move(model);
}

void ParticleStep::restore(const SoftState& soft) {
  if (backend_) backend_->restore(mpm::particlesOf(soft));
}

void ParticleStep::save(SoftState& soft) const {
  mpm::ParticleState particles;
  if (!backend_) return mpm::toSoftState(std::move(particles), soft);
  // Their memory serves again.
  particles.x = std::move(soft.x);
  particles.v = std::move(soft.v);
  particles.contacts = std::move(soft.contacts);
  backend_->save(particles);
  mpm::toSoftState(std::move(particles), soft);
}

void ParticleStep::accept() noexcept {
  if (backend_) backend_->accept();
}

void ParticleStep::describe(const StepFrame& frame, mpm::RigidSide* rigid) {
  input_.bodies.resize(frame.X_WB.size());
  for (std::size_t body = 0; body < frame.X_WB.size(); ++body)
    input_.bodies[body] = {frame.X_WB[body], frame.V_WB[body]};
  if (rigid != nullptr) input_.bodies = rigid->bodies();
  input_.rigid = rigid;
  input_.boundaries = frame.boundaries;
  input_.gravity = frame.rigid.gravity;
  input_.laws = model_->contactLaws;
  input_.pulls = frame.pulls;
  input_.stop = frame.rigid.stop;
}

void ParticleStep::advanceParticles(const StepFrame& frame, mpm::RigidSide* rigid, StepOutcome& outcome) {
  if (!backend_) return;
  describe(frame, rigid);
  SoftOutcome& soft = outcome.soft;
  backend_->advance(input_, model_->time.dt, soft);
  SIM_REQUIRE(soft.wrenchImpulse.size() == model_->tree.bodies.size(), soft.wrenchImpulse.size());
  SIM_REQUIRE(soft.remainderImpulse.size() == model_->tree.bodies.size(), soft.remainderImpulse.size());
  SIM_REQUIRE(soft.boundaryImpulse.size() == model_->boundaries.size(), soft.boundaryImpulse.size());
  outcome.report = together(outcome.report, soft.report);
  if (!isFinite(soft.wrenchImpulse)) raise(outcome.report.health, Health::NonFinite);
  // Frozen shapes are looked at once a step.
  const bool frozen = model_->solver.geometry == SubstepGeometry::Frozen;
  outcome.contactInterval = model_->time.dt / (frozen ? 1 : std::max(1, outcome.report.substeps));
}

}  // namespace slipstick::convex_mpm

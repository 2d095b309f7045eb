// The asynchronously coupled step of Yu 2025: N MPM substeps against the rigid velocities of t_n, then one rigid solve.
#include "engine/foundation/scope_timer.h"
#include "engine/methods/convex_mpm/convex_mpm.h"
#include "engine/methods/convex_mpm/particle_step.h"
#include "engine/multibody/kinematics.h"
#include "engine/rigid/rigid_solver.h"

namespace slipstick::convex_mpm {

namespace {

class Async final : public ParticleStep {
 public:
  Async(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend)
      : ParticleStep(std::move(model), std::move(backend)),
        rigidStep_(std::make_unique<RigidSolver>(model_)) {}

  void advance(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) override;
  VecX carried(const std::shared_ptr<const Model>& from, std::string_view name,
               const VecX& values) const override {
    return name == rigidStep_->memoryName() ? rigidStep_->carried(from, values) : VecX();
  }

 private:
  void prepare(const std::shared_ptr<const Model>& tuned) override {
    prepared_ = std::make_unique<RigidSolver>(tuned);
  }
  void use() noexcept override { rigidStep_ = std::move(prepared_); }
  void solveRigid(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome);

  std::unique_ptr<RigidStep> rigidStep_, prepared_;
  RigidStepInput rigid_;
};

/// Yu 2025, Eq. 1–4: N substeps of MPM and contact (Eq. 2, 4) against the rigid motion of t_n, then one rigid step.
void Async::advance(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) {
  advanceParticles(frame, nullptr, outcome);
  if (refused(outcome.report.health) || model_->tree.nv == 0) return;
  const ScopeTimer timer(at(outcome.report.phases, Phase::Rigid));
  solveRigid(frame, memory, outcome);
}

/// The rigid step (Eq. 3) with the substeps' impulses as ΣJᵀγ, exactly once, then q at t_{n+1}.
void Async::solveRigid(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) {
  rigid_ = frame.rigid;
  rigid_.wrenchImpulse = outcome.soft.wrenchImpulse;
  rigidStep_->step(rigid_, memory.at(rigidStep_->memoryName()), outcome.rigid);
  outcome.v = outcome.rigid.v;
  multibody::integrate(model_->tree, outcome.v, model_->time.dt, outcome.q);
}

}  // namespace

std::unique_ptr<Method> makeAsync(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend) {
  return std::make_unique<Async>(std::move(model), std::move(backend));
}

}  // namespace slipstick::convex_mpm

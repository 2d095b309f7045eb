#include "engine/coupling/async_stepper.h"

#include "engine/coupling/coupled_stepper.h"
#include "engine/foundation/scope_timer.h"
#include "engine/model/method_choice.h"
#include "engine/multibody/kinematics.h"

namespace slipstick {

namespace {

constexpr std::string_view kName = kFrozenMethod;

class AsyncStepper final : public CoupledStepper {
 public:
  AsyncStepper(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend)
      : CoupledStepper(std::move(model), std::move(backend)),
        rigidSolver_(std::make_unique<RigidSolver>(model_)) {
    restore(State::initial(*model_));
  }

  std::string_view method() const override { return kName; }

 private:
  void advance(StepReport& report) override;
  void prepare(const std::shared_ptr<const Model>& tuned) override {
    prepared_ = std::make_unique<RigidSolver>(tuned);
  }
  void use() noexcept override { rigidSolver_ = std::move(prepared_); }
  void solveRigid(StepReport& report);

  std::unique_ptr<RigidSolver> rigidSolver_, prepared_;
};

/// Yu 2025, Eq. 1–4: N substeps of MPM and contact (Eq. 2, 4) against the rigid motion of t_n, then one rigid step.
void AsyncStepper::advance(StepReport& report) {
  advanceParticles(report);
  if (refused(report.health)) return;
  const ScopeTimer timer(at(report.phases, Phase::Rigid));
  solveRigid(report);
}

/// The rigid step (Eq. 3) with the substeps' impulses as ΣJᵀγ, exactly once, then q at t_{n+1}.
void AsyncStepper::solveRigid(StepReport& report) {
  if (!describeRigidStep(report)) return;
  rigidInput_.wrenchImpulse = mpm_.wrenchImpulse;
  rigidSolver_->step(rigidInput_, next_.remembered(kConstraintImpulses), rigid_);
  next_.v = rigid_.v;
  multibody::integrate(model_->tree, next_.v, model_->time.dt, next_.q);
  reportRigidStep(report);
}

}  // namespace

std::unique_ptr<Stepper> makeAsyncStepper(std::shared_ptr<const Model> model,
                                          std::unique_ptr<mpm::Backend> backend) {
  return std::make_unique<AsyncStepper>(std::move(model), std::move(backend));
}

MethodEntry asyncMethod() {
  return {std::string(kName),
          "fast: bodies keep their velocity while soft things are stepped, which must be light beside them "
          "(Yu 2025)",
          gridObstacles, makeAsyncStepper};
}

}  // namespace slipstick

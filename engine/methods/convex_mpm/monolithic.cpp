// The strongly coupled step: what frozen rigid velocities cost the asynchronous one, it does not pay.
#include "engine/foundation/scope_timer.h"
#include "engine/geometry/shape_bounds.h"
#include "engine/methods/convex_mpm/convex_mpm.h"
#include "engine/methods/convex_mpm/particle_step.h"
#include "engine/methods/convex_mpm/substepped_rigid.h"
#include "engine/rigid/warm_start.h"

namespace slipstick::convex_mpm {

namespace {

/// Safety margin on the distance that bodies and particles travel in a step: a body that particles come to touch although it
/// was out of their reach would move as it did at t_n for the rest of the step [cells].
constexpr double kReach = 2;

class Monolithic final : public ParticleStep {
 public:
  /// @param foresees  the backend finds contact where things are at the step's end
  Monolithic(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend, bool foresees)
      : ParticleStep(std::move(model), std::move(backend)),
        foresees_(foresees),
        rigidSide_(std::make_unique<SubsteppedRigid>(model_)) {
    SIM_REQUIRE(!backend_ || backend_->couplesStrongly());
  }

  void advance(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) override;
  VecX carried(const std::shared_ptr<const Model>& from, std::string_view name,
               const VecX& values) const override {
    return name == kConstraintImpulses ? carriedImpulses(from, values, model_) : VecX();
  }

 private:
  void prepare(const std::shared_ptr<const Model>& tuned) override {
    prepared_ = std::make_unique<SubsteppedRigid>(tuned);
  }
  void use() noexcept override { rigidSide_ = std::move(prepared_); }
  void advanceTogether(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome);
  void findTouchable(const StepFrame& frame);

  bool foresees_;
  std::unique_ptr<SubsteppedRigid> rigidSide_, prepared_;
  std::vector<char> touchable_;  ///< per body
};

void Monolithic::advance(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) {
  if (model_->tree.nv == 0)
    advanceParticles(frame, nullptr, outcome);
  else
    advanceTogether(frame, memory, outcome);
  if (foresees_) outcome.contactInterval = 0;
}

/// The rigid degrees of freedom stand in each substep's contact problem.
void Monolithic::advanceTogether(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) {
  findTouchable(frame);
  VecX& warmStart = memory.at(kConstraintImpulses);
  rigidSide_->beginStep(frame.rigid, touchable_, warmStart);
  advanceParticles(frame, rigidSide_.get(), outcome);
  if (refused(outcome.report.health)) return;
  rigidSide_->endStep(outcome.rigid, warmStart, outcome.q);
  outcome.v = outcome.rigid.v;
  const std::span<const double> work = rigidSide_->particleWork();
  outcome.touchWork.assign(work.begin(), work.end());
  at(outcome.report.phases, Phase::Rigid) += rigidSide_->seconds();
}

/// Bodies with a geometry whose bounds, on its way during the step, meet those of a deformable on its way.
void Monolithic::findTouchable(const StepFrame& frame) {
  touchable_.assign(model_->tree.bodies.size(), 0);
  if (!backend_) return;
  const double dt = model_->time.dt, reach = kReach * model_->gridSpacing;
  const SoftFacts& facts = backend_->facts();
  for (std::size_t g = 0; g < model_->geometries.size(); ++g) {
    const Geometry& geometry = model_->geometries[g];
    const auto body = static_cast<std::size_t>(geometry.body);
    const Eigen::AlignedBox3d bounds = roughBounds(geometry.shape, frame.X_WB[body] * geometry.X_BG);
    for (std::size_t d = 0; d < model_->deformables.size() && !touchable_[body]; ++d) {
      if (!model_->contactLaws[d * model_->geometries.size() + g].enabled) continue;
      const DeformableSums& particles = facts.deformables[d];
      const Eigen::AlignedBox3d box(particles.lower, particles.upper);
      if (bounds.isEmpty()) {  // a plane
        touchable_[body] = 1;
        continue;
      }
      const double arm = (bounds.center() - frame.X_WB[body].p).norm() + 0.5 * bounds.diagonal().norm();
      const double speed = particles.maxSpeed + frame.V_WB[body].v.norm() + frame.V_WB[body].w.norm() * arm;
      const double way = reach + dt * (speed + dt * frame.rigid.gravity.norm());
      touchable_[body] = box.squaredExteriorDistance(bounds) < way * way;
    }
  }
}

}  // namespace

std::unique_ptr<Method> makeStrong(std::shared_ptr<const Model> model,
                                   std::unique_ptr<mpm::Backend> backend) {
  return std::make_unique<Monolithic>(std::move(model), std::move(backend), false);
}

std::unique_ptr<Method> makeImplicit(std::shared_ptr<const Model> model) {
  std::unique_ptr<mpm::Backend> backend = model->nodeCount() > 0 ? mpm::makeImplicitBackend(model) : nullptr;
  return std::make_unique<Monolithic>(std::move(model), std::move(backend), true);
}

}  // namespace slipstick::convex_mpm

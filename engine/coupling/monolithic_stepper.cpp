#include "engine/coupling/monolithic_stepper.h"

#include "engine/coupling/coupled_stepper.h"
#include "engine/coupling/substepped_rigid.h"
#include "engine/foundation/scope_timer.h"
#include "engine/geometry/shape_bounds.h"
#include "engine/model/method_choice.h"

namespace slipstick {

namespace {

constexpr std::string_view kStrong = kCoupledMethod, kImplicit = "implicit";

/// What bodies and particles may go further than their speeds at t_n tell, before a body that they come to touch would
/// move as it did at t_n for the rest of the step [cells].
constexpr double kReach = 2;

class MonolithicStepper final : public CoupledStepper {
 public:
  /// @param name  of the method
  MonolithicStepper(std::string_view name, std::shared_ptr<const Model> model,
                    std::unique_ptr<mpm::Backend> backend)
      : CoupledStepper(std::move(model), std::move(backend)),
        name_(name),
        rigidSide_(std::make_unique<SubsteppedRigid>(model_)) {
    SIM_REQUIRE(!backend_ || backend_->couplesStrongly());
    restore(State::initial(*model_));
  }

  std::string_view method() const override { return name_; }

 private:
  void advance(StepReport& report) override;
  void prepare(const std::shared_ptr<const Model>& tuned) override {
    prepared_ = std::make_unique<SubsteppedRigid>(tuned);
  }
  void use() noexcept override { rigidSide_ = std::move(prepared_); }
  void findTouchable();
  std::span<const double> particleWork() const override {
    return input_.rigid != nullptr ? rigidSide_->particleWork() : std::span<const double>();
  }
  bool foreseesContact() const override { return name_ == kImplicit; }

  std::string_view name_;
  std::unique_ptr<SubsteppedRigid> rigidSide_, prepared_;
  std::vector<char> touchable_;  ///< per body
  VecX end_;                     ///< q at t_n+1
};

/// physics.md §5: the rigid degrees of freedom stand in each substep's contact problem.
void MonolithicStepper::advance(StepReport& report) {
  if (!describeRigidStep(report)) {
    input_.rigid = nullptr;
    return advanceParticles(report);
  }
  findTouchable();
  VecX& warmStart = next_.remembered(kConstraintImpulses);
  rigidSide_->beginStep(rigidInput_, touchable_, warmStart);
  input_.rigid = rigidSide_.get();
  input_.bodies = rigidSide_->bodies();
  advanceParticles(report);
  if (refused(report.health)) return;
  rigidSide_->endStep(rigid_, warmStart, end_);
  next_.v = rigid_.v;
  next_.q = end_;
  at(report.phases, Phase::Rigid) += rigidSide_->seconds();
  reportRigidStep(report);
}

/// Bodies with a geometry whose bounds, on its way during the step, meet those of a deformable on its way.
void MonolithicStepper::findTouchable() {
  touchable_.assign(model_->tree.bodies.size(), 0);
  if (!backend_) return;
  const double dt = model_->time.dt, reach = kReach * model_->gridSpacing;
  const mpm::ParticleFacts& facts = backend_->facts();
  for (std::size_t g = 0; g < model_->geometries.size(); ++g) {
    const Geometry& geometry = model_->geometries[g];
    const auto body = static_cast<std::size_t>(geometry.body);
    const Eigen::AlignedBox3d bounds = roughBounds(geometry.shape, X_WB_[body] * geometry.X_BG);
    for (std::size_t d = 0; d < model_->deformables.size() && !touchable_[body]; ++d) {
      if (!model_->contactLaws[d * model_->geometries.size() + g].enabled) continue;
      const mpm::DeformableSums& particles = facts.deformables[d];
      const Eigen::AlignedBox3d box(particles.lower, particles.upper);
      if (bounds.isEmpty()) {  // a plane
        touchable_[body] = 1;
        continue;
      }
      const double arm = (bounds.center() - X_WB_[body].p).norm() + 0.5 * bounds.diagonal().norm();
      const double speed = particles.maxSpeed + V_WB_[body].v.norm() + V_WB_[body].w.norm() * arm;
      const double way = reach + dt * (speed + dt * model_->gravity.norm());
      touchable_[body] = box.squaredExteriorDistance(bounds) < way * way;
    }
  }
}

std::vector<Error> obstaclesFor(const Model& model) {
  std::vector<Error> obstacles = gridObstacles(model);
  const auto refuse = [&](const std::string& what, const std::string& key, const std::string& remedy) {
    obstacles.push_back({ErrorCode::Unsupported, what, model.file + ", " + key, remedy});
  };
  if (model.solver.contactSolver == ContactSolverName::QuasiNewton)
    refuse("the quasi-Newton contact solver has no place for rigid velocities", "solver.contact",
           "choose majorized_anderson or contact_newton");
  if (model.solver.geometry == SubstepGeometry::Frozen)
    refuse("rigid shapes move with the substeps and cannot be frozen", "solver.geometry", "choose moving");
  return obstacles;
}

std::vector<Error> implicitObstacles(const Model& model) {
  std::vector<Error> obstacles = gridObstacles(model);
  const auto refuse = [&](const std::string& what, const std::string& where, const std::string& remedy) {
    obstacles.push_back({ErrorCode::Unsupported, what, model.file + ", " + where, remedy});
  };
  for (const Boundary& b : model.boundaries)
    if (b.kind == BoundaryKind::Slip && b.friction > 0)
      refuse("a boundary that cannot be left has no friction in implicit steps", "boundary '" + b.name + "'",
             "make it kind: separate, or its friction 0");
  return obstacles;
}

}  // namespace

std::unique_ptr<Stepper> makeMonolithicStepper(std::shared_ptr<const Model> model,
                                               std::unique_ptr<mpm::Backend> backend) {
  return std::make_unique<MonolithicStepper>(kStrong, std::move(model), std::move(backend));
}

MethodEntry strongMethod() {
  MethodEntry entry{std::string(kStrong),
                    "for light bodies: their velocities are unknowns of every substep's contact problem",
                    obstaclesFor, makeMonolithicStepper};
  entry.couplesStrongly = true;
  return entry;
}

MethodEntry implicitMethod() {
  MethodEntry entry{std::string(kImplicit),
                    "implicit MPM, coupled with rigid bodies in one convex problem per step (Zong 2024)",
                    implicitObstacles,
                    [](std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend) {
                      return std::unique_ptr<Stepper>(std::make_unique<MonolithicStepper>(
                          kImplicit, std::move(model), std::move(backend)));
                    }};
  entry.ownBackend = mpm::makeImplicitBackend;
  return entry;
}

}  // namespace slipstick

// The oracle: one substep of Yu 2025 (Eq. 3–8) in double precision, one particle after the other, as the
// paper reads.
#include "engine/mpm/backends/reference_backend.h"

#include "engine/contact/potential.h"
#include "engine/foundation/scope_timer.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/backends/serial_backend.h"
#include "engine/mpm/contact/contact_problem.h"
#include "engine/mpm/contact/rigid_substep.h"
#include "engine/mpm/particle_health.h"

namespace slipstick::mpm {
namespace {

class ReferenceBackend final : public SerialBackend {
 public:
  ReferenceBackend(std::shared_ptr<const Model> model, ContactProblemObserver observe)
      : SerialBackend(std::move(model)), observe_(std::move(observe)) {}

  std::string_view name() const override { return "reference"; }

 private:
  void substep(double dt, const StepInput& motion) override;
  SubstepSchedule scheduleOf(double dt) const override { return {*model_, dt, facts()}; }
  void applyBoundaries();
  void solveContacts(double dt, const StepInput& motion);
  void buildContactProblem(double dt, const StepInput& motion);
  int problemNode(std::size_t gridNode);

  ContactProblemObserver observe_;     ///< may be empty
  std::vector<int> problemNode_;       ///< per grid node, −1 = not touched by a contacting particle
  std::vector<std::size_t> gridNode_;  ///< per problem node
  std::vector<Vec3> nodeAt_;           ///< per problem node [m]
  ContactProblem<double> problem_;
  ContactSolution<double> solution_;
  ContactSolver<double> solver_;
  ContactOutcome<double> outcome_;
};

void ReferenceBackend::substep(double dt, const StepInput& motion) {
  {
    const ScopeTimer timer(at(phases_, Phase::Contact));
    detectContacts(motion, dt);
  }
  {
    const ScopeTimer timer(at(phases_, Phase::Transfer));
    particlesToGrid(dt, true);
    freeMotion(dt, motion.gravity);
    findBoundaryNodes();
  }
  if (!detected_.empty()) {
    const ScopeTimer timer(at(phases_, Phase::Contact));
    solveContacts(dt, motion);
  } else {
    account_.addFreeSubstep();
    last_.forget();
  }
  applyBoundaries();
  const ScopeTimer timer(at(phases_, Phase::Transfer));
  gridToParticles(dt);
}

/// Boundaries take up what free motion and contacts would give to the nodes inside them.
void ReferenceBackend::applyBoundaries() {
  std::vector<BoundaryImpulse> impulses(model_->boundaries.size());
  for (const BoundaryNodes::Node& n : boundaryNodes_.nodes()) {
    GridNode<double>& node = grid_[n.gridNode];
    node.velocity = toLanes<double>(
        boundedVelocity(toEigen(node.velocity), node.mass, boundaryNodes_.boundsOf(n), impulses));
  }
  account_.addBoundaries(impulses);
}

/// Index of a grid node among the contact problem's unknowns, which it joins when first asked for.
int ReferenceBackend::problemNode(std::size_t gridNode) {
  int& index = problemNode_[gridNode];
  if (index < 0) {
    index = static_cast<int>(gridNode_.size());
    gridNode_.push_back(gridNode);
    nodeAt_.push_back(positionOf(gridNode));
    problem_.mass.push_back(grid_[gridNode].mass);
    problem_.vStar.push_back(grid_[gridNode].velocity);
    if (!boundaryNodes_.nodes().empty()) problem_.bounds.push_back(boundaryNodes_.boundsAt(gridNode));
  }
  return index;
}

void ReferenceBackend::buildContactProblem(double dt, const StepInput& motion) {
  problem_.dt = dt;
  problem_.stop = motion.stop;
  problem_.stictionSpeed = model_->stictionSpeed;
  problem_.stictionSoftness = model_->stictionSoftness;
  problem_.mass.clear();
  problem_.vStar.clear();
  problem_.contacts.clear();
  problem_.bounds.clear();
  gridNode_.clear();
  nodeAt_.clear();
  problemNode_.assign(grid_.size(), -1);
  for (const DetectedContact& c : detected_) {
    const auto particle = static_cast<std::size_t>(c.particle),
               geometry = static_cast<std::size_t>(c.geometry);
    const ContactLaw& law = motion.laws[model_->deformableOf(particle) * geometries_.size() + geometry];
    const Vec3 vBody = geometries_[geometry].velocityAt(c.x);
    ContactPoint<double> point{};
    point.normal = toLanes<double>(c.normal);
    point.vBody = toLanes<double>(vBody);
    point.f0 = law.stiffness * c.penetration;
    point.stiffness = law.stiffness;
    point.dissipation = law.dissipation;
    point.friction = law.friction;
    const double vn0 = c.normal.dot(p_.v[particle] - vBody);
    point.n0 = contact::laggedNormalImpulse(point.f0, law.dissipation, vn0, dt);
    point.guess = last_.of(c.particle, c.geometry);
    const Stencil& s = stencils_[particle];
    for (std::size_t n = 0; n < 27; ++n) {
      // A particle exactly on a cell's middle has nodes of weight zero, which may have no mass: they take no
      // part.
      const bool massless = grid_[s.node[n]].mass <= 0;
      point.node[n] = problemNode(massless ? s.node[13] : s.node[n]);
      point.weight[n] = massless ? 0 : s.weight[n];
    }
    problem_.contacts.push_back(point);
  }
  problem_.rigid = nullptr;
  if (motion.rigid != nullptr) coupleContacts(*motion.rigid, detected_, problem_);
  addBoundaryFriction(problem_);
}

/// The grid receives the velocities that were solved for.
void ReferenceBackend::solveContacts(double dt, const StepInput& motion) {
  buildContactProblem(dt, motion);
  if (observe_) observe_(problem_, detected_);
  solver_.solve(problem_, contactSettings(model_->solver), solution_);
  for (std::size_t i = 0; i < gridNode_.size(); ++i) grid_[gridNode_[i]].velocity = solution_.v[i];
  outcome_.enter(problem_, solution_, detected_, nodeAt_, account_);
  last_.forget();
  for (std::size_t c = 0; c < detected_.size(); ++c) remember(detected_[c], solution_.gamma[c]);
}

}  // namespace

std::unique_ptr<Backend> makeReferenceBackend(std::shared_ptr<const Model> model) {
  return makeObservedReferenceBackend(std::move(model), {});
}

std::unique_ptr<Backend> makeObservedReferenceBackend(std::shared_ptr<const Model> model,
                                                      ContactProblemObserver observe) {
  return std::make_unique<ReferenceBackend>(std::move(model), std::move(observe));
}

}  // namespace slipstick::mpm

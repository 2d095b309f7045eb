#include "tests/support/drifting/drifting.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/drifting/bodies.h"
#include "tests/support/drifting/tetrahedra.h"
#include "tests/support/drifting/tetrahedron.h"

namespace slipstick::drifting {
namespace {

class Drifting final : public Method {
 public:
  explicit Drifting(std::shared_ptr<const Model> model)
      : model_(std::move(model)), live_(tetrahedraAtStart(*model_)), facts_(factsOf(*model_, live_)) {}

  std::string_view backendName() const override { return kName; }
  std::string runsOn() const override { return "CPU · 1 thread"; }
  std::string_view contactSolver() const override { return "explicit"; }

  void tune(std::shared_ptr<const Model> model) override { model_ = std::move(model); }
  void restore(const SoftState& soft) override;
  void save(SoftState& soft) const override { soft = live_; }
  VecX carried(const std::shared_ptr<const Model>& from, std::string_view name,
               const VecX& values) const override {
    return name == kMemory ? drifting::carried(*from, values, *model_) : VecX();
  }

  void advance(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) override;
  void accept() noexcept override {
    std::swap(live_, next_);
    std::swap(facts_, nextFacts_);
  }

  void poses(const Model& model, const State& state, std::vector<Pose>& X_WB) const override {
    Method::poses(model, state, X_WB);
    takePoses(model, state, X_WB);
  }
  void placed(int body, MethodMemory memory) const override { forget(*model_, body, memory); }
  void velocities(const Model& model, const State& state, const BodyMotion& motion,
                  std::vector<Velocity>& V_WB) const override {
    Method::velocities(model, state, motion, V_WB);
    takeVelocities(model, state, V_WB);
  }

  const SoftFacts* facts() const override { return hasSoftBodies() ? &facts_ : nullptr; }
  void look(SoftView& view) override { lookAt(live_, view); }

 private:
  bool hasSoftBodies() const { return model_->nodeCount() > 0; }
  void advanceTetrahedra(const StepFrame& frame, StepOutcome& outcome);

  std::shared_ptr<const Model> model_;
  SoftState live_, next_;
  SoftFacts facts_, nextFacts_;
};

void Drifting::restore(const SoftState& soft) {
  if (!hasSoftBodies()) return;
  checkState(*model_, soft);
  live_ = soft;
  facts_ = factsOf(*model_, live_);
}

void Drifting::advance(const StepFrame& frame, MethodMemory memory, StepOutcome& outcome) {
  moveBodies(*model_, frame, memory);
  outcome.report.substeps = 1;
  if (hasSoftBodies()) advanceTetrahedra(frame, outcome);
}

void Drifting::advanceTetrahedra(const StepFrame& frame, StepOutcome& outcome) {
  const double reach = settingOf(*model_, kName, kReach);
  next_ = live_;
  moveTetrahedra(*model_, frame, reach, next_, outcome.soft);
  nextFacts_ = outcome.soft.facts;
  outcome.report.contacts = static_cast<int>(outcome.soft.softContacts.size());
  const double nearest = nearestDistance(*model_, next_);
  outcome.observables.at(0) = 1e3 * nearest;
  if (nearest > 0 && nearest < 0.5 * reach) raise(outcome.report.health, kCrowded);
}

/// Collects why a model cannot be stepped.
struct Obstacles {
  const Model& model;
  std::vector<Error> all = {};

  void add(const std::string& what, const std::string& where, const std::string& remedy) {
    all.push_back({ErrorCode::Unsupported, what, model.file + ", " + where, remedy});
  }
};

void addJoints(Obstacles& obstacles) {
  const Model& model = obstacles.model;
  for (const multibody::Joint& joint : model.tree.joints)
    if (!floats(joint) && model.compositeOf[static_cast<std::size_t>(joint.child)] != 0)
      obstacles.add("only bodies that float by themselves can drift", "joint '" + joint.name + "'",
                    "take the robot out, or choose another method");
  for (const PrescribedMotion& motion : model.prescribed)
    obstacles.add("what drifts follows no path",
                  "joint '" + model.tree.joints[static_cast<std::size_t>(motion.joint)].name + "'",
                  "write base: free");
}

std::vector<Error> obstaclesOf(const Model& model) {
  Obstacles obstacles{model};
  if (!model.gravity.isZero(0))
    obstacles.add("what drifts has no weight", "gravity", "write gravity: [0, 0, 0]");
  addJoints(obstacles);
  for (const Loop& loop : model.loops)
    obstacles.add("nothing holds drifting bodies together", "loop '" + loop.name + "'", "take it out");
  if (!model.controllers.empty())
    obstacles.add("nothing drives drifting bodies", "controllers", "take them out");
  for (const Boundary& boundary : model.boundaries)
    obstacles.add("nothing stops what drifts", "boundary '" + boundary.name + "'", "take it out");
  for (const Deformable& d : model.deformables)
    if (d.material.model == MaterialModel::Cloth)
      obstacles.add("a cloth has no tetrahedron", "deformable '" + d.name + "'", "choose another material");
  return obstacles.all;
}

}  // namespace

MethodEntry method() {
  MethodEntry entry;
  entry.name = kName;
  entry.settings = {kReach};
  entry.observables = {
      {"nearest", "mm", "smallest distance between nodes of two tetrahedra; 0: there are not two"}};
  entry.flags = {{kCrowded, "Crowded", "Crowded", "two tetrahedra are nearer than half of their reach",
                  "lower solver.drifting.reach, or make them stiffer", Severity::Warning}};
  entry.softContacts = true;
  entry.forceLaws = true;
  entry.discretize = asTetrahedron;
  entry.description = "for tests: bodies and tetrahedra drift freely";
  entry.obstacles = obstaclesOf;
  entry.noOtherBackend = "steps everything by itself";
  entry.backendRemedy = "leave the backend out, or choose auto";
  entry.make = [](const MethodContext& context) {
    return Result<std::unique_ptr<Method>>(std::make_unique<Drifting>(context.model));
  };
  return entry;
}

}  // namespace slipstick::drifting

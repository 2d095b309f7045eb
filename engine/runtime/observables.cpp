#include "engine/runtime/observables.h"

#include <array>
#include <string>
#include <utility>

namespace slipstick {

namespace {

using Value = std::function<double(const Snapshot&)>;

constexpr std::array<const char*, 3> kAxes = {"x", "y", "z"};

class Registry {
 public:
  explicit Registry(const Model& model) : model_(model) {}

  std::vector<Observable> build() && {
    add("time", "s", [](const Snapshot& s) { return s.time; });
    for (std::size_t body = 0; body < model_.tree.bodies.size(); ++body) addBody(body);
    for (const multibody::Joint& joint : model_.tree.joints) addJoint(joint);
    for (std::size_t deformable = 0; deformable < model_.deformables.size(); ++deformable)
      addDeformable(deformable);
    for (std::size_t boundary = 0; boundary < model_.boundaries.size(); ++boundary)
      addVector(model_.boundaries[boundary].name + ".force.", "N",
                [boundary](const Snapshot& s) -> const Vec3& { return s.boundaryForce[boundary]; });
    addTotals();
    addSolver();
    return std::move(observables_);
  }

 private:
  void add(std::string name, std::string unit, Value value) {
    observables_.push_back({std::move(name), std::move(unit), std::move(value)});
  }

  /// name + x, y, z of a vector that `get` takes from the snapshot.
  template <class Get>
  void addVector(const std::string& prefix, const std::string& unit, Get get) {
    for (int i = 0; i < 3; ++i) {
      add(prefix + kAxes[static_cast<std::size_t>(i)], unit,
          [get, i](const Snapshot& s) { return get(s)[i]; });
    }
  }

  void addBody(std::size_t body) {
    const std::string& name = model_.tree.bodies[body].name;
    if (body > 0) {  // the world stays where it is
      addVector(name + ".", "m", [body](const Snapshot& s) -> const Vec3& { return s.X_WB[body].p; });
      constexpr std::array<const char*, 4> parts = {"qw", "qx", "qy", "qz"};
      for (std::size_t i = 0; i < parts.size(); ++i) {
        add(name + "." + parts[i], "", [body, i](const Snapshot& s) {
          const Quat q(s.X_WB[body].R);
          return std::array{q.w(), q.x(), q.y(), q.z()}[i];
        });
      }
      addVector(name + ".v", "m/s", [body](const Snapshot& s) -> const Vec3& { return s.V_WB[body].v; });
      addVector(name + ".w", "rad/s", [body](const Snapshot& s) -> const Vec3& { return s.V_WB[body].w; });
    }
    addVector(name + ".contact.f", "N",
              [body](const Snapshot& s) -> const Vec3& { return s.contactWrench[body].force; });
    addVector(name + ".contact.m", "N m",
              [body](const Snapshot& s) -> const Vec3& { return s.contactWrench[body].torque; });
  }

  /// Joints with one degree of freedom; poses of the others are those of their bodies.
  void addJoint(const multibody::Joint& joint) {
    if (multibody::velocityCount(joint.type) != 1) return;
    const bool linear = joint.type == multibody::JointType::Prismatic;
    const Eigen::Index q = joint.qStart;
    const Eigen::Index v = joint.vStart;
    add(joint.name + ".q", linear ? "m" : "rad", [q](const Snapshot& s) { return s.q[q]; });
    add(joint.name + ".v", linear ? "m/s" : "rad/s", [v](const Snapshot& s) { return s.v[v]; });
    add(joint.name + ".tau", linear ? "N" : "N m", [v](const Snapshot& s) { return s.tau[v]; });
  }

  void addDeformable(std::size_t i) {
    const std::string& name = model_.deformables[i].name;
    addVector(name + ".", "m", [i](const Snapshot& s) -> const Vec3& { return s.deformables[i].center; });
    addVector(name + ".v", "m/s",
              [i](const Snapshot& s) -> const Vec3& { return s.deformables[i].velocity; });
    addVector(name + ".min_", "m", [i](const Snapshot& s) -> const Vec3& { return s.deformables[i].lower; });
    addVector(name + ".max_", "m", [i](const Snapshot& s) -> const Vec3& { return s.deformables[i].upper; });
    add(name + ".volume", "m^3", [i](const Snapshot& s) { return s.deformables[i].volume; });
  }

  void addTotals() {
    addVector("total.momentum_", "N s", [](const Snapshot& s) -> const Vec3& { return s.totals.momentum; });
    addVector("total.angular_momentum_", "N m s",
              [](const Snapshot& s) -> const Vec3& { return s.totals.angularMomentum; });
    add("total.kinetic_energy", "J", [](const Snapshot& s) { return s.totals.kineticEnergy; });
    add("total.potential_energy", "J", [](const Snapshot& s) { return s.totals.potentialEnergy; });
    add("total.elastic_energy", "J", [](const Snapshot& s) { return s.totals.elasticEnergy; });
  }

  void addSolver() {
    add("contacts", "", [](const Snapshot& s) { return static_cast<double>(s.contacts.size()); });
    add("solver.substeps", "", [](const Snapshot& s) { return s.report.substeps; });
    add("solver.iterations_mean", "", [](const Snapshot& s) { return s.report.contactIterationsMean; });
    add("solver.iterations_max", "", [](const Snapshot& s) { return s.report.contactIterationsMax; });
    add("solver.rigid_iterations", "", [](const Snapshot& s) { return s.report.rigidIterations; });
    add("solver.not_converged", "", [](const Snapshot& s) { return s.report.notConvergedSolves; });
    add("solver.momentum_error", "", [](const Snapshot& s) { return s.report.momentumError; });
    add("solver.contact_remainder", "", [](const Snapshot& s) { return s.report.contactRemainder; });
    add("solver.rigid_contacts", "", [](const Snapshot& s) { return s.report.rigidContacts; });
    add("solver.rigid_pairs", "", [](const Snapshot& s) { return s.report.rigidPairs; });
    add("solver.active_nodes", "", [](const Snapshot& s) { return s.report.activeNodes; });
    for (std::size_t phase = 0; phase < kPhaseNames.size(); ++phase) {
      add("solver.time." + std::string(kPhaseNames[phase]), "ms",
          [phase](const Snapshot& s) { return 1e3 * s.report.phases[phase]; });
      observables_.back().isWallTime = true;
    }
  }

  const Model& model_;
  std::vector<Observable> observables_;
};

}  // namespace

std::vector<Observable> observablesOf(const Model& model) {
  return Registry(model).build();
}

}  // namespace slipstick

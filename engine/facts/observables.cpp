#include "engine/facts/observables.h"

#include <array>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/foundation/require.h"
#include "engine/model/method_rows.h"

namespace slipstick {

namespace {

constexpr std::array<const char*, 3> kAxes = {"x", "y", "z"};

class Registry {
 public:
  explicit Registry(const Model& model) : model_(model) {}

  Observables build() && {
    add(
        "time", "s", [](auto& s) -> auto& { return s.time; });
    for (std::size_t body = 0; body < model_.tree.bodies.size(); ++body) addBody(body);
    for (const multibody::Joint& joint : model_.tree.joints) addJoint(joint);
    for (std::size_t deformable = 0; deformable < model_.deformables.size(); ++deformable)
      addDeformable(deformable);
    for (std::size_t boundary = 0; boundary < model_.boundaries.size(); ++boundary)
      addVector(
          model_.boundaries[boundary].name + ".force.",
          "N", [boundary](auto& s) -> auto& { return s.boundaryForce[boundary]; });
    for (std::size_t sensor = 0; sensor < model_.sensors.size(); ++sensor) addSensor(sensor);
    addTotals();
    addSolver();
    addOwn();
    return std::move(observables_);
  }

 private:
  /// @param place  of the number in a snapshot, for reading and for writing
  template <class Place>
  void add(std::string name, std::string unit, Place place) {
    observables_.push_back({std::move(name), std::move(unit),
                            [place](const Snapshot& s) { return static_cast<double>(place(s)); },
                            [place](Snapshot& s, double value) {
                              auto& number = place(s);
                              number = static_cast<std::remove_reference_t<decltype(number)>>(value);
                            }});
  }

  /// name + x, y, z of a vector that `place` finds in the snapshot.
  template <class Place>
  void addVector(const std::string& prefix, const std::string& unit, Place place) {
    for (int i = 0; i < 3; ++i)
      add(
          prefix + kAxes[static_cast<std::size_t>(i)], unit,
          [ place, i ](auto& s) -> auto& { return place(s)[i]; });
  }

  void addBody(std::size_t body) {
    const std::string& name = model_.tree.bodies[body].name;
    if (body > 0) {  // the world stays where it is
      addVector(
          name + ".", "m", [body](auto& s) -> auto& { return s.X_WB[body].p; });
      addOrientation(body);
      addVector(
          name + ".v", "m/s", [body](auto& s) -> auto& { return s.V_WB[body].v; });
      addVector(
          name + ".w", "rad/s", [body](auto& s) -> auto& { return s.V_WB[body].w; });
    }
    addVector(
        name + ".contact.f", "N", [body](auto& s) -> auto& { return s.contactWrench[body].force; });
    addVector(
        name + ".contact.m", "N m", [body](auto& s) -> auto& { return s.contactWrench[body].torque; });
  }

  /// The four parts are put into the first entries of the matrix, until snapshotFrom() makes it of them.
  void addOrientation(std::size_t body) {
    constexpr std::array<const char*, 4> kParts = {"qw", "qx", "qy", "qz"};
    for (std::size_t i = 0; i < kParts.size(); ++i)
      observables_.push_back({model_.tree.bodies[body].name + "." + kParts[i], "",
                              [body, i](const Snapshot& s) {
                                const Quat q(s.X_WB[body].R);
                                return std::array{q.w(), q.x(), q.y(), q.z()}[i];
                              },
                              [body, i](Snapshot& s, double value) { s.X_WB[body].R.data()[i] = value; }});
  }

  /// Joints with one degree of freedom; poses of the others are those of their bodies.
  void addJoint(const multibody::Joint& joint) {
    if (multibody::velocityCount(joint.type) != 1) return;
    const bool linear = joint.type == multibody::JointType::Prismatic;
    const Eigen::Index q = joint.qStart;
    const Eigen::Index v = joint.vStart;
    add(
        joint.name + ".q", linear ? "m" : "rad", [q](auto& s) -> auto& { return s.q[q]; });
    add(
        joint.name + ".v", linear ? "m/s" : "rad/s", [v](auto& s) -> auto& { return s.v[v]; });
    add(
        joint.name + ".tau", linear ? "N" : "N m", [v](auto& s) -> auto& { return s.tau[v]; });
  }

  void addDeformable(std::size_t i) {
    const std::string& name = model_.deformables[i].name;
    addVector(
        name + ".", "m", [i](auto& s) -> auto& { return s.deformables[i].center; });
    addVector(
        name + ".v", "m/s", [i](auto& s) -> auto& { return s.deformables[i].velocity; });
    addVector(
        name + ".min_", "m", [i](auto& s) -> auto& { return s.deformables[i].lower; });
    addVector(
        name + ".max_", "m", [i](auto& s) -> auto& { return s.deformables[i].upper; });
    add(
        name + ".volume", "m^3", [i](auto& s) -> auto& { return s.deformables[i].volume; });
    add(
        name + ".elastic_energy", "J", [i](auto& s) -> auto& { return s.deformables[i].elasticEnergy; });
  }

  void addSensor(std::size_t i) {
    const Sensor& sensor = model_.sensors[i];
    const bool isImu = sensor.kind == SensorSpec::Kind::Imu;
    addVector(
        sensor.name + (isImu ? ".a" : ".f"),
        isImu ? "m/s^2" : "N", [i](auto& s) -> auto& { return s.sensors[i].linear; });
    addVector(
        sensor.name + (isImu ? ".w" : ".m"),
        isImu ? "rad/s" : "N m", [i](auto& s) -> auto& { return s.sensors[i].angular; });
  }

  void addTotals() {
    addVector(
        "total.momentum_", "N s", [](auto& s) -> auto& { return s.totals.momentum; });
    addVector(
        "total.angular_momentum_", "N m s", [](auto& s) -> auto& { return s.totals.angularMomentum; });
    add(
        "total.kinetic_energy", "J", [](auto& s) -> auto& { return s.totals.kineticEnergy; });
    add(
        "total.potential_energy", "J", [](auto& s) -> auto& { return s.totals.potentialEnergy; });
    add(
        "total.elastic_energy", "J", [](auto& s) -> auto& { return s.totals.elasticEnergy; });
  }

  void addSolver() {
    observables_.push_back(
        {"contacts", "", [](const Snapshot& s) { return static_cast<double>(s.contacts.size()); }, nullptr});
    add(
        "solver.substeps", "", [](auto& s) -> auto& { return s.report.substeps; });
    add(
        "solver.iterations_mean", "", [](auto& s) -> auto& { return s.report.contactIterationsMean; });
    add(
        "solver.iterations_max", "", [](auto& s) -> auto& { return s.report.contactIterationsMax; });
    add(
        "solver.rigid_iterations", "", [](auto& s) -> auto& { return s.report.rigidIterations; });
    add(
        "solver.not_converged", "", [](auto& s) -> auto& { return s.report.notConvergedSolves; });
    add(
        "solver.momentum_error", "", [](auto& s) -> auto& { return s.report.momentumError; });
    add(
        "solver.contact_remainder", "", [](auto& s) -> auto& { return s.report.contactRemainder; });
    add(
        "solver.rigid_contacts", "", [](auto& s) -> auto& { return s.report.rigidContacts; });
    add(
        "solver.rigid_pairs", "", [](auto& s) -> auto& { return s.report.rigidPairs; });
    add(
        "solver.active_nodes", "", [](auto& s) -> auto& { return s.report.activeNodes; });
    for (std::size_t phase = 0; phase < phaseCount(model_.own.get()); ++phase) {
      const PhaseInfo& info = infoOf(static_cast<Phase>(phase), model_.own.get());
      observables_.push_back({"solver.time." + std::string(info.name), "ms",
                              [phase](const Snapshot& s) { return 1e3 * s.report.phases[phase]; },
                              [phase](Snapshot& s, double value) { s.report.phases[phase] = 1e-3 * value; },
                              true});
    }
  }

  void addOwn() {
    if (model_.own == nullptr) return;
    for (Observable& observable : observablesOf(*model_.own)) observables_.push_back(std::move(observable));
  }

  const Model& model_;
  Observables observables_;
};

/// A number that a method tells of its own, or NaN where another one made the step.
double ownValue(const Snapshot& snapshot, const std::string& method, std::size_t index) {
  const bool isOfMethod = snapshot.own && snapshot.own->name == method;
  return isOfMethod && index < snapshot.ownObservables.size() ? snapshot.ownObservables[index]
                                                              : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Observables observablesOf(const Model& model) {
  return Registry(model).build();
}

Observables observablesOf(const MethodRows& own) {
  Observables observables;
  for (std::size_t i = 0; i < own.observables.size(); ++i) {
    const MethodObservable& row = own.observables[i];
    observables.push_back(
        {.name = ownPath(own.name, row.name),
         .unit = std::string(row.unit),
         .value = [method = own.name, i](const Snapshot& s) { return ownValue(s, method, i); },
         .assign = [i](Snapshot& s, double value) { s.ownObservables[i] = value; },
         .description = std::string(row.description)});
  }
  return observables;
}

Snapshot snapshotFrom(std::shared_ptr<const Model> model, const Observables& observables,
                      std::span<const double> values) {
  SIM_REQUIRE(values.size() == observables.size(), values.size(), observables.size());
  const multibody::Tree& tree = model->tree;
  Snapshot snapshot;
  snapshot.X_WB.resize(tree.bodies.size());
  snapshot.V_WB.resize(tree.bodies.size());
  snapshot.contactWrench.resize(tree.bodies.size());
  snapshot.contactRemainder.resize(tree.bodies.size());
  snapshot.q.setZero(tree.nq);
  snapshot.v.setZero(tree.nv);
  snapshot.tau.setZero(tree.nv);
  snapshot.boundaryForce.resize(model->boundaries.size(), Vec3::Zero());
  snapshot.deformables.resize(model->deformables.size());
  snapshot.sensors.resize(model->sensors.size());
  snapshot.own = model->own;
  if (model->own) snapshot.ownObservables.resize(model->own->observables.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (observables[i].assign) observables[i].assign(snapshot, values[i]);
  for (std::size_t body = 1; body < tree.bodies.size(); ++body) {
    const double* parts = snapshot.X_WB[body].R.data();
    snapshot.X_WB[body].R = Quat(parts[0], parts[1], parts[2], parts[3]).normalized().toRotationMatrix();
  }
  snapshot.model = std::move(model);
  return snapshot;
}

}  // namespace slipstick

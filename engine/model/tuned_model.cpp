#include "engine/model/tuned_model.h"

#include "engine/model/laws.h"

namespace slipstick {
namespace {

constexpr double kTouch = 1e-9;  // [m]

struct Touching {
  Shape operator()(shape::Sphere s) const { return s.radius += kTouch, s; }
  Shape operator()(shape::Box s) const { return s.halfExtents.array() += kTouch, s; }
  Shape operator()(shape::Capsule s) const { return s.radius += kTouch, s; }
  Shape operator()(shape::Cylinder s) const { return s.radius += kTouch, s.length += 2 * kTouch, s; }
  Shape operator()(shape::Ellipsoid s) const { return s.radii.array() += kTouch, s; }
  Shape operator()(const shape::Plane& s) const { return s; }
  Shape operator()(const shape::Mesh& s) const { return s; }
};

bool sameNumbers(const SurfaceProperties& a, const SurfaceProperties& b) {
  return a.modulus == b.modulus && a.stiffness == b.stiffness && a.dissipation == b.dissipation;
}

void applyToSettings(const Tuning& tuning, Model& model) {
  model.gravity = tuning.gravity;
  model.time.cfl = tuning.cfl;
  model.stictionSpeed = tuning.stictionSpeed;
  model.stictionSoftness = tuning.stictionSoftness;
  static_cast<ContactTolerances&>(model.solver) = tuning.solver;
  static_cast<RigidTolerances&>(model.rigidSolver) = tuning.rigidSolver;
}

void applyToDeformables(const Tuning& tuning, Model& model) {
  for (std::size_t d = 0; d < model.deformables.size(); ++d) {
    Deformable& deformable = model.deformables[d];
    deformable.material = tuning.materials[static_cast<std::size_t>(deformable.materialIndex)];
    deformable.apicDamping = tuning.apicDamping[d];
    if (!deformable.discretization) continue;
    if (auto other = deformable.discretization->with(deformable.material))
      deformable.discretization = std::move(other);
  }
  for (std::size_t b = 0; b < model.boundaries.size(); ++b)
    model.boundaries[b].friction = tuning.boundaryFriction[b];
}

void applyToContact(const Tuning& tuning, const Laws& laws, Model& model) {
  model.contactLaws = laws.contact;
  for (std::size_t g = 0; g < model.geometries.size(); ++g) {
    Geometry& geometry = model.geometries[g];
    geometry.friction = laws.friction[g];
    geometry.restitution = laws.restitution[g];
    if (!geometry.contactShape || sameNumbers(geometry.contactShape->properties(), laws.surfaces[g]))
      continue;
    // The shape was built before: the numbers of its surface cannot make that fail.
    geometry.contactShape = buildContactShape(geometry.shape, laws.surfaces[g]).value();
  }
  for (Model::PairException& exception : model.pairExceptions) {
    if (exception.frictionRule >= 0)
      exception.friction = tuning.pairFriction[static_cast<std::size_t>(exception.frictionRule)];
    if (exception.restitutionRule >= 0)
      exception.restitution = tuning.pairRestitution[static_cast<std::size_t>(exception.restitutionRule)];
  }
}

struct ApplyToController {
  const ControllerNumbers& numbers;
  const ServoLaw& law;

  void operator()(EndEffectorPath& c) const { c.kp = law.kp, c.kd = law.kd; }
  void operator()(JointPath& c) const { c.kp = law.kp, c.kd = law.kd, c.effortLimit = law.effortLimit; }
  void operator()(JointEffort& c) const { c.effort = numbers.effort; }
  void operator()(JointVelocity& c) const { c.velocity = numbers.velocity, c.kd = law.kd.front(); }
  void operator()(LinkForce&) const {}
};

}  // namespace

JointNumbers numbersOf(const multibody::Joint& joint) {
  return {.damping = joint.damping,
          .dryFriction = joint.dryFriction,
          .stiffness = joint.stiffness,
          .springReference = joint.springReference};
}

void applyToJoints(const Tuning& tuning, Model& model) {
  for (std::size_t j = 0; j < tuning.joints.size(); ++j) {
    multibody::Joint& joint = model.tree.joints[j];
    joint.damping = tuning.joints[j].damping;
    joint.dryFriction = tuning.joints[j].dryFriction;
    joint.stiffness = tuning.joints[j].stiffness;
    joint.springReference = tuning.joints[j].springReference;
  }
}

Result<std::shared_ptr<const ContactShape>> buildContactShape(const Shape& shape,
                                                              const SurfaceProperties& surface) {
  return ContactShape::build(std::visit(Touching{}, shape), surface);
}

void applyTuning(Model& model) {
  const Tuning& tuning = model.tuning;
  applyToSettings(tuning, model);
  applyToDeformables(tuning, model);
  applyToJoints(tuning, model);
  const Laws laws = lawsOf(model, tuning);
  applyToContact(tuning, laws, model);
  for (std::size_t c = 0; c < model.controllers.size(); ++c)
    std::visit(ApplyToController{tuning.controllers[c], laws.servos[c]}, model.controllers[c]);
}

std::shared_ptr<const Model> tunedModel(const Model& model, const Tuning& tuning) {
  auto tuned = std::make_shared<Model>(model);
  tuned->tuning = tuning;
  applyTuning(*tuned);
  return tuned;
}

}  // namespace slipstick

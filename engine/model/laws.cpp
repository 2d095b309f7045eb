#include "engine/model/laws.h"

#include "engine/model/model.h"

namespace slipstick {
namespace {

constexpr double kDefaultStiffnessFactor = 1;
constexpr double kDefaultDissipation = 1;  // [s/m]

template <class T>
void inherit(const std::optional<T>& from, std::optional<T>& to) {
  if (!to) to = from;
}

/// Fills what a place leaves open with what the next one says.
void inherit(const ContactSpec& from, ContactSpec& to) {
  inherit(from.friction, to.friction);
  if (!to.stiffness && !to.stiffnessFactor) {
    to.stiffness = from.stiffness;
    to.stiffnessFactor = from.stiffnessFactor;
  }
  inherit(from.dissipation, to.dissipation);
  inherit(from.enabled, to.enabled);
  inherit(from.restitution, to.restitution);
  inherit(from.rigid.enabled, to.rigid.enabled);
  inherit(from.rigid.representation, to.rigid.representation);
  inherit(from.rigid.modulus, to.rigid.modulus);
  inherit(from.rigid.stiffness, to.rigid.stiffness);
  inherit(from.rigid.dissipation, to.rigid.dissipation);
}

SurfaceProperties surfaceOf(const RigidSurfaceSpec& spec) {
  const SurfaceProperties fallback;
  return {spec.representation.value_or(fallback.representation), spec.modulus.value_or(fallback.modulus),
          spec.stiffness.value_or(fallback.stiffness), spec.dissipation.value_or(fallback.dissipation)};
}

ContactLaw contactLaw(const ContactSpec& spec, double modulus, double spacing) {
  return {.enabled = true,
          .friction = spec.friction.value_or(kDefaultFriction),
          .stiffness = spec.stiffness.value_or(spec.stiffnessFactor.value_or(kDefaultStiffnessFactor) *
                                               modulus * spacing),
          .dissipation = spec.dissipation.value_or(kDefaultDissipation)};
}

/// The servo law of a controller from its numbers.
struct ServoOf {
  const Model& model;
  const ControllerNumbers& numbers;

  ServoLaw operator()(const EndEffectorPath& c) const { return withGains(numbers.gains, c.joints.size()); }
  ServoLaw operator()(const JointPath& c) const {
    if (!c.isGripper) return withGains(numbers.gains, c.joints.size());
    ServoLaw law = withGains(gripperGains(model, c.joints, numbers.effort, numbers.gains), c.joints.size());
    law.effortLimit = numbers.effort;
    return law;
  }
  ServoLaw operator()(const JointVelocity&) const { return withGains(numbers.gains, 1); }
  ServoLaw operator()(const JointEffort&) const { return {}; }
  ServoLaw operator()(const LinkForce&) const { return {}; }

  static ServoLaw withGains(const PdGains& gains, std::size_t joints) {
    return {.kp = perJoint(gains.kp, joints), .kd = perJoint(gains.kd, joints)};
  }
};

}  // namespace

ContactSpec contactOf(const Tuning& tuning, const std::vector<int>& places) {
  ContactSpec all;
  for (const int place : places) inherit(tuning.contact[static_cast<std::size_t>(place)], all);
  inherit(tuning.contact.front(), all);
  return all;
}

std::vector<double> perJoint(const std::vector<double>& gains, std::size_t joints) {
  return gains.size() == 1 ? std::vector<double>(joints, gains.front()) : gains;
}

PdGains gripperGains(const Model& model, const std::vector<int>& joints, double effort, PdGains gains) {
  constexpr double kTravel = 0.005, kTurn = 0.1;  // [m], [rad]: errors that ask for the full effort
  constexpr double kTime = 0.02;                  // kd / kp [s]
  std::vector<double> kp, kd;
  for (const int joint : joints) {
    const bool slides =
        model.tree.joints[static_cast<std::size_t>(joint)].type == multibody::JointType::Prismatic;
    kp.push_back(effort / (slides ? kTravel : kTurn));
  }
  if (gains.kp.empty()) gains.kp = kp;
  for (const double stiffness : gains.kp) kd.push_back(kTime * stiffness);
  if (gains.kd.empty()) gains.kd = kd;
  return gains;
}

Laws lawsOf(const Model& model, const Tuning& tuning) {
  Laws laws;
  std::vector<ContactSpec> specs;
  for (const Geometry& geometry : model.geometries) {
    specs.push_back(contactOf(tuning, geometry.contactPlaces));
    laws.surfaces.push_back(surfaceOf(specs.back().rigid));
    laws.friction.push_back(specs.back().friction.value_or(kDefaultFriction));
    laws.restitution.push_back(specs.back().restitution.value_or(0));
  }
  for (std::size_t d = 0; d < model.deformables.size(); ++d) {
    const Deformable& deformable = model.deformables[d];
    const double modulus =
        tuning.materials[static_cast<std::size_t>(deformable.materialIndex)].contactModulus();
    for (std::size_t g = 0; g < specs.size(); ++g) {
      const Model::SoftPair& pair = model.softPair(d, g);
      ContactLaw law = contactLaw(specs[g], modulus, deformable.spacing);
      law.enabled = pair.enabled;
      if (pair.frictionRule >= 0)
        law.friction = tuning.pairFriction[static_cast<std::size_t>(pair.frictionRule)].value();
      laws.contact.push_back(law);
    }
  }
  for (std::size_t c = 0; c < model.controllers.size(); ++c)
    laws.servos.push_back(std::visit(ServoOf{model, tuning.controllers[c]}, model.controllers[c]));
  return laws;
}

}  // namespace slipstick

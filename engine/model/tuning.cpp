#include "engine/model/tuning.h"

#include "engine/model/word_hash.h"

namespace slipstick {
namespace {

void add(const MaterialParameters& m, WordHash& hash) {
  hash.add(static_cast<std::uint64_t>(m.model));
  for (const double x : {m.E, m.nu, m.density, m.yieldStress, m.snowCompression, m.snowStretch,
                         m.snowHardening, m.bulkModulus, m.tait, m.viscosity, m.largestJ, m.thickness,
                         m.normalStiffness, m.shearStiffness, m.layerFriction, m.bendingStiffness})
    hash.add(x);
  for (const double x : m.sandHardening) hash.add(x);
}

void add(const ContactSpec& c, WordHash& hash) {
  for (const std::optional<double>& x : {c.friction, c.stiffness, c.stiffnessFactor, c.dissipation,
                                         c.rigid.modulus, c.rigid.stiffness, c.rigid.dissipation})
    hash.add(x);
  // Runs from before there was restitution keep their hashes.
  if (c.restitution) hash.add(c.restitution);
}

}  // namespace

std::uint64_t hashOf(const Tuning& t) {
  WordHash hash;
  hash.add(t.gravity);
  for (const double x :
       {t.cfl, t.stictionSpeed, t.stictionSoftness, t.solver.relativeTolerance, t.solver.absoluteTolerance,
        t.rigidSolver.stictionSpeed, t.rigidSolver.stictionSoftness, t.rigidSolver.relaxationTime,
        t.rigidSolver.relativeTolerance})
    hash.add(x);
  for (const int n : {t.solver.maxIterations, t.solver.lagIterations, t.rigidSolver.maxIterations,
                      t.rigidSolver.lagIterations})
    hash.add(static_cast<std::uint64_t>(n));
  for (const MaterialParameters& material : t.materials) add(material, hash);
  hash.addSized(t.apicDamping);
  for (const ContactSpec& contact : t.contact) add(contact, hash);
  for (const std::optional<double>& friction : t.pairFriction) hash.add(friction);
  for (std::size_t rule = 0; rule < t.pairRestitution.size(); ++rule) {
    if (!t.pairRestitution[rule]) continue;
    hash.add(static_cast<std::uint64_t>(rule));
    hash.add(t.pairRestitution[rule]);
  }
  hash.addSized(t.boundaryFriction);
  for (const ControllerNumbers& c : t.controllers) {
    hash.addSized(c.gains.kp);
    hash.addSized(c.gains.kd);
    hash.add(c.effort);
    hash.add(c.velocity);
  }
  for (const JointNumbers& joint : t.joints) {
    hash.add(joint.damping);
    hash.add(joint.dryFriction);
    // Runs from before there were springs keep their hashes.
    if (joint.stiffness == 0 && joint.springReference == 0) continue;
    hash.add(joint.stiffness);
    hash.add(joint.springReference);
  }
  for (const MethodNumber& number : t.own) {
    if (number.value == number.usual) continue;
    hash.addSized(number.path);
    hash.add(number.value);
  }
  return hash.value();
}

}  // namespace slipstick

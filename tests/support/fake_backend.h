// A backend whose contact is a given list of impulses, so that tests of the stepper are about the coupling
// alone.
#pragma once

#include <memory>
#include <vector>

#include "engine/model/model.h"
#include "engine/mpm/backend.h"
#include "engine/mpm/particle_facts.h"

namespace slipstick::testing {

/// Impulse on one particle in one substep.
struct GivenImpulse {
  int particle = 0;
  int geometry = 0;
  Vec3 impulse = Vec3::Zero();  ///< γ on the particle [N s]
  Vec3 normal = Vec3::UnitZ();
  double bound = 0;        ///< μ n₀ [N s]
  double springDepth = 0;  ///< [m]
};

/// Free flight plus the given impulses, the same in each step, all at the particles' positions at t_n.
class FakeBackend : public mpm::Backend {
 public:
  explicit FakeBackend(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  std::string_view name() const override { return "fake"; }
  std::string runsOn() const override { return "fake hardware"; }

  void tune(std::shared_ptr<const Model> model) override { model_ = std::move(model); }
  void restore(const mpm::ParticleState& particles) override {
    live_ = particles;
    facts_ = factsOf(live_);
  }
  void save(mpm::ParticleState& particles) const override { particles = live_; }

  void advance(const mpm::StepInput& motion, double dt, SoftOutcome& result) override {
    seen = motion;
    result.reset(model_->tree.bodies.size(), model_->boundaries.size());
    for (std::size_t b = 0; b < remainder.size(); ++b) {
      result.remainderImpulse[b] = remainder[b];
      result.wrenchImpulse[b] += remainder[b];
    }
    mpm::ParticleState& particles = next_ = live_;
    elasticEnergy += elasticGain;
    result.report.substeps = 1;
    result.report.contacts = static_cast<int>(impulses.size());
    for (const GivenImpulse& given : impulses) addImpulse(given, motion, particles, result);
    for (std::size_t p = 0; p < particles.x.size(); ++p) {
      particles.v[p] += dt * motion.gravity;
      particles.x[p] += dt * particles.v[p];
    }
    result.report.health |= health;
    if (poison) raise(result.report.health, Health::NonFinite);
    result.facts = nextFacts_ = factsOf(next_);
  }
  void accept() noexcept override {
    std::swap(live_, next_);
    std::swap(facts_, nextFacts_);
  }

  const SoftFacts& facts() const override { return facts_; }
  void look(SoftView& view) override {
    mpm::lookAtMotion(live_, view);
    view.stress.assign(live_.x.size(), 7.0f);
    view.pressure.assign(live_.x.size(), 3.0f);
  }

  std::vector<GivenImpulse> impulses;
  std::vector<Wrench> remainder;  ///< per body, beside the impulses
  bool poison = false;
  HealthFlags health = 0;                       ///< raised in every step
  mpm::StepInput seen;                          ///< of the last call
  double elasticEnergy = 0.5, elasticGain = 0;  ///< of each deformable, and per step [J]

 private:
  void addImpulse(const GivenImpulse& given, const mpm::StepInput& motion, mpm::ParticleState& particles,
                  SoftOutcome& result) const {
    const auto p = static_cast<std::size_t>(given.particle);
    const auto body =
        static_cast<std::size_t>(model_->geometries[static_cast<std::size_t>(given.geometry)].body);
    const Vec3 x = particles.x[p];
    TouchImpulse sum;
    sum.particle = given.particle;
    sum.geometry = given.geometry;
    sum.impulse = given.impulse;
    sum.point = x;
    sum.normal = given.normal;
    sum.frictionBound = given.bound;
    sum.springDepth = given.springDepth;
    result.contacts.push_back(sum);
    const Vec3 lever = x - motion.bodies[body].X_WB.p;
    result.wrenchImpulse[body] += Wrench{-given.impulse, lever.cross(-given.impulse)};
    particles.v[p] += given.impulse / model_->nodes.mass[p];
  }

  SoftFacts factsOf(const mpm::ParticleState& particles) const {
    SoftFacts facts = mpm::factsOf(*model_, particles);
    for (DeformableSums& d : facts.deformables) d.elasticEnergy = elasticEnergy;
    return facts;
  }

  std::shared_ptr<const Model> model_;
  mpm::ParticleState live_, next_;
  SoftFacts facts_, nextFacts_;
};

/// A free cube of 2 kg (body 1) above the world with a plane (geometry 0, on the world) and a box (geometry
/// 1, on the cube), and three particles of 0.1 kg in one deformable. Δt = 10 ms.
inline std::shared_ptr<Model> cubeAndThreeParticles() {
  auto model = std::make_shared<Model>();
  model->gravity = {0, 0, -10};
  model->time.dt = 0.01;
  model->gridSpacing = 0.1;
  multibody::Joint joint;
  joint.name = "cube.free";
  joint.type = multibody::JointType::Floating;
  const Mat3 inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
  model->tree.add({.name = "cube", .mass = 2, .com = Vec3::Zero(), .inertia = inertia}, joint);
  model->initialQ = model->tree.zeroPosition();
  model->initialQ.head<3>() = Vec3(0.5, -0.2, 1);
  model->initialV = VecX::Zero(model->tree.nv);
  model->compositeOf = {0, 1};
  model->geometries.push_back({.name = "floor",
                               .body = 0,
                               .X_BG = {},
                               .shape = shape::Plane{},
                               .sdf = nullptr,
                               .contactShape = nullptr,
                               .friction = 0});
  model->geometries.push_back({.name = "cube",
                               .body = 1,
                               .X_BG = {},
                               .shape = shape::Box{Vec3(0.1, 0.1, 0.1)},
                               .sdf = nullptr,
                               .contactShape = nullptr,
                               .friction = 0});
  model->contactLaws = {{true, 0.4, 1e4, 1}, {true, 0.5, 1e4, 1}};
  model->softPairs.resize(2);
  model->contactPlaces = {"contact", "bodies.floor.contact", "bodies.cube.contact"};
  model->tuning.contact.resize(3);
  for (std::size_t g = 0; g < 2; ++g) {
    model->geometries[g].contactPlaces = {static_cast<int>(g) + 1};
    ContactSpec& contact = model->tuning.contact[g + 1];
    contact.friction = model->contactLaws[g].friction;
    contact.stiffness = 1e4;
    contact.dissipation = 1;
  }
  Deformable dough;
  dough.name = "dough";
  dough.end = 3;
  model->deformables.push_back(dough);
  model->materials = {"dough"};
  model->tuning.materials = {dough.material};
  model->tuning.apicDamping = {dough.apicDamping};
  model->tuning.gravity = model->gravity;
  model->parameters = parametersOf(*model);
  model->nodes.x = {{0, 0, 0}, {0.45, -0.2, 1.1}, {0.55, -0.25, 1.1}};
  model->nodes.v.assign(3, Vec3(0.1, 0, 0));
  model->nodes.velocityGradient.assign(3, Mat3::Zero());
  model->nodes.mass.assign(3, 0.1);
  model->nodes.volume.assign(3, 1e-4);
  return model;
}

}  // namespace slipstick::testing

#include "engine/methods/convex_mpm/convex_mpm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/model/audit_memory.h"
#include "engine/mpm/particle_state.h"
#include "engine/step/snapshot_builder.h"
#include "tests/support/async_on.h"
#include "tests/support/fake_backend.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

using testing::cubeAndThreeParticles;
using testing::FakeBackend;

/// A stepper on the fake backend, with both within reach.
struct Rig {
  explicit Rig(std::shared_ptr<const Model> modelIn = cubeAndThreeParticles()) : model(std::move(modelIn)) {
    auto owned = std::make_unique<FakeBackend>(model);
    backend = owned.get();
    stepper = testing::asyncOn(model, std::move(owned));
    stepper->save(state);
  }
  StepReport step(const std::vector<Command>& commands = {}) {
    const StepReport report = stepper->step(commands, snapshot);
    stepper->save(state);
    return report;
  }
  /// Goes on from a changed state.
  template <class Change>
  void change(const Change& change) {
    stepper->save(state);
    change(state);
    stepper->restore(state);
  }

  std::shared_ptr<const Model> model;
  FakeBackend* backend = nullptr;
  std::unique_ptr<Stepper> stepper;
  State state;
  Snapshot snapshot;
};

/// Two particles press and drag the cube, one the floor.
void touch(FakeBackend& backend) {
  backend.impulses = {{0, 0, Vec3(0.001, 0, 0.01), Vec3::UnitZ(), 0.004},
                      {1, 1, Vec3(0.002, 0.001, 0.03), Vec3::UnitZ(), 0.015},
                      {2, 1, Vec3(-0.004, 0.002, 0.02), Vec3::UnitZ(), 0.0045}};
}

TEST(AsyncStepper, MomentumGivenToBodiesIsMomentumTakenFromParticles) {
  auto model = cubeAndThreeParticles();
  model->gravity.setZero();
  Rig rig(model);
  touch(*rig.backend);
  rig.backend->impulses.erase(rig.backend->impulses.begin());  // the floor's share would leave the system
  rig.stepper->observe(rig.snapshot);
  const Totals before = rig.snapshot.totals;
  for (int i = 0; i < 5; ++i) rig.step();
  EXPECT_TRUE(rig.snapshot.totals.momentum.isApprox(before.momentum, 1e-12));
  EXPECT_LT(rig.snapshot.report.momentumError, 1e-12);
}

TEST(AsyncStepper, DrawnForcesAndTheRemainderSumToTheWrenchOfTheRigidSolve) {
  Rig rig;
  touch(*rig.backend);
  rig.backend->remainder = {{Vec3(1e-4, 0, -2e-4), Vec3(0, 3e-5, 0)},
                            {Vec3(0, 4e-4, 1e-4), Vec3(2e-5, 0, 1e-5)}};
  const Pose X_WB = Pose::fromQuat(Quat::Identity(), rig.state.q.head<3>());
  rig.step();
  ASSERT_EQ(rig.snapshot.contacts.size(), 3u);
  std::vector<Wrench> drawn(2);
  for (const Contact& contact : rig.snapshot.contacts) {
    const Vec3 lever = contact.a.body == 1 ? Vec3(contact.p_WC - X_WB.p) : contact.p_WC;
    drawn[static_cast<std::size_t>(contact.a.body)] += {contact.f_Bc_W, lever.cross(contact.f_Bc_W)};
  }
  for (std::size_t body = 0; body < 2; ++body) {
    EXPECT_GT(rig.snapshot.contactRemainder[body].force.norm(), 0.01);
    drawn[body] += rig.snapshot.contactRemainder[body];
    EXPECT_LT((drawn[body].force - rig.snapshot.contactWrench[body].force).norm(), 1e-12);
    EXPECT_LT((drawn[body].torque - rig.snapshot.contactWrench[body].torque).norm(), 1e-12);
  }
  // The rigid solve used the same wrench, once: m Δv = (f + m g) Δt and, from rest, I Δω = τ Δt.
  const double dt = rig.model->time.dt;
  const Vec3 force = rig.snapshot.contactWrench[1].force + 2 * rig.model->gravity;
  EXPECT_LT((rig.state.v.tail<3>() - dt / 2 * force).norm(), 1e-12);
  const Vec3 spin = rig.model->tree.bodies[1].inertia.inverse() * rig.snapshot.contactWrench[1].torque;
  EXPECT_LT((rig.state.v.head<3>() - dt * spin).norm(), 1e-12);
}

TEST(AsyncStepper, FreezesTheRigidMotionAtTheStartOfTheStep) {
  Rig rig;
  rig.change([](State& state) { state.v << 0, 0, 1, 0.3, 0, 0; });
  rig.step();
  EXPECT_EQ(rig.backend->seen.bodies[1].X_WB.p, Vec3(0.5, -0.2, 1));
  EXPECT_EQ(rig.backend->seen.bodies[1].V_WB.w, Vec3(0, 0, 1));
  EXPECT_EQ(rig.backend->seen.bodies[1].V_WB.v, Vec3(0.3, 0, 0));
}

/// A prescribed cube, a body on a fixed joint to it, and a free one that a weld holds to it.
TEST(AsyncStepper, SubstepsSeeThePrescribedVelocityOfThisStepOnAllThatItCarries) {
  auto model = cubeAndThreeParticles();
  multibody::Joint arm;
  arm.name = "arm";
  arm.parent = 1;
  arm.X_PJ = Pose::translation({0, 0.3, 0});
  const multibody::Body part{.name = "part", .mass = 1, .inertia = 0.01 * Mat3::Identity()};
  model->tree.add(part, arm);
  multibody::Joint free;
  free.name = "free";
  free.type = multibody::JointType::Floating;
  model->tree.add(part, free);
  VecX q = model->tree.zeroPosition();
  q.head(7) = model->initialQ;
  q.segment<3>(7) = Vec3(0.7, -0.2, 1);
  model->initialQ = q;
  model->initialV = VecX::Zero(model->tree.nv);
  model->compositeOf = {0, 1, 1, 3};
  Loop weld;
  weld.bodyA = 1, weld.bodyB = 3;
  weld.X_AaA = Pose::translation({0.2, 0, 0});
  model->loops = {weld};
  const Vec3 start(0.5, -0.2, 1), speed(0.4, 0, -0.1);
  const Quat turned(Eigen::AngleAxisd(0.5, Vec3::UnitZ()));
  Path path;
  path.keys = {{0, start, Quat::Identity()}, {1, start + speed, turned}};
  model->paths = {path};
  model->prescribed = {{0, 0}};
  Rig rig(model);
  rig.step();  // from rest: at t_n nothing moves yet
  const auto& seen = rig.backend->seen.bodies;
  const Vec3 spin(0, 0, 0.5);
  for (const std::size_t body : {1u, 2u, 3u}) {
    const Vec3 arm_W = seen[body].X_WB.p - start;
    EXPECT_LT((seen[body].V_WB.w - spin).norm(), 1e-9) << body;
    EXPECT_LT((seen[body].V_WB.v - speed - spin.cross(arm_W)).norm(), 1e-9) << body;
  }
  EXPECT_EQ(seen[0].V_WB.v, Vec3(0, 0, 0));
}

TEST(AsyncStepper, CommandsActFromTheirStepOn) {
  Rig rig;
  const Pull pull{.body = 1, .p_B = {0, 0.1, 0}, .goal_W = {0.51, -0.1, 1}};  // 1 cm sideways
  rig.step({SetParameter{"gravity", {0, 0, 1}}, SetParameter{"bodies.cube.contact.friction", {0.9}}, pull});
  EXPECT_EQ(rig.backend->seen.gravity, Vec3(0, 0, 1));
  EXPECT_EQ(rig.backend->seen.laws[0].friction, 0.4);
  EXPECT_EQ(rig.backend->seen.laws[1].friction, 0.9);
  // ω² = 400/s² of 1 cm, at the gripped point; what cannot move counts as if it could, by 1 %.
  EXPECT_NEAR(rig.state.v[3] - 0.1 * rig.state.v[2], 400 * 0.01 * 0.01, 0.03 * 0.04);
  EXPECT_NEAR(rig.state.v[5], 0.01, 1e-14);  // gravity
  const double before = rig.state.v[3];
  rig.step();
  EXPECT_GT(rig.state.v[3], 1.3 * before) << "it stays";
  rig.step({Release{}});
  const double released = rig.state.v[3];
  rig.step();
  EXPECT_EQ(rig.state.v[3], released);
}

TEST(AsyncStepper, RefusesANonFiniteStepAndLeavesTheStateAsItWas) {
  Rig rig;
  rig.step();
  const std::uint64_t hash = hashOf(rig.state);
  rig.backend->poison = true;
  EXPECT_TRUE(has(rig.step({SetParameter{"gravity", {0, 0, 1}}}).health, Health::NonFinite));
  EXPECT_TRUE(has(rig.snapshot.report.health, Health::NonFinite));
  EXPECT_EQ(hashOf(rig.state), hash);
  EXPECT_EQ(rig.state.step, 1u);
}

TEST(AsyncStepper, RefusesAStepWhoseParticlesLeftTheGrid) {
  Rig rig;
  rig.step();
  const std::uint64_t hash = hashOf(rig.state);
  raise(rig.backend->health, Health::ParticlesOutside);
  const HealthFlags health = rig.step().health;
  EXPECT_TRUE(refused(health));
  EXPECT_FALSE(has(health, Health::NonFinite));
  EXPECT_EQ(hashOf(rig.state), hash);
}

TEST(AsyncStepper, EqualStatesGiveEqualSteps) {
  Rig first;
  Rig second;
  touch(*first.backend);
  touch(*second.backend);
  for (int i = 0; i < 3; ++i) first.step();
  const State middle = first.state;
  first.step();
  second.step();  // other work in between
  second.stepper->restore(middle);
  second.step();
  EXPECT_EQ(hashOf(second.state), hashOf(first.state));
  EXPECT_EQ(second.snapshot.stateHash, first.snapshot.stateHash);
}

TEST(AsyncStepper, SnapshotStatesTheFactsOfTheParticles) {
  Rig rig;
  rig.change([](State& state) {
    mpm::ParticleState particles = mpm::particlesOf(state.soft);
    particles.F[0] = Vec3(1, 1, 0.5).asDiagonal();
    mpm::toSoftState(std::move(particles), state.soft);
  });
  rig.stepper->observe(rig.snapshot);
  const DeformableFacts& facts = rig.snapshot.deformables.at(0);
  EXPECT_NEAR(facts.volume, 2.5e-4, 1e-18);
  EXPECT_NEAR(facts.center.x(), 1.0 / 3, 1e-15);
  EXPECT_EQ(facts.lower, Vec3(0, -0.25, 0));
  EXPECT_EQ(facts.upper, Vec3(0.55, 0, 1.1));
  EXPECT_EQ(rig.snapshot.stress.at(2), 7.0f);
  EXPECT_EQ(rig.snapshot.totals.elasticEnergy, 0.5);
  EXPECT_TRUE(rig.snapshot.contacts.empty());
  EXPECT_EQ(rig.snapshot.stateHash, hashOf(rig.state));
}

TEST(AsyncStepper, LeavesParticlesOutOfASnapshotThatNobodyLooksAt) {
  Rig rig;
  rig.stepper->step({}, rig.snapshot, Detail::Particles);
  EXPECT_EQ(rig.snapshot.particles.size(), 3u);
  Snapshot facts;
  rig.stepper->observe(facts, Detail::Facts);
  EXPECT_TRUE(facts.particles.empty());
  EXPECT_TRUE(facts.stress.empty());
  EXPECT_EQ(facts.stateHash, rig.snapshot.stateHash);
  EXPECT_EQ(facts.deformables.at(0).center, rig.snapshot.deformables.at(0).center);
}

TEST(AsyncStepper, AngularMomentumHasTheAffinePart) {
  auto model = cubeAndThreeParticles();
  mpm::ParticleState particles = mpm::particlesAtStart(*model);
  for (std::size_t p = 0; p < 3; ++p) {
    particles.x[p].setZero();
    particles.v[p].setZero();
    particles.C[p] = skew(Vec3(0, 0, 3));  // a rigid spin of 3 rad/s
  }
  const Totals totals = mpm::factsOf(*model, particles).totals(Vec3::Zero());
  // Per particle m·D·2ω with D = h²/4: the inertia of the grid's kernel.
  EXPECT_TRUE(totals.angularMomentum.isApprox(Vec3(0, 0, 3 * 0.1 * 0.0025 * 2 * 3), 1e-14));
  EXPECT_NEAR(totals.kineticEnergy, 0.5 * 0.3 * 0.0025 * 18, 1e-16);
}

TEST(AsyncStepper, RunsASceneWithoutParticles) {
  auto model = cubeAndThreeParticles();
  model->deformables.clear();
  model->nodes = {};
  model->contactLaws.clear();
  const std::unique_ptr<Stepper> stepper = testing::stepperOf(model);
  ASSERT_TRUE(stepper);
  Snapshot snapshot;
  stepper->step({}, snapshot);
  EXPECT_NEAR(snapshot.v[5], -0.1, 1e-14);
  EXPECT_EQ(snapshot.report.health, 0u);
  EXPECT_EQ(snapshot.step, 1u);
}

TEST(AsyncStepper, RefusesParticlesThatNoGridReachesBeforeTheFirstStep) {
  const auto model = cubeAndThreeParticles();
  model->nodes.x[1].y() = -2e4 * model->gridSpacing;
  const Result<std::unique_ptr<Stepper>> stepper = testing::stepping().makeStepper(model, {});
  ASSERT_FALSE(stepper);
  EXPECT_EQ(stepper.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(stepper.error().message(), ::testing::HasSubstr(model->deformables[0].name));
  EXPECT_THAT(stepper.error().message(), ::testing::HasSubstr("grid cells from the origin"));
}

/// Of a recording whose bytes are others: what it says of energies counts for nothing then, and nothing else changes.
/// Contacts hold 45 mJ all the time, and the deformable gains 6 mJ in each step: 5 % of its 0.55 J are passed by five steps, not by
/// four. What the contacts hold was paid for but for the step that they began in.
TEST(AsyncStepper, FlagsAGainOfALastingContactThatFiveStepsShow) {
  auto model = cubeAndThreeParticles();
  model->gravity.setZero();
  Rig rig(model);
  rig.backend->impulses = {{1, 1, Vec3::Zero(), Vec3::UnitZ(), 0, 0.003}};
  rig.backend->elasticGain = 0.006;
  // The first step's past is not known, and the second one begins the contact for what the audit knows.
  for (int i = 1; i <= 8; ++i) {
    const StepReport report = rig.step();
    EXPECT_EQ(has(report.health, Health::EnergyGained), i > 6) << "step " << i;
  }
}

/// Tries every damage of what the rig remembers of energies; the step that follows is always the same.
void expectTheSameStepWhateverIsRemembered(Rig& rig) {
  for (int i = 0; i < 3; ++i) rig.step();
  const State whole = rig.state;
  rig.step();
  const std::uint64_t next = hashOf(rig.state);
  const auto goesOnWith = [&](const VecX& past) {
    State damaged = whole;
    damaged.remembered(kAuditMemory) = past;
    rig.stepper->restore(damaged);
    rig.step();
    return hashOf(rig.state) == next;
  };
  State copy = whole;
  const VecX past = copy.remembered(kAuditMemory);
  ASSERT_GT(past.size(), 10);
  ASSERT_GT(past[0], 0) << "steps that it knows of";
  const Eigen::Index used = 60;
  for (Eigen::Index length = 0; length < used; ++length)
    EXPECT_TRUE(goesOnWith(past.head(length))) << "cut after " << length;
  for (const double value : {std::nan(""), -1.0, 0.5, 7.0, 1e9, 1e300})
    for (Eigen::Index i = 0; i < used; ++i) {
      VecX other = past;
      other[i] = value;
      EXPECT_TRUE(goesOnWith(other)) << value << " at " << i;
    }
}

TEST(AsyncStepper, GoesOnWhateverADamagedFileSaysOfEnergies) {
  Rig rig;
  touch(*rig.backend);
  expectTheSameStepWhateverIsRemembered(rig);
}

/// Of what cannot move the audit asks whether something else was touched before.
TEST(AsyncStepper, GoesOnWhateverADamagedFileSaysOfEnergiesOnTheFloor) {
  Rig rig;
  touch(*rig.backend);
  rig.backend->impulses.resize(1);
  expectTheSameStepWhateverIsRemembered(rig);
}

}  // namespace
}  // namespace slipstick

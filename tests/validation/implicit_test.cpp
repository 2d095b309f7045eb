// The method "implicit" (Zong 2024): one implicit step of grid and rigid bodies together.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "tests/validation/panel_forces.h"
#include "tests/validation/scene_text.h"

namespace slipstick {
namespace {

StepperOptions implicit(const char* backend = "auto") {
  StepperOptions options;
  options.method = "implicit";
  options.backend = backend;
  return options;
}

/// impact, at ten times its step. Angular momentum is not exact: the tangent of stage 1 is that of one
/// configuration (Zong, VIII).
TEST(Implicit, WhatParticlesLoseOfMomentumTheBodyGains) {
  testing::SceneRun run("impact", {"time.dt_ms=10"}, implicit());
  ASSERT_TRUE(run.ok());
  const Vec3 before = run.snapshot().totals.momentum;
  const double energy = run.energy();
  double highest = energy;
  run.runTo(0.15, [&](const Snapshot&) { highest = std::max(highest, run.energy()); });
  const double given = run.state().v.tail<3>().norm();  // of a cube of 1 kg
  ASSERT_GT(given, 0.05 * before.norm()) << "they never met";
  EXPECT_LT((run.snapshot().totals.momentum - before).norm(), 1e-6 * given);
  EXPECT_LT(highest, energy * (1 + 1e-4));
  EXPECT_EQ(run.health(), 0u);
}

/// A heavy cube on a soft one, and on one of E = 1 GPa, for which explicit substeps of 10 ms would number thousands.
TEST(Implicit, ACubeRestsOnASoftOneAndOnAStiffOne) {
  for (const char* stiffness : {"materials.rubber.E=2e6", "materials.rubber.E=1e9"}) {
    testing::SceneRun run("heavy_on_soft", {"time.dt_ms=10", stiffness}, implicit());
    ASSERT_TRUE(run.ok());
    const double before = run.energy(), weight = 15 * run.model().gravity.norm();
    double highest = before;
    run.runTo(0.1, [&](const Snapshot&) { highest = std::max(highest, run.energy()); });
    const int cube = run.model().findBody("heavy_cube");
    EXPECT_NEAR(run.snapshot().contactWrench[static_cast<std::size_t>(cube)].force.z(), weight, 0.02 * weight)
        << stiffness;
    EXPECT_LT(highest - before, 1e-3 * weight * 0.1) << stiffness;
    EXPECT_EQ(run.health(), 0u) << stiffness;
  }
}

/// A hundred contacts between a cube and one of its own density, more than the nodes there tell apart.
TEST(Implicit, ACubeRestsOnASoftOneOfItsDensity) {
  testing::SceneRun run("heavy_on_soft", {"time.dt_ms=10", "bodies.heavy_cube.density=100"}, implicit());
  ASSERT_TRUE(run.ok());
  const double before = run.energy(), weight = 0.1 * run.model().gravity.norm();
  double highest = before;
  run.runTo(0.2, [&](const Snapshot&) { highest = std::max(highest, run.energy()); });
  const int cube = run.model().findBody("heavy_cube");
  EXPECT_NEAR(run.snapshot().contactWrench[static_cast<std::size_t>(cube)].force.z(), weight, 0.02 * weight);
  EXPECT_LT(highest - before, 1e-3 * weight * 0.1);
  EXPECT_EQ(run.health(), 0u);
}

/// hold, at a hundred times its step: what overlaps alone hold would sag step by step, and fall.
TEST(Implicit, HoldsACubeWithTheForcesOfStatics) {
  testing::SceneRun run("hold", {"time.dt_ms=10"}, implicit());
  ASSERT_TRUE(run.ok());
  const double weight = 0.4 * run.model().gravity.norm();
  const testing::PanelForces forces = testing::settledPanelForces(run);
  ASSERT_EQ(forces.samples, 16);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::abs(forces.mean[i].x()), 10, 0.1) << "panel " << i;
    EXPECT_NEAR(forces.mean[i].z(), -weight / 2, 0.01 * weight / 2) << "panel " << i;
    EXPECT_LT(forces.lateralRms[i], 0.02) << "panel " << i;
  }
  EXPECT_NEAR(run.snapshot().deformables.front().center.z(), 0.15, 1e-3);
  EXPECT_EQ(run.health() & ~static_cast<HealthFlags>(Health::ActuatorSaturated), 0u);
}

/// The pin of dough_rolling, on a grid of 3 cm: what it feels while it presses is what it feels under async, to the 10 per cent
/// that issue 20 asks for. With the tangents before contact dough resists as if it did not yield, and that was 19 more.
TEST(Implicit, APinFeelsThatDoughYields) {
  const auto meanForce = [](const StepperOptions& options) {
    testing::SceneRun run("dough_rolling",
                          {"grid.spacing=0.03", "deformables.dough.sampling.particles_per_cell=8"}, options);
    EXPECT_TRUE(run.ok());
    const auto roller = static_cast<std::size_t>(run.model().findBody("pin.roller"));
    Vec3 sum = Vec3::Zero();
    int count = 0;
    run.runTo(0.9, [&](const Snapshot& snapshot) {
      if (snapshot.time < 0.7) return;
      sum += snapshot.contactWrench[roller].force;
      ++count;
    });
    EXPECT_EQ(run.health() & static_cast<HealthFlags>(Health::NotConverged), 0u);
    return (sum / std::max(count, 1)).norm();
  };
  const double expected = meanForce({.method = "async"});
  EXPECT_GT(expected, 5);
  EXPECT_NEAR(meanForce(implicit()), expected, 0.1 * expected);
}

/// What stops within such a step would be squeezed to nothing.
TEST(Implicit, DividesAStepInWhichParticlesWouldCrossCells) {
  testing::SceneRun run("ball_on_slope", {"time.dt_ms=40", "contact.friction=0"}, implicit());
  ASSERT_TRUE(run.ok());
  run.step();
  EXPECT_EQ(run.snapshot().report.substeps, 1);
  const double h = run.model().gridSpacing, speed = 2.0;
  State fast = run.state();
  for (Vec3& v : fast.soft.v) v = Vec3(speed, 0, 0);
  const std::unique_ptr<Stepper> again = testing::stepperOf(run.sharedModel(), implicit());
  again->restore(fast);
  Snapshot snapshot;
  again->step({}, snapshot);
  EXPECT_GE(snapshot.report.substeps, std::ceil(speed * 0.04 / (0.5 * h)));
}

/// A soft cube slides down a slope of 30° with μ = 0.2. How far it comes has a limit as the step goes to 0, which
/// ½ (g sinθ − μ g cosθ) t² says, and comes to it in first order. (What goes on within soft things has no such limit on one
/// grid: transfers smooth velocities a little each, and the more the shorter the steps.)
TEST(Implicit, ConvergesInFirstOrderOfTheStep) {
  constexpr double kEnd = 0.32, kFriction = 0.2, kTilt = std::numbers::pi / 6;
  const auto way = [&](double dt_ms) {
    testing::SceneRun run(testing::sceneOf(R"(time: {duration: 1, dt_ms: )" + std::to_string(dt_ms) + R"(}
gravity: [4.905, 0, -8.4957092110]
grid: {spacing: 0.04}
contact: {friction: 0.2}
materials: {gel: {model: linear_corotated, E: 2.0e6, nu: 0.3, density: 1000}}
deformables: {cube: {material: gel, shape: box, size: [0.12, 0.12, 0.12], position: [0, 0, 0.06]}}
bodies: {slope: {shapes: [{shape: plane}]}}
)"),
                          implicit());
    EXPECT_TRUE(run.ok());
    const double start = run.snapshot().deformables.at(0).center.x();
    run.runTo(kEnd);
    EXPECT_EQ(run.health(), 0u);
    return run.snapshot().deformables.at(0).center.x() - start;
  };
  const double x[] = {way(16), way(8), way(4), way(2)};
  const double coarse = std::log2((x[0] - x[1]) / (x[1] - x[2])),
               fine = std::log2((x[1] - x[2]) / (x[2] - x[3]));
  const double limit = 2 * x[3] - x[2];
  const double expected = 0.5 * 9.81 * (std::sin(kTilt) - kFriction * std::cos(kTilt)) * kEnd * kEnd;
  std::printf("way at 16, 8, 4 and 2 ms: %.5f %.5f %.5f %.5f m: order %.2f, %.2f, limit %.5f of %.5f m\n",
              x[0], x[1], x[2], x[3], coarse, fine, limit, expected);
  EXPECT_NEAR(coarse, 1, 0.25);
  EXPECT_NEAR(fine, 1, 0.25);
  EXPECT_NEAR(limit, expected, 0.02 * expected);
}

TEST(Implicit, StepsAWorldInWhichNothingRigidMoves) {
  testing::SceneRun run("ball_on_slope", {"time.dt_ms=10"}, implicit());
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run.model().tree.nv, 0);
  for (int k = 0; k < 2; ++k) run.step();
  EXPECT_GT(run.snapshot().contacts.size(), 0u);
  EXPECT_EQ(run.health(), 0u);
}

TEST(Implicit, GoesOnFromASavedStateBitByBit) {
  testing::SceneRun run("heavy_on_soft", {"time.dt_ms=10"}, implicit());
  ASSERT_TRUE(run.ok());
  for (int k = 0; k < 3; ++k) run.step();
  const State state = run.state();
  const std::unique_ptr<Stepper> again = testing::stepperOf(run.sharedModel(), implicit());
  again->restore(state);
  Snapshot snapshot;
  for (int k = 0; k < 3; ++k) {
    run.step();
    again->step({}, snapshot);
    ASSERT_EQ(snapshot.stateHash, run.snapshot().stateHash) << k;
  }
}

TEST(Implicit, SaysWhatItCannotDo) {
  const auto why = [](const char* scene, const StepperOptions& options) {
    const Result<assets::LoadedModel> loaded =
        assets::loadModel(scene, {.overrides = {}, .packagePaths = {}});
    const auto stepper = testing::stepping().makeStepper(loaded->model, options);
    return stepper ? std::string() : stepper.error().message();
  };
  EXPECT_THAT(why("hold", implicit("cpu")), ::testing::HasSubstr("choose auto"));
  EXPECT_EQ(why("hold", implicit()), "");
}

}  // namespace
}  // namespace slipstick

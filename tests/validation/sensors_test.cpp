// Sensors of a scene against statics, free fall and circular motion.
#include <cmath>
#include <numbers>

#include "engine/facts/observables.h"
#include "tests/validation/scene_run.h"
#include "tests/validation/scene_text.h"

namespace slipstick {
namespace {

constexpr double kG = 9.81;

/// An observable by name; fails where there is none.
double valueOf(const testing::SceneRun& run, const std::string& name) {
  for (const Observable& observable : observablesOf(run.model()))
    if (observable.name == name) return observable.value(run.snapshot());
  ADD_FAILURE() << "no observable '" << name << "'";
  return NAN;
}

Vec3 vectorOf(const testing::SceneRun& run, const std::string& prefix) {
  return {valueOf(run, prefix + "x"), valueOf(run, prefix + "y"), valueOf(run, prefix + "z")};
}

TEST(Sensors, AnImuAtRestReadsTheWeightUpwardsAndInFallNothing) {
  testing::SceneRun run(testing::sceneOf(R"(
time: {dt_ms: 2}
bodies:
  table: {shapes: [{shape: plane}]}
  shelf: {rpy_deg: [0, 90, 0], position: [3, 0, 1], shapes: [{shape: sphere, radius: 0.1}]}
  stone: {base: free, density: 1000, position: [0, 0, 9], shapes: [{shape: sphere, radius: 0.1}]}
sensors:
  on_shelf: {kind: imu, link: shelf}
  in_stone: {kind: imu, link: stone, position: [0, 0, 0.05], rpy_deg: [0, 0, 90]}
)"));
  ASSERT_TRUE(run.ok());
  run.runTo(0.2);
  // The shelf's x axis points down: upwards is −x.
  EXPECT_LT((vectorOf(run, "on_shelf.a") - Vec3(-kG, 0, 0)).norm(), 1e-9);
  EXPECT_LT(vectorOf(run, "in_stone.a").norm(), 1e-9);
  EXPECT_LT(vectorOf(run, "in_stone.w").norm(), 1e-9);
}

TEST(Sensors, AnImuOnAWheelReadsItsSpeedAndThePullToTheAxle) {
  constexpr double w = 4, r = 0.3, dt = 1e-3;
  testing::SceneRun run(testing::sceneOf(R"(
time: {dt_ms: 1}
gravity: [0, 0, 0]
bodies:
  wheel: {base: free, density: 1000, angular_velocity: [0, 0, 4], shapes: [{shape: cylinder, radius: 0.4, length: 0.1}]}
sensors:
  rim: {kind: imu, link: wheel, position: [0.3, 0, 0]}
)"));
  ASSERT_TRUE(run.ok());
  run.runTo(0.5);
  EXPECT_LT((vectorOf(run, "rim.w") - Vec3(0, 0, w)).norm(), 1e-6);
  // The mean over a step, in the frame of its end: turned by half of ω Δt.
  const double pull = w * w * r;
  EXPECT_LT((vectorOf(run, "rim.a") - Vec3(-pull, 0, 0)).norm(), pull * w * dt);
}

TEST(Sensors, AForceTorqueSensorCarriesWhatHangsBeyondIt) {
  testing::SceneRun run(testing::sceneOf(R"(
time: {dt_ms: 2}
bodies:
  arm: {mass: 1, position: [0, 0, 1], shapes: [{shape: box, size: [0.1, 0.1, 0.1]}]}
  load: {attach_to: arm, mass: 2, position: [0.5, 0, 0], rpy_deg: [0, 0, 90], shapes: [{shape: box, size: [0.1, 0.1, 0.1]}]}
sensors:
  at_load: {kind: force_torque, link: load}
  at_arm: {kind: force_torque, link: arm}
  aside: {kind: force_torque, link: load, position: [0.2, 0, 0], rpy_deg: [90, 0, 0]}
)"));
  ASSERT_TRUE(run.ok());
  run.runTo(0.1);
  EXPECT_LT((vectorOf(run, "at_load.f") - Vec3(0, 0, 2 * kG)).norm(), 1e-9);
  EXPECT_LT(vectorOf(run, "at_load.m").norm(), 1e-9);
  EXPECT_LT((vectorOf(run, "at_arm.f") - Vec3(0, 0, 3 * kG)).norm(), 1e-9);
  // Half a metre along x: the torque that carries it points along −y.
  EXPECT_LT((vectorOf(run, "at_arm.m") - Vec3(0, -kG, 0)).norm(), 1e-9);
  // z of the world is y of the turned sensor; its origin stands .2 m along the load's x from the load.
  EXPECT_LT((vectorOf(run, "aside.f") - Vec3(0, 2 * kG, 0)).norm(), 1e-9);
  EXPECT_NEAR(vectorOf(run, "aside.m").norm(), 0.2 * 2 * kG, 1e-9);
}

TEST(Sensors, AContactSensorFeelsAllOrOneThing) {
  testing::SceneRun run(testing::sceneOf(R"(
time: {dt_ms: 5}
bodies:
  ground: {shapes: [{shape: plane}]}
  lower: {base: free, mass: 3, position: [0, 0, 0.05], shapes: [{shape: box, size: [0.1, 0.1, 0.1]}]}
  upper: {base: free, mass: 1, position: [0, 0, 0.15], shapes: [{shape: box, size: [0.1, 0.1, 0.1]}]}
sensors:
  all: {kind: contact, link: lower}
  from_ground: {kind: contact, link: lower, other: ground}
  from_upper: {kind: contact, link: lower, other: upper}
  foot: {kind: contact, link: ground, other: lower}
)"));
  ASSERT_TRUE(run.ok());
  run.runTo(2);
  const double tolerance = 1e-3 * 4 * kG;  // at rest to a thousandth of the weight
  EXPECT_NEAR(valueOf(run, "from_ground.fz"), 4 * kG, tolerance);
  EXPECT_NEAR(valueOf(run, "from_upper.fz"), -kG, tolerance);
  EXPECT_NEAR(valueOf(run, "all.fz"), 3 * kG, tolerance);
  EXPECT_NEAR(valueOf(run, "foot.fz"), -4 * kG, tolerance);
}

TEST(Sensors, AContactSensorFeelsASoftThing) {
  testing::SceneRun run(testing::sceneOf(R"(
time: {dt_ms: 5}
grid: {spacing: 0.02}
materials: {gel: {model: neo_hookean, E: 1.0e5, nu: 0.3, density: 500}}
deformables: {jelly: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 0.05]}}
bodies:
  plate: {shapes: [{shape: plane}]}
sensors:
  weight: {kind: contact, link: plate, other: jelly}
)"));
  ASSERT_TRUE(run.ok());
  double sum = 0;
  int count = 0;
  run.runTo(1, [&](const Snapshot& s) {
    if (s.time < 0.5) return;
    sum += s.sensors.at(0).linear.z();
    ++count;
  });
  const double weight = 0.5 * kG;  // 500 kg/m³ in a litre
  EXPECT_NEAR(sum / count, -weight, 0.03 * weight)
      << "2 m v/T of the swing that it starts with, v = 0.06 m/s, T = 0.5 s: 2.5 %";
}

}  // namespace
}  // namespace slipstick

// What a scene that names no method gets: forces and energies of light bodies on soft things are right, whatever their mass
// and the step; and the criterion behind it against what the README's table says of heavy_on_soft.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "engine/model/method_choice.h"
#include "tests/support/long_runs.h"
#include "tests/validation/scene_run.h"
#include "tests/validation/scene_text.h"

namespace slipstick {
namespace {

constexpr double kEffort = 5;  // [N]
const StepperOptions kByTheProgram{.method = std::string(kAutoMethod), .backend = "cpu", .threads = 1};

std::string ms(double dt) {
  return "time: {dt_ms: " + std::to_string(1000 * dt);
}

LinkSpec finger(const std::string& name, double mass) {
  LinkSpec link;
  link.name = name;
  link.mass = mass;
  const Vec3 size(0.012, 0.03, 0.08);
  link.inertia = mass / 12 * (size.squaredNorm() * Mat3::Identity() - Mat3(size.cwiseAbs2().asDiagonal()));
  LinkGeometry pad;
  pad.name = pad.key = "pad";
  pad.shape = shape::Box{0.5 * size};
  link.collisions = {pad};
  return link;
}

/// Two fingers on rails close on a cube of foam that stands on a table.
Scene gripper(double mass, double dt) {
  Scene scene = testing::sceneOf(ms(dt) + R"(, duration: 3}
grid: {spacing: 0.01}
contact: {friction: 0.8}
materials: {foam: {model: neo_hookean, E: 1.0e5, nu: 0.3, density: 100}}
bodies: {table: {shapes: [{shape: box, size: [0.4, 0.4, 0.02], position: [0, 0, -0.01]}]}}
deformables: {cube: {material: foam, shape: box, size: [0.05, 0.05, 0.05], position: [0, 0, 0.025]}}
)");
  RobotSpec robot;
  robot.name = robot.description.name = "grip";
  robot.X_PB = Pose::translation({0, 0, 0.06});
  LinkSpec base;
  base.name = "base";
  robot.description.links = {base, finger("left", mass), finger("right", mass)};
  for (const auto& [name, side] : {std::pair("left", -1.0), std::pair("right", 1.0)}) {
    JointSpec joint;
    joint.name = joint.child = name;
    joint.type = multibody::JointType::Prismatic;
    joint.parent = "base";
    joint.X_PJ = Pose::translation({side * 0.04, 0, 0});
    joint.axis = Vec3(-side, 0, 0);
    joint.lower = 0, joint.upper = 0.05, joint.effortLimit = 20;
    robot.description.joints.push_back(joint);
  }
  scene.robots.push_back(robot);
  GripperSpec close;
  close.robot = "grip";
  close.keys = {{0, 0}, {0.4, 0.04}};
  close.effort = kEffort;
  scene.controllers.push_back(close);
  return scene;
}

struct Grip {
  std::string method;
  double force = 0;  ///< the mean of both fingers, over the last half second [N]
};

Grip gripOf(double mass, double dt) {
  testing::SceneRun run(gripper(mass, dt), kByTheProgram);
  if (!run.ok()) return {};
  Grip grip{std::string(run.stepper().method()), 0};
  int steps = 0;
  run.runTo(1.6, [&](const Snapshot& s) {
    if (s.time <= 1.1) return;
    for (const char* name : {"grip.left", "grip.right"})
      grip.force +=
          std::abs(s.contactWrench[static_cast<std::size_t>(run.model().findBody(name))].force.x()) / 2;
    ++steps;
  });
  grip.force /= steps;
  return grip;
}

/// At rest nothing but contact acts against a finger's effort, so that it presses with that, whatever its mass.
void expectGrip(double mass, double dt) {
  const Grip grip = gripOf(mass, dt);
  std::printf("fingers of %6g kg, %3g ms: %-6s %.3f N\n", mass, 1000 * dt, grip.method.c_str(), grip.force);
  EXPECT_NEAR(grip.force, kEffort, 0.01 * kEffort) << mass << " kg, " << dt << " s, " << grip.method;
}

TEST(LightBodies, AGripperPressesWithTheEffortItIsTold) {
  expectGrip(1e-3, 5e-3);
  expectGrip(1e-4, 10e-3);
  expectGrip(1, 10e-3);
}

TEST(LightBodies, FullRunAGripperPressesWithTheEffortItIsTold) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  for (const double mass : {1e-4, 1e-3, 1e-2, 0.05, 0.2, 1.0})
    for (const double dt : {1e-3, 2e-3, 5e-3, 10e-3}) expectGrip(mass, dt);
}

/// What energy a run has at most beyond that of its start [J].
double gained(testing::SceneRun& run, double until) {
  const double start = run.energy();
  double highest = start;
  run.runTo(until, [&](const Snapshot&) { highest = std::max(highest, run.energy()); });
  return highest - start;
}

const char* const kCup = R"(, duration: 3}
grid: {spacing: 0.01}
contact: {friction: 0.5}
materials: {foam: {model: neo_hookean, E: 5.0e4, nu: 0.3, density: 100}}
deformables: {cushion: {material: foam, shape: box, size: [0.12, 0.12, 0.04], position: [0, 0, 0.02]}}
bodies:
  floor: {shapes: [{shape: plane}]}
  cup:
    base: free
    density: 214
    position: [0, 0, 0.0405]
    shapes:
      - {name: bottom, shape: box, size: [0.05, 0.05, 0.002], position: [0, 0, 0.001]}
      - {name: left, shape: box, size: [0.002, 0.05, 0.06], position: [-0.024, 0, 0.032]}
      - {name: right, shape: box, size: [0.002, 0.05, 0.06], position: [0.024, 0, 0.032]}
      - {name: front, shape: box, size: [0.046, 0.002, 0.06], position: [0, -0.024, 0.032]}
      - {name: back, shape: box, size: [0.046, 0.002, 0.06], position: [0, 0.024, 0.032]}
)";

/// It goes down until particles touch, which stand half their distance inside of what they fill, at the cushion's top and
/// at the floor; and gains nothing: what is left over is numbers, a thousandth of what it weighs through the cushion's height.
TEST(LightBodies, ACupStandsOnACushion) {
  testing::SceneRun run(testing::sceneOf(ms(0.01) + kCup), kByTheProgram);
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run.stepper().method(), kCoupledMethod);
  const auto cup = static_cast<std::size_t>(run.model().findBody("cup"));
  const double mass = run.model().tree.bodies[cup].mass;
  EXPECT_NEAR(mass, 6e-3, 1e-4);
  EXPECT_LT(gained(run, 1), 1e-3 * mass * 9.81 * 0.04);
  const double height = run.snapshot().X_WB[cup].p.z();
  EXPECT_NEAR(height, 0.04 - 0.005, 1e-3);
  double away = 0;
  run.runTo(1.3, [&](const Snapshot& s) { away = std::max(away, std::abs(s.X_WB[cup].p.z() - height)); });
  EXPECT_LT(away, 1e-4) << "it does not rest [m]";
}

const char* const kBall = R"(, duration: 0.2}
grid: {spacing: 0.01}
contact: {friction: 0.3}
materials: {gel: {model: neo_hookean, E: 1.0e5, nu: 0.4, density: 1000}}
deformables: {pad: {material: gel, shape: box, size: [0.12, 0.12, 0.04], position: [0, 0, 0.02]}}
bodies:
  floor: {shapes: [{shape: plane}]}
  ball: {base: free, density: 2000, position: [0, 0, 0.09], velocity: [0, 0, -4], shapes: [{shape: sphere, radius: 0.01}]}
)";

TEST(LightBodies, ABallOffGelGainsNothing) {
  for (const double dt : {1e-3, 5e-3, 10e-3}) {
    testing::SceneRun run(testing::sceneOf(ms(dt) + kBall), kByTheProgram);
    ASSERT_TRUE(run.ok());
    const double start = run.energy();
    EXPECT_LT(gained(run, 0.2), 1e-2 * start) << dt << " s, " << run.stepper().method();
  }
}

/// The entries of the README's table: − gains energy or flies off, the others do not.
TEST(LightBodies, TheChoiceFollowsWhatIsKnownOfHeavyOnSoft) {
  struct Row {
    double ratio;
    const char* signs;  // at 1, 5 and 10 ms
  };
  const double steps[] = {1, 5, 10};
  double before = 0;
  for (const Row& row : {Row{1, "---"}, Row{10, "+--"}, Row{150, "+~-"}, Row{1000, "+++"}})
    for (int k = 0; k < 3; ++k) {
      const Result<assets::LoadedModel> loaded = assets::loadModel(
          "heavy_on_soft", {.overrides = {"bodies.heavy_cube.density=" + std::to_string(100 * row.ratio),
                                          "time.dt_ms=" + std::to_string(steps[k]), "solver.method=auto"},
                            .packagePaths = {}});
      ASSERT_TRUE(loaded) << loaded.error().message();
      const FrozenMotion worst = worstFrozenMotion(*loaded->model);
      EXPECT_EQ(loaded->model->solver.method, row.signs[k] == '-' ? kCoupledMethod : kFrozenMethod)
          << row.ratio << ", " << steps[k] << " ms: " << worst.share;
      if (k > 0) {
        EXPECT_NEAR(worst.share / before, std::pow(steps[k] / steps[k - 1], 2), 1e-6);
      }
      before = worst.share;
    }
}

}  // namespace
}  // namespace slipstick

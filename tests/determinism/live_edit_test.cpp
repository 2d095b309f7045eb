// Numbers that change while it runs: bits against bits.
#include <gtest/gtest.h>

#include <thread>

#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "engine/runtime/simulation_thread.h"
#include "tests/support/initial_state.h"
#include "tests/support/stepping.h"
#include "tests/support/test_paths.h"

namespace slipstick {
namespace {

/// A soft cube and a crate slide on a table against a wall; an arm with one joint holds its position.
constexpr const char* kScene = R"(
time: {dt_ms: 5, duration: 2}
grid: {spacing: 0.04}
contact: {friction: 0.4}
materials:
  gel: {model: hencky_von_mises, E: 2e4, nu: 0.3, density: 1000, yield_stress: 300}
deformables:
  cube: {material: gel, shape: box, size: [0.16, 0.16, 0.16], position: [0, 0, 0.079], velocity: [1, 0, -1],
         sampling: {count: [8, 8, 8]}}
boundaries:
  wall: {kind: separate, shape: plane, position: [0.1, 0, 0], rpy_deg: [0, -90, 0], friction: 0.2}
bodies:
  table: {shapes: [{shape: plane}]}
  crate: {base: free, mass: 1, position: [0, 0.5, 0.0499], velocity: [1, 0, 0], shapes: [{shape: box, size: [0.1, 0.1, 0.1]}]}
robots:
  slide: {urdf: ../robots/slider.urdf, position: [0, 1, 1]}
controllers:
  - {kind: joint_path, robot: slide, joints: [slide], kp: 100, kd: 10, keys: [{t: 0, q: [0]}, {t: 1, q: [0.1]}]}
)";

std::shared_ptr<const Model> modelOf(const std::vector<std::string>& overrides = {}) {
  const Result<assets::LoadedScene> loaded =
      assets::parseScene(kScene, testing::sourceDir() / "assets" / "scenes", "tuning",
                         {.overrides = overrides, .packagePaths = {}});
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message();
    return nullptr;
  }
  const Result<CompiledScene> compiled = compile(loaded->scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled ? compiled->model : nullptr;
}

std::unique_ptr<Stepper> stepperOf(const std::shared_ptr<const Model>& model, const std::string& backend) {
  return testing::stepperOf(model, {.backend = backend, .threads = 1});
}

/// After some steps, the first of which gets the commands.
State after(int steps, Stepper& stepper, const std::vector<Command>& commands = {}) {
  Snapshot snapshot;
  for (int i = 0; i < steps; ++i)
    stepper.step(i == 0 ? std::span<const Command>(commands) : std::span<const Command>(), snapshot);
  State state;
  stepper.save(state);
  EXPECT_EQ(hashOf(state), snapshot.stateHash);
  return state;
}

/// Positions and velocities, without the numbers in force.
std::uint64_t motionOf(State state) {
  state.tuning = std::make_shared<const Tuning>();
  return hashOf(state);
}

struct Edit {
  const char* path;
  double value;
};

TEST(LiveEdit, AtTheFirstStepIsASceneWrittenWithThatNumber) {
  constexpr int kSteps = 6;
  const std::vector<Edit> edits = {{"materials.gel.E", 5e4},
                                   {"materials.gel.nu", 0.4},
                                   {"materials.gel.yield_stress", 100},
                                   {"contact.friction", 0.1},
                                   {"bodies.table.contact.friction", 0.9},
                                   {"contact.stiffness_factor", 3},
                                   {"contact.dissipation", 4},
                                   {"contact.stiction_speed", 0.05},
                                   {"contact.stiction_softness", 0.9},
                                   {"contact.rigid.modulus", 1e5},
                                   {"contact.rigid.dissipation", 1},
                                   {"solver.relative_tolerance", 1e-4},
                                   {"solver.rigid.stiction_speed", 0.01},
                                   {"solver.rigid.stiction_softness", 0.9},
                                   {"deformables.cube.apic_damping", 0},
                                   {"boundaries.wall.friction", 0.9},
                                   {"controllers.0.kp", 1000},
                                   {"controllers.0.kd", 1},
                                   {"robots.slide.damping.slide", 3},
                                   {"robots.slide.dry_friction.slide", 1},
                                   {"gravity.z", -3},
                                   {"time.cfl", 0.2}};
  const auto model = modelOf();
  ASSERT_TRUE(model);
  for (const std::string backend : {"cpu", "reference"}) {
    const std::uint64_t unedited = motionOf(after(kSteps, *stepperOf(model, backend)));
    for (const Edit& edit : edits) {
      const State live = after(kSteps, *stepperOf(model, backend), {SetParameter{edit.path, {edit.value}}});
      const auto written = modelOf({std::string(edit.path) + "=" + std::to_string(edit.value)});
      ASSERT_TRUE(written);
      EXPECT_EQ(hashOf(live), hashOf(after(kSteps, *stepperOf(written, backend)))) << edit.path;
      EXPECT_NE(motionOf(live), unedited) << edit.path << " does nothing in " << backend;
    }
  }
}

TEST(LiveEdit, ToTheNumberThatTheFileHasChangesNothing) {
  const auto model = modelOf();
  ASSERT_TRUE(model);
  std::vector<Command> same;
  for (const Parameter& parameter : model->parameters)
    if (const ParameterValue value = valueOf(parameter, model->tuning); !value.empty())
      same.push_back(SetParameter{parameter.path, value});
  for (const std::string backend : {"cpu", "reference"})
    EXPECT_EQ(hashOf(after(5, *stepperOf(model, backend), same)),
              hashOf(after(5, *stepperOf(model, backend))));
}

TEST(LiveEdit, AStepThatIsRefusedTakesItBack) {
  const auto model = modelOf();
  ASSERT_TRUE(model);
  const std::unique_ptr<Stepper> stepper = stepperOf(model, "cpu"), other = stepperOf(model, "cpu");
  Snapshot snapshot;
  // More than a float holds: its stresses are no numbers.
  const std::vector<Command> tooMuch = {SetParameter{"materials.gel.E", {1e39}}};
  EXPECT_TRUE(refused(stepper->step(tooMuch, snapshot).health));
  EXPECT_EQ(hashOf(after(4, *stepper)), hashOf(after(4, *other)));
}

/// Edits posted while it runs as fast as it can.
TEST(LiveEdit, AtFullSpeedIsReproducedByResuming) {
  const auto model = modelOf();
  ASSERT_TRUE(model);
  const auto owner = SimulationThread::create(model, [](std::shared_ptr<const Model> of) {
                       return Result<std::unique_ptr<Stepper>>(stepperOf(of, "cpu"));
                     }).value();
  SimulationThread& thread = *owner;
  thread.setSpeed(std::numeric_limits<double>::infinity());
  thread.play();
  const std::vector<Edit> edits = {{"contact.friction", 0.1},
                                   {"materials.gel.E", 4e4},
                                   {"materials.gel.yield_stress", 100},
                                   {"controllers.0.kp", 400},
                                   {"solver.relative_tolerance", 1e-2},
                                   {"gravity.z", -5},
                                   {"materials.gel.E", 1e4}};
  std::uint64_t step = 0;
  for (const Edit& edit : edits) {
    while (thread.status().lastStep < step + 3) std::this_thread::yield();
    EXPECT_TRUE(thread.post(SetParameter{edit.path, {edit.value}}));
    step = thread.status().lastStep;
  }
  while (thread.status().lastStep < step + 10) std::this_thread::yield();
  thread.pause();
  thread.waitUntilIdle();
  const auto last = thread.latest();
  ASSERT_EQ(thread.status().error, "");
  const std::uint64_t before = thread.at(2)->stateHash;  // of all edits
  thread.setHistoryBudget(3 * testing::initialState(*model).byteCount() *
                          3);  // so that the replay is a long one
  thread.resumeFrom(last->branch, last->step);
  thread.waitUntilIdle();
  EXPECT_EQ(thread.status().error, "");
  EXPECT_EQ(thread.latest()->stateHash, last->stateHash);
  thread.resumeFrom(0, 2);
  thread.waitUntilIdle();
  EXPECT_EQ(thread.status().error, "");
  EXPECT_EQ(thread.latest()->stateHash, before);
  EXPECT_FALSE(thread.post(SetParameter{"materials.gel.E", {-1}}));
  EXPECT_FALSE(thread.post(SetParameter{"materials.jel.E", {1}}));
}

TEST(Pull, IsInNobodysHandAfterAResume) {
  const auto model = modelOf();
  ASSERT_TRUE(model);
  const int body = model->findBody("crate");
  const auto owner = SimulationThread::create(model, [](std::shared_ptr<const Model> of) {
                       return Result<std::unique_ptr<Stepper>>(stepperOf(of, "cpu"));
                     }).value();
  SimulationThread& thread = *owner;
  EXPECT_TRUE(thread.post(Pull{.body = body, .goal_W = {0, 0.5, 1}}));
  thread.runUntil(0.5);
  thread.waitUntilIdle();
  const double height = thread.at(60)->X_WB[static_cast<std::size_t>(body)].p.z();
  EXPECT_GT(height, 0.3) << "it is in the air";
  thread.resumeFrom(0, 60);
  thread.waitUntilIdle();
  ASSERT_EQ(thread.status().error, "");
  const double before = thread.latest()->V_WB[static_cast<std::size_t>(body)].v.z();
  thread.runUntil(61 * 0.005);
  thread.waitUntilIdle();
  EXPECT_NEAR(thread.latest()->V_WB[static_cast<std::size_t>(body)].v.z(), before - 9.81 * 0.005, 1e-9);
}

}  // namespace
}  // namespace slipstick

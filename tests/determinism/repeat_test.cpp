// Equal inputs give equal bits: from run to run, for any number of threads, and after going back in history.
#include <gtest/gtest.h>

#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "engine/runtime/simulation_thread.h"
#include "tests/support/initial_state.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

constexpr const char* kScene = R"(title: a soft cube falls on a table and is hit by a ball
time: {dt_ms: 5, duration: 1}
grid: {spacing: 0.04}
materials:
  gel: {model: hencky_von_mises, E: 2e4, nu: 0.3, density: 1000, yield_stress: 500}
deformables:
  cube: {material: gel, shape: box, size: [0.16, 0.16, 0.16], position: [0, 0, 0.081], sampling: {count: [15, 15, 15]}}
bodies:
  table: {shapes: [{name: top, shape: plane}]}
  ball: {base: free, mass: 1, position: [0, 0.01, 0.23], velocity: [0, 0, -1], shapes: [{name: ball, shape: sphere, radius: 0.05}]}
)";

std::shared_ptr<const Model> loadScene() {
  Result<assets::LoadedScene> loaded = assets::parseScene(kScene, ".", "cube_and_ball");
  if (!loaded) {
    ADD_FAILURE() << loaded.error().message();
    return nullptr;
  }
  Result<CompiledScene> compiled = compile(loaded->scene);
  if (!compiled) {
    ADD_FAILURE() << compiled.error().message();
    return nullptr;
  }
  return compiled->model;
}

/// Hash after every step.
std::vector<std::uint64_t> hashes(const std::shared_ptr<const Model>& model, const StepperOptions& options,
                                  int steps) {
  const std::unique_ptr<Stepper> stepper = testing::stepperOf(model, options);
  State state;
  Snapshot snapshot;
  std::vector<std::uint64_t> all;
  int contacts = 0;
  for (int i = 0; i < steps; ++i) {
    stepper->step({}, snapshot);
    stepper->save(state);
    EXPECT_EQ(snapshot.stateHash, hashOf(state));
    all.push_back(snapshot.stateHash);
    contacts += static_cast<int>(snapshot.contacts.size());
  }
  EXPECT_GT(contacts, 0) << "the scene must exercise contact";
  return all;
}

TEST(Determinism, CpuBackendGivesTheSameBitsForAnyNumberOfThreads) {
  const auto model = loadScene();
  ASSERT_NE(model, nullptr);
  const auto one = hashes(model, {.backend = "cpu", .threads = 1}, 30);
  EXPECT_EQ(hashes(model, {.backend = "cpu", .threads = 1}, 30), one);
  EXPECT_EQ(hashes(model, {.backend = "cpu", .threads = 2}, 30), one);
}

TEST(Determinism, ResumingFromThePastReproducesTheUninterruptedRun) {
  const auto model = loadScene();
  ASSERT_NE(model, nullptr);
  const auto makeStepper = [](std::shared_ptr<const Model> of) -> Result<std::unique_ptr<Stepper>> {
    return testing::stepperOf(of, {});
  };
  const auto first = SimulationThread::create(model, makeStepper).value();
  const auto second = SimulationThread::create(model, makeStepper).value();
  SimulationThread &whole = *first, &resumed = *second;
  for (SimulationThread* thread : {&whole, &resumed}) {
    thread->runUntil(0.05);
    thread->waitUntilIdle();
    EXPECT_TRUE(thread->post(Pull{.body = model->findBody("ball"), .goal_W = {0.2, 0, 0.25}}));
    EXPECT_TRUE(thread->post(SetParameter{"contact.friction", {0.1}}));
    thread->runUntil(0.08);
    thread->waitUntilIdle();
    EXPECT_TRUE(thread->post(Release{}));
    thread->runUntil(0.15);
    thread->waitUntilIdle();
  }
  resumed.setHistoryBudget(4 * testing::initialState(*model).byteCount() *
                           3);  // three keyframes: the replay is a real one
  resumed.resumeFrom(0, 19);
  resumed.waitUntilIdle();
  ASSERT_EQ(resumed.status().error, "");
  EXPECT_EQ(resumed.latest()->stateHash, whole.at(19)->stateHash);
  EXPECT_EQ(resumed.latest()->contacts.size(), whole.at(19)->contacts.size());
  for (SimulationThread* thread : {&whole, &resumed}) {
    thread->runUntil(0.25);
    thread->waitUntilIdle();
  }
  ASSERT_EQ(whole.latest()->step, 50u);
  EXPECT_EQ(resumed.latest()->step, 50u);
  EXPECT_EQ(resumed.latest()->stateHash, whole.latest()->stateHash);
}

/// Boxes, a ball and a cylinder that fall onto each other beside a wall.
std::shared_ptr<const Model> tumblingHeap() {
  std::string yaml = "time: {dt_ms: 2, duration: 1}\nbodies:\n  ground: {shapes: [{shape: plane}]}\n";
  for (int i = 0; i < 12; ++i) {
    const std::string shape = i % 4 == 0   ? "{shape: sphere, radius: 0.06}"
                              : i % 4 == 1 ? "{shape: cylinder, radius: 0.05, length: 0.12}"
                                           : "{shape: box, size: [0.12, 0.1, 0.08]}";
    yaml += "  b" + std::to_string(i) + ": {base: free, density: 500, position: [" +
            std::to_string(0.05 * (i % 3)) + ", " + std::to_string(0.04 * (i % 2)) + ", " +
            std::to_string(0.08 + 0.11 * i) + "], rpy_deg: [" + std::to_string(20 * i) + ", 35, " +
            std::to_string(50 * i) + "], shapes: [" + shape + "]}\n";
  }
  Result<assets::LoadedScene> scene = assets::parseScene(yaml, ".", "heap");
  if (!scene) {
    ADD_FAILURE() << scene.error().message();
    return nullptr;
  }
  Result<CompiledScene> compiled = compile(scene->scene);
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message());
  return compiled ? compiled->model : nullptr;
}

TEST(Determinism, ARigidStepDependsOnItsStateAlone) {
  const auto model = tumblingHeap();
  ASSERT_NE(model, nullptr);
  const std::unique_ptr<Stepper> worn = testing::stepperOf(model, {});
  State before;
  Snapshot snapshot, other;
  int contacts = 0;
  for (int i = 0; i < 400; ++i) {
    worn->save(before);
    worn->step({}, snapshot);
    contacts = std::max(contacts, snapshot.report.rigidContacts);
    if (i % 40 != 7) continue;
    // Nothing that the other stepper did before may show: orders of elimination, buffers, distance grids.
    const std::unique_ptr<Stepper> fresh = testing::stepperOf(model, {});
    fresh->restore(before);
    fresh->step({}, other);
    EXPECT_EQ(other.stateHash, snapshot.stateHash) << "step " << i;
  }
  EXPECT_GT(contacts, 30);
}

}  // namespace
}  // namespace slipstick

// What a person pulls at with the pointer.
#include <gtest/gtest.h>

#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "tests/support/stepping.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

constexpr const char* kSoftCube = R"(
time: {dt_ms: 5, duration: 2}
grid: {spacing: 0.04}
materials:
  gel: {model: hencky_von_mises, E: 2e4, nu: 0.3, density: 1000, yield_stress: 300}
deformables:
  cube: {material: gel, shape: box, size: [0.16, 0.16, 0.16], position: [0, 0, 0.08], sampling: {count: [8, 8, 8]}}
bodies:
  table: {shapes: [{shape: plane}]}
)";

TEST(Pull, ABoxUnderThePointerComesToRestThereAndFallsWhenReleased) {
  testing::SceneRun run("stack");
  ASSERT_TRUE(run.ok());
  const Model& model = run.model();
  const int body = model.robots.back().firstBody;
  const auto b = static_cast<std::size_t>(body);
  const Vec3 grip(0.03, 0.02, 0.04);  // near a corner
  const Vec3 start = run.snapshot().X_WB[b] * grip, goal = start + Vec3(0.15, 0, 0.4);
  const std::vector<Command> pull = {Pull{.body = body, .p_B = grip, .goal_W = goal}};
  run.step(pull);
  run.runTo(6);
  const Snapshot& s = run.snapshot();
  EXPECT_LT(s.V_WB[b].v.norm(), 0.02);
  EXPECT_LT(s.V_WB[b].w.norm(), 0.2);
  EXPECT_LT((s.X_WB[b] * grip - goal).norm(), 1.1 * 9.81 / (20 * 20)) << "it hangs by g/ω² below the pointer";
  const std::vector<Command> release = {Release{}};
  run.step(release);
  run.runTo(6.1);
  EXPECT_NEAR(s.V_WB[b].v.z(), -9.81 * 0.1, 0.15);
}

TEST(Twist, TurnsAFloatingBodyToItsGoalWithoutOvershoot) {
  const Result<assets::LoadedScene> loaded = assets::parseScene(
      "time: {dt_ms: 10}\ngravity: [0, 0, 0]\nbodies: {bar: {base: free, mass: 2, shapes: [{shape: box, "
      "size: [0.4, 0.1, "
      "0.1]}]}}\n",
      ".", "bar");
  ASSERT_TRUE(loaded);
  testing::SceneRun run(loaded->scene);
  ASSERT_TRUE(run.ok());
  const int body = run.model().findBody("bar");
  const std::vector<Command> twist = {
      Twist{.body = body, .goal_WB = Quat(Eigen::AngleAxisd(1, Vec3::UnitZ()))}};
  run.step(twist);
  double largest = 0;
  run.runTo(1.5, [&](const Snapshot& s) {
    const Mat3& R = s.X_WB[static_cast<std::size_t>(body)].R;
    largest = std::max(largest, std::atan2(R(1, 0), R(0, 0)));
  });
  EXPECT_NEAR(largest, 1, 0.01);
  EXPECT_LT(run.snapshot().V_WB[static_cast<std::size_t>(body)].w.norm(), 1e-3);
}

TEST(Pull, LiftsSoftThingsByTheirParticlesAndTheMomentumStaysExact) {
  const Result<assets::LoadedScene> loaded = assets::parseScene(kSoftCube, ".", "cube");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> compiled = compile(loaded->scene);
  ASSERT_TRUE(compiled) << compiled.error().message();
  for (const std::string backend : {"cpu", "reference"}) {
    const std::unique_ptr<Stepper> stepper =
        testing::stepperOf(compiled->model, {.backend = backend, .threads = 1});
    ASSERT_TRUE(stepper);
    Snapshot snapshot;
    stepper->observe(snapshot);
    const int top = 8 * 8 * 8 - 1;
    const Vec3 from = snapshot.particles[static_cast<std::size_t>(top)].cast<double>();
    double worst = 0;
    for (int i = 0; i < 60; ++i) {
      const std::vector<Command> pull = {Pull{.particle = top, .goal_W = from + Vec3(-0.2, 0, 0.5)}};
      stepper->step(i == 0 ? std::span<const Command>(pull) : std::span<const Command>(), snapshot);
      ASSERT_FALSE(refused(snapshot.report.health));
      worst = std::max(worst, snapshot.report.momentumError);
    }
    EXPECT_GT(snapshot.particles[static_cast<std::size_t>(top)].z(), from.z() + 0.1) << backend;
    EXPECT_LT(worst, backend == "cpu" ? 1e-4 : 1e-9) << backend;
    // Nothing but gravity and contact acts from the release on.
    const std::vector<Command> release = {Release{}};
    stepper->step(release, snapshot);
    State state;
    stepper->save(state);
    EXPECT_TRUE(state.pulls.empty());
  }
}

}  // namespace
}  // namespace slipstick

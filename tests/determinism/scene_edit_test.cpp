// Things that come and go while a scene runs, and are undone by going back.
#include <gtest/gtest.h>

#include <cmath>

#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "engine/runtime/simulation_thread.h"
#include "engine/step/registry.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

constexpr const char* kScene = R"(title: a soft block on a table beside a ball
time: {dt_ms: 5, duration: 1}
grid: {spacing: 0.04}
materials:
  gel: {model: hencky_von_mises, E: 2e4, nu: 0.3, density: 1000, yield_stress: 500}
deformables:
  block: {material: gel, shape: box, size: [0.16, 0.16, 0.08], position: [0, 0, 0.041], sampling: {count: [8, 8, 4]}}
bodies:
  table: {shapes: [{name: top, shape: plane}]}
  ball: {base: free, mass: 1, position: [0.3, 0, 0.06], velocity: [0.5, 0, 0], shapes: [{name: ball, shape: sphere, radius: 0.05}]}
)";

std::unique_ptr<SimulationThread> start() {
  Result<assets::LoadedScene> loaded = assets::parseScene(kScene, ".", "block_and_ball");
  EXPECT_TRUE(loaded) << loaded.error().message();
  Result<CompiledScene> compiled = compile(loaded->scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return SimulationThread::create(compiled->model,
                                  [](std::shared_ptr<const Model> model) {
                                    return testing::stepping().makeStepper(std::move(model),
                                                                           {.backend = "cpu", .threads = 1});
                                  })
      .value();
}

void runTo(SimulationThread& run, double time) {
  run.runUntil(time);
  run.waitUntilIdle();
  EXPECT_EQ(run.status().error, "");
}

/// A box of 0.5 kg that falls onto the block.
SpawnBody box() {
  return {floatingBody("box", shape::Box{{0.05, 0.05, 0.025}}, 1000, {Mat3::Identity(), {0, 0, 0.14}},
                       {1, 0, 0, 1})
              .value()};
}

double column(const SimulationThread& run, const std::string& name, std::uint64_t step) {
  return run.columns().values(name, step, step + 1).at(0);
}

TEST(SceneEdit, ASpawnedBoxActsIsRemovedAndBothAreUndoneByGoingBack) {
  const std::unique_ptr<SimulationThread> untouched = start(), run = start();
  runTo(*untouched, 0.3);
  const std::uint64_t before = 20, spawned = 60;

  runTo(*run, 0.1);
  ASSERT_EQ(run->latest()->step, before);
  const Eigen::Vector3f particle = run->latest()->particles[17];
  ASSERT_TRUE(run->edit(box()).get());
  // It is there at once, and nothing else has moved.
  EXPECT_EQ(run->latest()->step, before);
  EXPECT_GT(run->latest()->model->findBody("box"), 0);
  EXPECT_EQ(run->latest()->particles[17], particle);
  runTo(*run, 0.3);
  EXPECT_EQ(run->at(before - 1)->model->findBody("box"), -1) << "a past step has the model of its time";
  EXPECT_EQ(run->at(before)->model->findBody("box"), -1);
  EXPECT_GT(run->at(before + 1)->model->findBody("box"), 0);
  EXPECT_LT(column(*run, "box.z", spawned), 0.13);        // it fell …
  EXPECT_GT(column(*run, "box.contact.fz", spawned), 1);  // … onto the block, which carries it
  EXPECT_LT(column(*run, "block.max_z", spawned), column(*untouched, "block.max_z", spawned) - 1e-4);
  EXPECT_TRUE(std::isnan(column(*run, "box.z", before)));
  EXPECT_EQ(column(*run, "ball.x", spawned), column(*untouched, "ball.x", spawned));

  ASSERT_TRUE(run->edit(Remove{"box"}).get());
  EXPECT_EQ(run->latest()->model->findBody("box"), -1);
  runTo(*run, 0.4);
  const std::uint64_t hashAtTheEnd = run->latest()->stateHash;

  // Back to before the spawn, and on: as if nothing had been.
  run->resumeFrom(0, before);
  run->waitUntilIdle();
  ASSERT_EQ(run->status().error, "");
  EXPECT_EQ(run->latest()->stateHash, untouched->at(before)->stateHash);
  runTo(*run, 0.3);
  EXPECT_EQ(run->latest()->stateHash, untouched->latest()->stateHash);

  // The first branch still has both edits: its end is computed again through them.
  EXPECT_EQ(run->branch(0)->at(70)->model->findBody("box"), -1);
  EXPECT_GT(run->branch(0)->at(50)->model->findBody("box"), 0);
  run->setHistoryBudget(4'000'000);
  run->resumeFrom(0, 80);
  run->waitUntilIdle();
  EXPECT_EQ(run->status().error, "");
  EXPECT_EQ(run->latest()->stateHash, hashAtTheEnd);
}

TEST(SceneEdit, ASpawnedDeformableKeepsTheOthersAsTheyAre) {
  const std::unique_ptr<SimulationThread> run = start();
  runTo(*run, 0.1);
  const auto before = run->latest();
  DeformableSpec soft;
  soft.name = "crumb";
  soft.material = "gel";
  soft.shape = shape::Box{{0.04, 0.04, 0.04}};
  soft.X_WD.p = {0, 0.2, 0.1};
  soft.sampling.count = {4, 4, 4};
  ASSERT_TRUE(run->edit(SpawnDeformable{soft, {}}).get());
  ASSERT_EQ(run->latest()->particles.size(), 8u * 8 * 4 + 64);
  for (std::size_t i = 0; i < before->particles.size(); ++i)
    ASSERT_EQ(run->latest()->particles[i], before->particles[i]);
  runTo(*run, 0.2);
  EXPECT_LT(column(*run, "crumb.z", 40), 0.1);
  ASSERT_TRUE(run->edit(Remove{"block"}).get());  // the first in the arrays: the crumb moves up
  EXPECT_EQ(run->latest()->particles.size(), 64u);
  runTo(*run, 0.25);
  EXPECT_LT(column(*run, "crumb.z", 50), column(*run, "crumb.z", 40));
}

TEST(SceneEdit, AnEditThatFailsChangesNothing) {
  const std::unique_ptr<SimulationThread> run = start();
  runTo(*run, 0.05);
  const auto before = run->latest();
  const Result<void> unknown = run->edit(Remove{"boks"}).get();
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::UnknownName);
  SpawnBody broken = box();
  broken.body.description.links[0].mass = -1;
  EXPECT_FALSE(run->edit(broken).get());
  EXPECT_EQ(run->latest(), before);
  const std::unique_ptr<SimulationThread> untouched = start();
  runTo(*run, 0.1);
  runTo(*untouched, 0.1);
  EXPECT_EQ(run->latest()->stateHash, untouched->latest()->stateHash);
}

}  // namespace
}  // namespace slipstick

// laundry, whose cloth is thrown and falls out at half the published resolution, and the set-up
// of shake.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/facts/health_note.h"
#include "tests/support/long_runs.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

const DeformableFacts& factsOf(const testing::SceneRun& run, const std::string& name) {
  const auto& all = run.model().deformables;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return run.snapshot().deformables[i];
  ADD_FAILURE() << "no deformable " << name;
  return run.snapshot().deformables[0];
}

TEST(Laundry, HasThePublishedParticles) {
  testing::SceneRun run("laundry");
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run.model().nodeCount(), 14904u);
  EXPECT_EQ(run.model().gridSpacing, 1.0 / 128);
  EXPECT_EQ(run.model().time.dt, 0.005);
  EXPECT_EQ(run.model().time.substeps, 5);
}

/// Half the published resolution.
const std::vector<std::string> kCoarse = {"grid.spacing=0.015625", "time.substeps=3",
                                          "deformables.bag.count=[30, 30]",
                                          "deformables.cloth.count=[25, 15]", "contact.stiffness=800"};

/// What was noted in a step, as "flag: body, other".
void addNotes(const testing::SceneRun& run, const Snapshot& snapshot, std::set<std::string>& noted) {
  for (const HealthNote& note : snapshot.healthNotes) {
    const auto [body, other] = namesOf(run.model(), note);
    noted.insert(std::string(infoOf(note.flag).name) + ": " + body + ", " + other);
  }
}

TEST(Laundry, TheClothIsThrownIntoTheBagAndFallsOutWhenTwoCornersLetGo) {
  testing::SceneRun run("laundry", kCoarse);
  ASSERT_TRUE(run.ok());
  std::set<std::string> noted;
  const auto look = [&](const Snapshot& snapshot) { addNotes(run, snapshot, noted); };
  run.runTo(2.9, look);
  EXPECT_GT(factsOf(run, "cloth").lower.z(), 0.35) << "it hangs from the gripper";
  run.runTo(7.5, look);
  const DeformableFacts cloth = factsOf(run, "cloth"), bag = factsOf(run, "bag");
  EXPECT_GT(cloth.center.z(), bag.lower.z()) << "it lies in the bag";
  EXPECT_LT(cloth.center.z(), bag.upper.z() + 0.02);
  for (const int axis : {0, 1}) {
    EXPECT_GT(cloth.center[axis], bag.lower[axis]);
    EXPECT_LT(cloth.center[axis], bag.upper[axis]);
  }
  EXPECT_NEAR(bag.upper.z(), 0.4, 0.03) << "its corners are held";
  run.runTo(9.5, look);
  EXPECT_LT(factsOf(run, "cloth").center.z(), -0.13) << "it lies on the mat, 0.18 m below the arm's base";
  EXPECT_NEAR(factsOf(run, "bag").upper.z(), 0.4, 0.03) << "two corners still hold";
  // A centroid of a triangle meets a pad with the grid's velocity there, but goes where its corners do. Where so coarse a cloth
  // folds over the pads' edges, corners press a few of them 3 mm into a pad that the grid moves out of it at 0.08 m/s: springs
  // of contact that load without work, 0.01 J in five steps.
  EXPECT_EQ(noted, (std::set<std::string>{"EnergyGained: gripper.left_finger, cloth",
                                          "EnergyGained: gripper.right_finger, cloth"}));
  EXPECT_EQ(run.health() & ~static_cast<HealthFlags>(Health::ActuatorSaturated),
            static_cast<HealthFlags>(Health::EnergyGained));
}

/// The same under async, where they get past the middle of a pad of 12 mm: it is said, with the depth.
TEST(Laundry, CentroidsOfACoarseClothArePressedPastTheMiddleOfAPadUnderAsync) {
  testing::SceneRun run("laundry", kCoarse, {.method = "async"});
  ASSERT_TRUE(run.ok());
  std::vector<HealthNote> thin;
  run.runTo(2.5, [&](const Snapshot& snapshot) {
    std::copy_if(snapshot.healthNotes.begin(), snapshot.healthNotes.end(), std::back_inserter(thin),
                 [](const HealthNote& note) { return note.flag == Health::TooThin; });
  });
  ASSERT_FALSE(thin.empty());
  for (const HealthNote& note : thin) {
    EXPECT_EQ(namesOf(run.model(), note),
              std::pair(std::string("gripper.left_finger"), std::string("cloth")));
    EXPECT_NEAR(note.limit, 0.006, 1e-5);
    EXPECT_GT(note.value, note.limit);
    EXPECT_LT(note.value, 0.012) << "it is still in the pad";
  }
}

TEST(Shake, HasThePublishedParticles) {
  testing::SceneRun run("shake");
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run.model().nodeCount(), 3456u);
  EXPECT_EQ(run.model().gridSpacing, 0.01);
  EXPECT_EQ(run.model().time.dt, 1e-4);
  EXPECT_EQ(run.model().time.substeps, 10);
}

/// All three cubes hang between the panels until the end.
void expectHoldsTheCubes(testing::SceneRun& run) {
  ASSERT_TRUE(run.ok());
  const auto body = [&](const std::string& name) {
    return run.snapshot().X_WB[static_cast<std::size_t>(run.model().findBody(name))].p;
  };
  const auto expectHeld = [&] {
    const double panel = body("left.panel").z() - 0.01;  // the cubes' middle at the start is 1 cm lower
    EXPECT_NEAR(body("heavy_cube").z(), panel, 0.03) << "t = " << run.state().time;
    for (const char* cube : {"left_cube", "right_cube"})
      EXPECT_NEAR(factsOf(run, cube).center.z(), panel, 0.03) << cube << ", t = " << run.state().time;
    EXPECT_NEAR(body("heavy_cube").x(), 0, 0.002);
    EXPECT_NEAR(body("heavy_cube").y(), 0, 0.002);
  };
  for (double t = 2; t <= 3.8; t += 0.1) {
    run.runTo(t);
    expectHeld();
  }
  EXPECT_EQ(run.health(), 0u);
}

/// 38,000 steps.
TEST(Shake, FullRunHoldsTheCubes) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  testing::SceneRun run("shake");
  expectHoldsTheCubes(run);
}

/// At a hundred times the step. The grid has the papers' number of nodes, see the scene.
TEST(Shake, FullRunHoldsTheCubesWithLongSteps) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  for (const char* method : {"strong", "implicit"}) {
    StepperOptions options;
    options.method = method;
    testing::SceneRun run("shake", {"time.dt_ms=10", "time.substeps=auto", "grid.spacing=0.015"}, options);
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, method);
    expectHoldsTheCubes(run);
  }
}

}  // namespace
}  // namespace slipstick

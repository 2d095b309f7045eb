// Each allocation of a step, an edit, a resume and a new start fails once: the run goes on as if nothing had been, or
// says why it does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/runtime/simulation_thread.h"
#include "tests/support/failing_allocation.h"
#include "tests/support/ground.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

using testing::FailingAllocation;

struct Case {
  const char* name;
  StepperOptions options;
  int particlesPerEdge;  ///< 0: rigid only
  FailingAllocation::By by = FailingAllocation::By::Any;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.name;
}

RobotSpec box(const std::string& name, double x, double z) {
  return floatingBody(name, shape::Box{Vec3(0.05, 0.05, 0.05)}, 500, Pose::translation({x, 0, z}),
                      {1, 1, 1, 1})
      .value();
}

/// A box in the ground by a tenth of a millimetre, and one a little above a soft cube that stands on it: all touch within
/// three steps. Δt = 5 ms.
Scene sceneOf(const Case& c) {
  Scene scene;
  scene.name = "boxes";
  scene.time.dt = 0.005;
  scene.time.duration = 100;
  scene.robots = {testing::ground(), box("box", 0.5, 0.0499), box("load", 0, 0.2505)};
  if (c.particlesPerEdge == 0) return scene;
  scene.gridSpacing = 0.4 / c.particlesPerEdge;
  MaterialSpec gel;
  gel.name = "gel";
  gel.parameters.E = 1e4;
  scene.materials = {gel};
  DeformableSpec cube;
  cube.name = "cube";
  cube.material = "gel";
  cube.shape = shape::Box{Vec3::Constant(0.1)};
  cube.X_WD = Pose::translation({0, 0, 0.0999});
  cube.sampling.count = {c.particlesPerEdge, c.particlesPerEdge, c.particlesPerEdge};
  scene.deformables = {cube};
  return scene;
}

class AllocationFailure : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!FailingAllocation::kIsPossible) GTEST_SKIP() << "no allocation can be made to fail here";
  }
  static std::unique_ptr<SimulationThread> newRun() {
    const Result<CompiledScene> compiled = compile(sceneOf(GetParam()));
    EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message());
    const MakeStepper make = [](std::shared_ptr<const Model> model) {
      return testing::stepping().makeStepper(std::move(model), GetParam().options);
    };
    return SimulationThread::create(compiled->model, make).value();
  }
  static void stepOnce(SimulationThread& run) {
    run.stepOnce();
    run.waitUntilIdle();
  }
  static void runTo(SimulationThread& run, std::uint64_t step) {
    run.runUntil(static_cast<double>(step) * 0.005);
    run.waitUntilIdle();
    EXPECT_EQ(run.latest()->step, step) << run.status().error;
  }
  static std::vector<std::uint64_t> hashesOf(const SimulationThread& run) {
    std::vector<std::uint64_t> hashes;
    for (const TimelineMark& mark : run.marks()) hashes.push_back(mark.stateHash);
    return hashes;
  }
  /// From one allocation to the next: under a sanitizer all of them take a quarter of an hour.
  static std::size_t after(std::size_t n) {
#ifdef SLIPSTICK_ASAN
    if (std::getenv("SLIPSTICK_LONG_TESTS") == nullptr) return n + 5;
#endif
    return n + 1;
  }
  /// The n-th allocation of each try fails, n = 0, 1, …, until none is left to fail or it has succeeded.
  /// @param what   is tried
  /// @param check  (n) whether the run is as it must be. @return whether to try again
  /// @return how many allocations there were to fail
  static std::size_t sweep(const std::function<void()>& what, const std::function<bool(std::size_t)>& check) {
    std::size_t n = 0, tried = 0;
    for (bool goesOn = true; goesOn && !HasFailure(); n = after(n)) {
      tried = n;
      {
        const FailingAllocation failing(n, FailingAllocation::Of::OtherThreads, GetParam().by);
        what();
        goesOn = failing.happened();
      }
      goesOn = check(n) && goesOn;
    }
    return tried;
  }
  /// All steps of its way came out as in a run that was left alone, and it goes back to any of them.
  static void expectUndisturbed(SimulationThread& run, const std::vector<std::uint64_t>& undisturbed) {
    const std::vector<std::uint64_t> hashes = hashesOf(run);
    ASSERT_LE(hashes.size(), undisturbed.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) ASSERT_EQ(hashes[i], undisturbed[i]) << "step " << i;
    const std::uint64_t last = run.latest()->step;
    for (const std::uint64_t step : {last / 3, last}) {
      run.resumeFrom(run.status().branch, std::min(step, run.latest()->step));
      run.waitUntilIdle();
      EXPECT_EQ(run.status().error, "");
    }
  }
};

TEST_P(AllocationFailure, OfAStepLeavesTheRunAsItWas) {
  const auto run = newRun(), alone = newRun();
  runTo(*run, 5);
  std::uint64_t last = 5, refusals = 0;
  const auto check = [&](std::size_t n) {
    const RunStatus status = run->status();
    const bool stayed = status.lastStep == last;
    EXPECT_EQ(stayed, !status.error.empty()) << n << " " << status.error;
    EXPECT_LE(status.lastStep, last + 1);
    EXPECT_FALSE(status.backendFailed);
    refusals += stayed ? 1 : 0;
    last = status.lastStep;
    return true;
  };
  EXPECT_GT(sweep([&] { stepOnce(*run); }, check), 5u);
  EXPECT_GT(refusals, 0u);
  runTo(*run, last + 20);
  runTo(*alone, last + 20);
  expectUndisturbed(*run, hashesOf(*alone));
}

/// Here the workspaces are made, and grow when things touch.
TEST_P(AllocationFailure, OfTheFirstStepsLeavesTheRunAsItWas) {
  const auto alone = newRun();
  runTo(*alone, 8);
  const std::vector<std::uint64_t> undisturbed = hashesOf(*alone);
  for (const std::uint64_t before : {0, 2}) {
    std::unique_ptr<SimulationThread> run;
    const auto begin = [&] {
      run = newRun();
      if (before > 0) runTo(*run, before);
    };
    const auto check = [&](std::size_t n) {
      const RunStatus status = run->status();
      EXPECT_EQ(status.lastStep == before, !status.error.empty()) << n << " " << status.error;
      runTo(*run, 8);
      EXPECT_EQ(hashesOf(*run), undisturbed) << n;
      begin();
      return true;
    };
    begin();
    sweep([&] { stepOnce(*run); }, check);
  }
}

TEST_P(AllocationFailure, OfAStepWithAnotherNumberLeavesTheRunAsItWas) {
  const auto run = newRun(), alone = newRun();
  for (SimulationThread* r : {run.get(), alone.get()}) {
    runTo(*r, 5);
    ASSERT_TRUE(r->post(SetParameter{"gravity.x", {1}}));
  }
  const auto check = [&](std::size_t n) {
    const RunStatus status = run->status();
    EXPECT_EQ(status.lastStep == 5, !status.error.empty()) << n << " " << status.error;
    return status.lastStep == 5;
  };
  EXPECT_GT(sweep([&] { stepOnce(*run); }, check), 20u);
  EXPECT_EQ(run->latest()->step, 6u);
  runTo(*run, 26);
  runTo(*alone, 26);
  expectUndisturbed(*run, hashesOf(*alone));
}

/// Each try is followed by a step now and then: what is refused must not show in any later one.
TEST_P(AllocationFailure, OfAnEditLeavesTheSceneAsItWas) {
  const auto run = newRun(), alone = newRun();
  for (const SceneEdit& edit : {SceneEdit(SpawnBody{box("third", -0.5, 0.05)}), SceneEdit(Remove{"box"})}) {
    runTo(*run, run->latest()->step + 2);
    Result<void> edited;
    const auto check = [&](std::size_t n) {
      EXPECT_TRUE(edited.ok() || !edited.error().what.empty()) << n;
      const auto bodies = run->latest()->model->tree.bodies.size();
      if (n % 100 == 0 && !edited) stepOnce(*run);
      EXPECT_EQ(run->status().error, "") << n;
      EXPECT_EQ(run->latest()->X_WB.size(), bodies) << n;
      return !edited.ok();
    };
    EXPECT_GT(sweep([&] { edited = run->edit(edit).get(); }, check), 100u);
    EXPECT_TRUE(edited) << edited.error().message();
    runTo(*alone, run->latest()->step);
    ASSERT_TRUE(alone->edit(edit).get());
  }
  const std::uint64_t last = run->latest()->step + 20;
  for (SimulationThread* r : {run.get(), alone.get()}) runTo(*r, last);
  expectUndisturbed(*run, hashesOf(*alone));
}

TEST_P(AllocationFailure, OfAResumeLeavesTheRunWhereItWas) {
  const auto run = newRun(), alone = newRun();
  runTo(*run, 12);
  const BranchId before = run->status().branch;
  const auto resume = [&] {
    run->resumeFrom(0, 6);
    run->waitUntilIdle();
  };
  const auto check = [&](std::size_t n) {
    const RunStatus status = run->status();
    EXPECT_EQ(status.lastStep == 12, !status.error.empty()) << n << " " << status.error;
    EXPECT_EQ(status.branch == before, status.lastStep == 12);
    EXPECT_EQ(run->branches().size(), status.lastStep == 12 ? 1u : 2u);
    return status.lastStep == 12;
  };
  EXPECT_GT(sweep(resume, check), 20u);
  EXPECT_EQ(run->latest()->step, 6u);
  runTo(*run, 26);
  runTo(*alone, 26);
  expectUndisturbed(*run, hashesOf(*alone));
}

TEST_P(AllocationFailure, OfANewStartLeavesTheRunWhereItWas) {
  const auto run = newRun(), alone = newRun();
  runTo(*run, 6);
  const auto begin = [&] {
    run->startOver(sceneOf(GetParam()), "again", nullptr);
    run->waitUntilIdle();
  };
  const auto check = [&](std::size_t n) {
    const RunStatus status = run->status();
    EXPECT_EQ(status.lastStep == 6, !status.error.empty()) << n << " " << status.error;
    EXPECT_EQ(run->branches().size(), status.lastStep == 6 ? 1u : 2u);
    return status.lastStep == 6;
  };
  EXPECT_GT(sweep(begin, check), 100u);
  EXPECT_EQ(run->latest()->step, 0u);
  runTo(*run, 20);
  runTo(*alone, 20);
  expectUndisturbed(*run, hashesOf(*alone));
  run->resumeFrom(0, 6);
  run->waitUntilIdle();
  EXPECT_EQ(run->status().error, "");
}

// Of `implicit` what operator new gives: the BLAS that it multiplies with does not ask whether it got memory.
INSTANTIATE_TEST_SUITE_P(
    , AllocationFailure,
    ::testing::Values(Case{"rigid", {}, 0}, Case{"soft_1_thread", {.backend = "cpu", .threads = 1}, 10},
                      Case{"soft_2_threads", {.backend = "cpu", .threads = 2}, 10},
                      Case{"strong_2_threads", {.method = "strong", .backend = "cpu", .threads = 2}, 10},
                      Case{"reference", {.backend = "reference"}, 4},
                      Case{"implicit", {.method = "implicit"}, 4, FailingAllocation::By::NewOnly}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace slipstick

// A step that nobody waits for any more is left in the middle, and nothing of it stays.
#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <thread>

#include "engine/compile/compile.h"
#include "engine/compile/scene_edit.h"
#include "engine/foundation/stopping.h"
#include "engine/step/stepper.h"
#include "tests/support/ground.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

/// A box of 0.5 kg rests on a soft cube, a crate beside them on the ground.
std::shared_ptr<const Model> boxOnACube(int substeps) {
  Scene scene;
  scene.time.dt = 5e-3;
  scene.time.substeps = substeps;
  scene.gridSpacing = 0.04;
  scene.materials.push_back({"gel", {.E = 2e4, .nu = 0.3, .density = 500}});
  DeformableSpec cube;
  cube.name = "cube";
  cube.material = "gel";
  cube.shape = shape::Box{Vec3::Constant(0.05)};
  cube.X_WD = Pose::translation({0, 0, 0.05});
  cube.sampling.spacing = 0.02;
  scene.deformables.push_back(cube);
  scene.robots.push_back(testing::ground());
  for (const auto& [name, p] : {std::pair("box", Vec3(0, 0, 0.15)), {"crate", Vec3(0.4, 0, 0.0499)}})
    scene.robots.push_back(
        floatingBody(name, shape::Box{Vec3::Constant(0.05)}, 500, Pose::translation(p), {}).value());
  const Result<CompiledScene> compiled = compile(scene);
  if (!compiled) ADD_FAILURE() << compiled.error().message();
  return compiled ? compiled->model : nullptr;
}

struct Way {
  const char* name;
  const char* method;
  const char* backend;
  int substeps;  ///< so many that a step takes some hundredths of a second
};

class Stopping : public ::testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    model_ = boxOnACube(GetParam().substeps);
    ASSERT_TRUE(model_);
    stepper_ = make();
    for (int i = 0; i < 12; ++i) stepper_->step({}, snapshot_);
    ASSERT_GT(snapshot_.contacts.size(), 0u);
    stepper_->save(state_);
  }
  std::unique_ptr<Stepper> make() const {
    StepperOptions options;
    options.method = GetParam().method;
    options.backend = GetParam().backend;
    options.threads = 2;
    return testing::stepperOf(model_, options);
  }
  /// Hashes of the next steps from the state on, by a stepper that was never stopped.
  std::vector<std::uint64_t> undisturbed(int steps) const {
    const std::unique_ptr<Stepper> other = make();
    other->restore(state_);
    return hashes(*other, steps);
  }
  static std::vector<std::uint64_t> hashes(Stepper& stepper, int steps) {
    std::vector<std::uint64_t> found;
    Snapshot snapshot;
    for (int i = 0; i < steps; ++i) {
      stepper.step({}, snapshot);
      found.push_back(snapshot.stateHash);
    }
    return found;
  }

  std::shared_ptr<const Model> model_;
  std::unique_ptr<Stepper> stepper_;
  Snapshot snapshot_;
  State state_;
};

INSTANTIATE_TEST_SUITE_P(EveryMethod, Stopping,
                         ::testing::Values(Way{"async", "async", "cpu", 600},
                                           Way{"strong", "strong", "cpu", 600},
                                           Way{"reference", "strong", "reference", 100},
                                           Way{"implicit", "implicit", "auto", 20}),
                         [](const auto& way) { return way.param.name; });

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}

TEST_P(Stopping, AStepThatWasToldToStopHasNotBeen) {
  std::stop_source stop;
  stop.request_stop();
  const std::vector<Command> commands = {SetParameter{"gravity.z", {-3}}};
  EXPECT_THROW(stepper_->step(commands, snapshot_, Detail::Facts, stop.get_token()), Stopped);
  State after;
  stepper_->save(after);
  EXPECT_EQ(hashOf(after), hashOf(state_));
  EXPECT_EQ(hashes(*stepper_, 5), undisturbed(5));
}

/// Wherever the wish comes in, the step has been as a whole or not at all.
TEST_P(Stopping, ItMayComeAtAnyMomentOfAStep) {
  const std::vector<std::uint64_t> expected = undisturbed(4);
  std::size_t taken = 0;
  int stopped = 0;
  for (int tries = 0; tries < 20; ++tries) {
    std::stop_source stop;
    std::jthread person([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(3 * (tries % 10)));
      stop.request_stop();
    });
    try {
      stepper_->step({}, snapshot_, Detail::Facts, stop.get_token());
      ASSERT_EQ(snapshot_.stateHash, expected[taken++]) << "try " << tries;
    } catch (const Stopped&) {
      ++stopped;
    }
    if (taken < expected.size()) continue;
    stepper_->restore(state_);
    taken = 0;
  }
  EXPECT_GT(stopped, 0);
  const std::vector<std::uint64_t> rest(expected.begin() + static_cast<std::ptrdiff_t>(taken),
                                        expected.end());
  EXPECT_EQ(hashes(*stepper_, static_cast<int>(rest.size())), rest);
}

}  // namespace
}  // namespace slipstick

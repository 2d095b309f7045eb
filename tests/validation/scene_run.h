// Runs a shipped scene step by step for the physics tests.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "engine/model/snapshot.h"
#include "engine/model/state.h"
#include "tests/support/stepping.h"

namespace slipstick::testing {

/// A loaded scene with its stepper and state; fails the test (and is not ok()) when it cannot be loaded.
class SceneRun {
 public:
  explicit SceneRun(const std::string& scene, const std::vector<std::string>& overrides = {},
                    const StepperOptions& options = {}) {
    Result<assets::LoadedModel> loaded =
        assets::loadModel(scene, {.overrides = overrides, .packagePaths = {}});
    if (!loaded) {
      ADD_FAILURE() << loaded.error().message();
      return;
    }
    start(loaded->model, options);
  }

  /// A scene that the test put together.
  explicit SceneRun(const Scene& scene, const StepperOptions& options = {}) {
    Result<CompiledScene> compiled = compile(scene);
    if (!compiled) {
      ADD_FAILURE() << compiled.error().message();
      return;
    }
    start(compiled->model, options);
  }

  explicit SceneRun(std::shared_ptr<const Model> model, const StepperOptions& options = {}) {
    start(std::move(model), options);
  }

  bool ok() const { return stepper_ != nullptr; }
  const Model& model() const { return *model_; }
  const std::shared_ptr<const Model>& sharedModel() const { return model_; }
  const Stepper& stepper() const { return *stepper_; }
  /// The live state, saved when asked for.
  const State& state() const {
    if (stale_) stepper_->save(state_);
    stale_ = false;
    return state_;
  }
  const Snapshot& snapshot() const { return snapshot_; }
  HealthFlags health() const { return health_; }
  /// Kinetic, potential and elastic [J].
  double energy() const {
    const Totals& t = snapshot_.totals;
    return t.kineticEnergy + t.potentialEnergy + t.elasticEnergy;
  }

  void step(std::span<const Command> commands = {}) {
    stepper_->step(commands, snapshot_);
    stale_ = true;
    health_ |= snapshot_.report.health;
  }

  /// Goes on from another position and velocity.
  void restart(const VecX& q, const VecX& v) {
    State state = this->state();
    state.q = q;
    state.v = v;
    stepper_->restore(state);
    stepper_->observe(snapshot_);
    stale_ = true;
  }

  /// Steps while time < end, with `each` after every step.
  void runTo(double end, const std::function<void(const Snapshot&)>& each = {}) {
    while (snapshot_.time < end - 0.5 * model_->time.dt) {
      const std::uint64_t before = snapshot_.step;
      step();
      ASSERT_EQ(snapshot_.step, before + 1) << "the step was refused at t = " << snapshot_.time;
      if (each) each(snapshot_);
    }
  }

 private:
  void start(std::shared_ptr<const Model> model, const StepperOptions& options) {
    model_ = std::move(model);
    stepper_ = testing::stepperOf(model_, options);
    if (stepper_) stepper_->observe(snapshot_);
  }

  std::shared_ptr<const Model> model_;
  std::unique_ptr<Stepper> stepper_;
  mutable State state_;  ///< as last saved
  mutable bool stale_ = true;
  Snapshot snapshot_;
  HealthFlags health_ = 0;
};

}  // namespace slipstick::testing

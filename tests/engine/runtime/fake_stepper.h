// A stepper whose physics fits in five lines, so that tests of the thread and the history are about those
// alone.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "engine/model/step_failure.h"
#include "engine/runtime/simulation_thread.h"
#include "engine/step/stepper.h"

namespace slipstick::testing {

/// A model with one free body of 1 kg and no particles; Δt = 10 ms.
inline std::shared_ptr<Model> oneBodyModel(double duration = 10) {
  auto model = std::make_shared<Model>();
  model->gravity = model->tuning.gravity = {0, 0, -10};
  model->parameters = parametersOf(*model);
  model->time.dt = 0.01;
  model->time.duration = duration;
  multibody::Joint joint;
  joint.name = "ball.free";
  joint.type = multibody::JointType::Floating;
  model->tree.add({.name = "ball", .mass = 1, .com = Vec3::Zero(), .inertia = Mat3::Identity()}, joint);
  model->initialQ = model->tree.zeroPosition();
  model->initialV = VecX::Zero(model->tree.nv);
  return model;
}

/// What a test can ask of the fake from outside.
struct FakeBehaviour {
  std::atomic<bool> held = false;              ///< a step does not return while this is true
  std::atomic<std::int64_t> nonFiniteAt = -1;  ///< refuse the step that would reach this step number
  std::atomic<std::int64_t> notConvergedAt = -1;
  std::atomic<std::int64_t> throwAt = -1;
  std::atomic<std::int64_t> failAt = -1;  ///< the backend has failed where a step would reach this number …
  std::atomic<bool> losesState = false;   ///< … and then what it held is gone
  std::atomic<bool> forgetful =
      false;  ///< true: results depend on how often step() was called (not reproducible)
  std::atomic<int> calls = 0;
  std::atomic<std::size_t> commands = 0;   ///< applied so far
  std::atomic<bool> failsOneSave = false;  ///< the backend fails when its state is asked for next
  std::string backend = "none";
  double rounding = 0;  ///< of the backend: added to the velocity in each step [m/s]

  /// Returns when the step that `start` brings about is under way; it stays so until letGo().
  void holdTheStepOf(const std::function<void()>& start) {
    held = true;
    calls = 0;
    start();
    while (calls == 0) std::this_thread::yield();
  }
  void letGo() {
    held = false;
    held.notify_all();
  }
};

/// A point mass under gravity.
class FakeStepper : public Stepper {
 public:
  FakeStepper(std::shared_ptr<const Model> model, std::shared_ptr<FakeBehaviour> behaviour)
      : model_(std::move(model)), behaviour_(std::move(behaviour)), state_(State::initial(*model_)) {}

  std::string_view method() const override { return "fake"; }
  std::string_view backendName() const override { return behaviour_->backend; }
  std::string runsOn() const override { return behaviour_->backend + " hardware"; }
  void save(State& state) const override {
    if (lost_ || behaviour_->failsOneSave.exchange(false)) throw failure();
    state = state_;
  }
  void restore(const State& state) override { state_ = state; }
  void takeBack() noexcept override { std::swap(state_, before_); }

  StepReport step(std::span<const Command> commands, Snapshot& snapshot, Detail detail,
                  const std::stop_token&) override {
    const int call = ++behaviour_->calls;
    behaviour_->held.wait(true);
    StepReport report;
    const auto next = static_cast<std::int64_t>(state_.step) + 1;
    if (next == behaviour_->throwAt) throw std::runtime_error("out of memory");
    if (next == behaviour_->failAt) {
      lost_ = behaviour_->losesState;
      throw failure();
    }
    if (next == behaviour_->nonFiniteAt) {
      raise(report.health, Health::NonFinite);
      return report;
    }
    if (next == behaviour_->notConvergedAt) raise(report.health, Health::NotConverged);
    before_ = state_;
    for (const Command& command : commands) apply(command, *model_, state_);
    behaviour_->commands += commands.size();
    const double dt = model_->time.dt;
    state_.v.tail<3>() += dt * state_.tuning->gravity;
    if (behaviour_->forgetful) state_.v[0] = call;
    state_.v[5] += behaviour_->rounding;
    state_.q.head<3>() += dt * state_.v.tail<3>();
    ++state_.step;
    state_.time = static_cast<double>(state_.step) * dt;
    observe(snapshot, detail);
    snapshot.report = report;
    return report;
  }

  void observe(Snapshot& snapshot, Detail) override {
    snapshot = Snapshot{};
    snapshot.step = state_.step;
    snapshot.time = state_.time;
    snapshot.q = state_.q;
    snapshot.v = state_.v;
    snapshot.tau = VecX::Zero(state_.v.size());
    const std::size_t bodies = model_->tree.bodies.size();
    snapshot.X_WB.resize(bodies);
    snapshot.V_WB.resize(bodies);
    snapshot.contactWrench.resize(bodies);
    snapshot.stateHash = hashOf(state_);
  }

 private:
  static StepFailure failure() {
    return StepFailure({ErrorCode::DeviceFailure, "the device has failed", "fake", "take another one"});
  }

  std::shared_ptr<const Model> model_;
  std::shared_ptr<FakeBehaviour> behaviour_;
  State state_, before_;
  bool lost_ = false;
};

inline MakeStepper makeFakeStepper(std::shared_ptr<FakeBehaviour> behaviour) {
  return [behaviour](std::shared_ptr<const Model> model) -> Result<std::unique_ptr<Stepper>> {
    return std::unique_ptr<Stepper>(std::make_unique<FakeStepper>(std::move(model), behaviour));
  };
}

}  // namespace slipstick::testing

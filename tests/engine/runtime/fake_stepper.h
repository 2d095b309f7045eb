// A stepper whose physics fits in five lines, so that tests of the thread and the history are about those
// alone.
#pragma once

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "engine/coupling/stepper.h"

namespace slipstick::testing {

/// A model with one free body of 1 kg and no particles; Δt = 10 ms.
inline std::shared_ptr<Model> oneBodyModel(double duration = 10) {
  auto model = std::make_shared<Model>();
  model->gravity = {0, 0, -10};
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
  std::atomic<bool> forgetful =
      false;  ///< true: results depend on how often step() was called (not reproducible)
  std::atomic<int> calls = 0;
};

/// A point mass under gravity and external forces.
class FakeStepper : public Stepper {
 public:
  FakeStepper(std::shared_ptr<const Model> model, std::shared_ptr<FakeBehaviour> behaviour)
      : model_(std::move(model)), behaviour_(std::move(behaviour)) {}

  std::string_view method() const override { return "fake"; }
  std::string_view backendName() const override { return "none"; }

  StepReport step(State& state, std::span<const Command> commands, Snapshot& snapshot) override {
    const int call = ++behaviour_->calls;
    behaviour_->held.wait(true);
    StepReport report;
    const auto next = static_cast<std::int64_t>(state.step) + 1;
    if (next == behaviour_->throwAt) throw std::runtime_error("out of memory");
    if (next == behaviour_->nonFiniteAt) {
      raise(report.health, Health::NonFinite);
      return report;
    }
    if (next == behaviour_->notConvergedAt) raise(report.health, Health::NotConverged);
    for (const Command& command : commands) apply(command, *model_, state);
    const double dt = model_->time.dt;
    state.v.tail<3>() += dt * (state.gravity + state.externalForces[1].force_W);
    if (behaviour_->forgetful) state.v[0] = call;
    state.q.head<3>() += dt * state.v.tail<3>();
    ++state.step;
    state.time = static_cast<double>(state.step) * dt;
    observe(state, snapshot);
    snapshot.report = report;
    return report;
  }

  void observe(const State& state, Snapshot& snapshot) override {
    snapshot = Snapshot{};
    snapshot.step = state.step;
    snapshot.time = state.time;
    snapshot.q = state.q;
    snapshot.v = state.v;
    snapshot.stateHash = hashOf(state);
  }

 private:
  std::shared_ptr<const Model> model_;
  std::shared_ptr<FakeBehaviour> behaviour_;
};

}  // namespace slipstick::testing

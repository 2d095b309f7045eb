// A run that is simulated while pictures and files are made of it.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "app/scene_run.h"
#include "engine/runtime/force_range.h"
#include "engine/runtime/run_walk.h"

namespace slipstick::app {

class SimulatedWalk final : public RunWalk {
 public:
  /// @param onStep  called after each step; false: goTo() ends there, at the step that was reached
  SimulatedWalk(std::unique_ptr<HeadlessRun> run, std::function<bool(const Snapshot&)> onStep)
      : run_(std::move(run)), onStep_(std::move(onStep)) {}

  const std::shared_ptr<const Model>& model() const override { return run_->model(); }
  std::uint64_t firstStep() const override { return 0; }
  std::uint64_t lastStep() const override { return run_->stepsTo(model()->time.duration); }
  bool endsThere() const override { return false; }
  Result<std::shared_ptr<const Snapshot>> goTo(std::uint64_t step) override;
  Result<std::shared_ptr<const Snapshot>> contactsAt(std::uint64_t step) override { return goTo(step); }
  double largestForce() const override { return forces_.largest(); }

 private:
  std::unique_ptr<HeadlessRun> run_;
  std::function<bool(const Snapshot&)> onStep_;
  ForceRange forces_;
};

}  // namespace slipstick::app

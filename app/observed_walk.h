// A walk through a run that notes chosen observables of every step on its way.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/runtime/run_walk.h"

namespace slipstick::app {

/// Where the walk ends before a step that is to be noted, going there fails with Cancelled.
class ObservedWalk final : public RunWalk {
 public:
  /// @param from  first step that is noted
  /// @param note  gets the steps from there on, one by one
  ObservedWalk(RunWalk& walk, std::uint64_t from, std::function<void(const Snapshot&)> note)
      : walk_(walk), next_(from), note_(std::move(note)) {}

  const std::shared_ptr<const Model>& model() const override { return walk_.model(); }
  std::uint64_t firstStep() const override { return walk_.firstStep(); }
  std::uint64_t lastStep() const override { return walk_.lastStep(); }
  bool endsThere() const override { return walk_.endsThere(); }
  Result<std::shared_ptr<const Snapshot>> goTo(std::uint64_t step) override {
    if (const auto noted = contactsAt(step); !noted) return noted;
    return walk_.goTo(step);
  }
  Result<std::shared_ptr<const Snapshot>> contactsAt(std::uint64_t step) override;
  double largestForce() const override { return walk_.largestForce(); }

 private:
  RunWalk& walk_;
  std::uint64_t next_;  ///< that has not been noted
  std::function<void(const Snapshot&)> note_;
};

}  // namespace slipstick::app

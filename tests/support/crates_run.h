// The hand-built rigid world as a run: what reads stored steps is tested on it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/runtime/run_source.h"
#include "tests/support/rigid_world.h"

namespace slipstick::testing {

/// Every step up to the last one is stored. Counts what is read.
class CratesRun : public RunSource {
 public:
  explicit CratesRun(std::uint64_t last) : last_(last) {}
  std::shared_ptr<const Snapshot> latest() const override { return at(last_); }
  std::shared_ptr<const Snapshot> at(std::uint64_t step) const override { return contactsAt(step); }
  std::shared_ptr<const Snapshot> contactsAt(std::uint64_t step) const override {
    ++reads;
    const double time = static_cast<double>(step) * world.model->time.dt;
    auto snapshot = std::make_shared<Snapshot>(*rigidSnapshot(world, time));
    snapshot->step = step;
    snapshot->model = world.model;
    return snapshot;
  }
  std::optional<TimelineMark> mark(std::uint64_t) const override { return std::nullopt; }
  std::vector<TimelineMark> marks(std::uint64_t) const override { return {}; }
  RunColumns columns() const override { return {}; }
  RunStatus status() const override {
    RunStatus status;
    status.lastStep = last_;
    status.jumps = jumps;
    return status;
  }
  void grow(std::uint64_t steps) { last_ += steps; }

  RigidWorld world = rigidWorld();
  mutable int reads = 0;
  std::uint64_t jumps = 0;

 private:
  std::uint64_t last_;
};

}  // namespace slipstick::testing

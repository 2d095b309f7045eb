// The hand-built rigid world as a run: what reads stored steps is tested on it.
#pragma once

#include "tests/support/rigid_world.h"
#include "tests/support/stored_run.h"

namespace slipstick::testing {

class CratesRun : public StoredRun {
 public:
  using StoredRun::StoredRun;

  RigidWorld world = rigidWorld();

 private:
  std::shared_ptr<const Snapshot> snapshotOf(std::uint64_t step) const override {
    const double time = static_cast<double>(step) * world.model->time.dt;
    auto snapshot = std::make_shared<Snapshot>(*rigidSnapshot(world, time));
    snapshot->step = step;
    snapshot->model = world.model;
    return snapshot;
  }
};

}  // namespace slipstick::testing

#include "app/simulated_walk.h"

namespace slipstick::app {

Result<std::shared_ptr<const Snapshot>> SimulatedWalk::goTo(std::uint64_t step) {
  bool goesOn = onStep_(run_->snapshot());
  while (goesOn && run_->snapshot().step < step) {
    if (const Result<void> stepped = run_->step(); !stepped) return stepped.error();
    forces_.update(run_->snapshot(), model().get());
    goesOn = onStep_(run_->snapshot());
  }
  return std::make_shared<const Snapshot>(run_->snapshot());
}

}  // namespace slipstick::app

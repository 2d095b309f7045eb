// Packs the steps of a run beside it.
#pragma once

#include <memory>
#include <stop_token>
#include <thread>

#include "engine/foundation/latest_slot.h"
#include "engine/runtime/packed_snapshot.h"

namespace slipstick {

/// At most one step waits, so that no more snapshots are held than the newest: whoever brings the next one does what the
/// thread has not come to.
class PackingThread {
 public:
  PackingThread();

  /// Another step, whose particles may wait. Those of the one before are packed when it returns. For one thread.
  void add(std::shared_ptr<const PackedSnapshot> step);

 private:
  void run(const std::stop_token& stop);

  std::shared_ptr<const PackedSnapshot> last_;
  LatestSlot<std::shared_ptr<const PackedSnapshot>> next_;
  std::jthread thread_;  ///< last: begins when all else is there, and ends before it goes
};

}  // namespace slipstick

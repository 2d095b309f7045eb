// Where a run takes its snapshots from: the large arrays of one that nobody holds any more serve again.
#pragma once

#include <memory>

#include "engine/model/snapshot.h"

namespace slipstick {

/// Keeps one snapshot at most that nobody holds. Snapshots may outlive it and be let go on any thread; take() is for one.
class SnapshotPool {
 public:
  /// With the numbers of an earlier step in it, or empty; without a model and what belongs to one. It allocates only where
  /// there is none to serve again.
  std::shared_ptr<Snapshot> take();

 private:
  struct Lent;
  struct Shelf;
  template <class T>
  struct Room;
  std::shared_ptr<Shelf> shelf_;  ///< null before the first take()
};

}  // namespace slipstick

#include "engine/runtime/snapshot_pool.h"

#include <array>
#include <cstddef>
#include <utility>

#include "engine/foundation/latest_slot.h"

namespace slipstick {

/// A snapshot, and the room for what a std::shared_ptr keeps of it.
struct SnapshotPool::Lent {
  Snapshot snapshot;
  std::shared_ptr<Shelf> home;  ///< null while it lies there
  alignas(std::max_align_t) std::array<std::byte, 64> room;
};

struct SnapshotPool::Shelf {
  LatestSlot<std::unique_ptr<Lent>> free;
};

/// The allocator of the shared_ptr. Its room is the last thing that is let go: not before that may others have the snapshot.
template <class T>
struct SnapshotPool::Room {
  using value_type = T;

  explicit Room(Lent* owner) : lent(owner) {}
  template <class U>
  explicit Room(const Room<U>& other) : lent(other.lent) {}

  T* allocate(std::size_t) noexcept {
    static_assert(sizeof(T) <= sizeof(Lent::room) && alignof(T) <= alignof(std::max_align_t));
    return reinterpret_cast<T*>(lent->room.data());
  }
  void deallocate(T*, std::size_t) noexcept {
    const std::shared_ptr<Shelf> home = std::move(lent->home);
    home->free.put(std::unique_ptr<Lent>(lent));
  }
  template <class U>
  bool operator==(const Room<U>& other) const {
    return lent == other.lent;
  }

  Lent* lent;
};

std::shared_ptr<Snapshot> SnapshotPool::take() {
  if (!shelf_) shelf_ = std::make_shared<Shelf>();
  std::unique_ptr<Lent> found = shelf_->free.take().value_or(nullptr);
  if (!found) found = std::make_unique<Lent>();
  Lent* const lent = found.release();
  lent->home = shelf_;
  const auto letGo = [](Snapshot* snapshot) noexcept {
    snapshot->model.reset();
    snapshot->own.reset();
    snapshot->source.reset();  // its memory is the device's
  };
  return {&lent->snapshot, letGo, Room<Snapshot>(lent)};
}

}  // namespace slipstick

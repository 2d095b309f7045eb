// How far a load is, told by the thread that loads and read by any other; and the wish to end it.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

namespace slipstick {

/// One for each load. All functions may be called on any thread; cancel() takes no lock, so that a signal's handler
/// may call it, too.
class LoadProgress {
 public:
  struct Report {
    std::string what;  ///< what is being done, for people: "reading mesh 3 of 12, hand.stl"; empty at first
    double fraction = -1;  ///< of the whole load, 0 … 1; below 0 where nobody knows
  };

  /// @param fraction  0 … 1 of the whole load; below 0: unknown
  void say(std::string what, double fraction) {
    const std::lock_guard lock(mutex_);
    report_ = {std::move(what), fraction};
  }
  Report current() const {
    const std::lock_guard lock(mutex_);
    return report_;
  }

  /// The load ends at the next place that asks, with an error.
  void cancel() { cancelled_ = true; }
  bool isCancelled() const { return cancelled_; }

 private:
  mutable std::mutex mutex_;
  Report report_;
  std::atomic<bool> cancelled_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free);
};

}  // namespace slipstick

// How far a load is, told by the thread that loads and read by any other; and the wish to end it.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "engine/foundation/result.h"

namespace slipstick {

/// One for each load. All functions may be called on any thread; cancel() takes no lock, so that a signal's handler
/// may call it, too.
class LoadProgress {
 public:
  struct Report {
    std::string what;  ///< what is being done, for people: "reading mesh 3 of 12, hand.stl"; empty at first
    double fraction = -1;  ///< of the whole load, 0 … 1; below 0 where nobody knows
    bool operator==(const Report&) const = default;
  };

  /// @param fraction  0 … 1 of the whole load, or of the part of it that is under way; below 0: unknown
  void say(std::string what, double fraction) {
    const std::lock_guard lock(mutex_);
    report_ = {std::move(what), fraction < 0 ? fraction : from_ + fraction * (to_ - from_)};
  }
  Report current() const {
    const std::lock_guard lock(mutex_);
    return report_;
  }

  /// The load ends at the next place that asks, with an error of the code Cancelled.
  void cancel() { cancelled_ = true; }
  bool isCancelled() const { return cancelled_; }

  /// As long as it lives, fractions are those of a part of the load: who does the part need not know of the rest. Parts
  /// may have parts.
  class Part {
   public:
    /// @param progress  null: nobody watches
    /// @param from, to  where the part lies in what it is part of
    Part(LoadProgress* progress, double from, double to) : progress_(progress) {
      if (!progress_) return;
      const std::lock_guard lock(progress_->mutex_);
      outerFrom_ = progress_->from_;
      outerTo_ = progress_->to_;
      progress_->from_ = outerFrom_ + from * (outerTo_ - outerFrom_);
      progress_->to_ = outerFrom_ + to * (outerTo_ - outerFrom_);
    }
    ~Part() {
      if (!progress_) return;
      const std::lock_guard lock(progress_->mutex_);
      progress_->from_ = outerFrom_;
      progress_->to_ = outerTo_;
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    LoadProgress* progress_;
    double outerFrom_ = 0, outerTo_ = 1;
  };

 private:
  mutable std::mutex mutex_;
  Report report_;
  double from_ = 0, to_ = 1;
  std::atomic<bool> cancelled_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free);
};

/// Also of work that nobody watches: null.
inline bool isCancelled(const LoadProgress* progress) {
  return progress && progress->isCancelled();
}

/// What a cancelled load ends with.
/// @param where  what was being loaded
inline Error cancelledLoad(const std::string& where) {
  return {ErrorCode::Cancelled, "loading was cancelled", where, "open it again"};
}

}  // namespace slipstick

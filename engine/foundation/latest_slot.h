// Where one thread leaves what another one takes, when only the newest counts.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace slipstick {

/// Holds one value at most. What a newer one replaces is freed outside of the lock, on the thread of who brings it. All
/// functions may be called on any thread.
template <class T>
class LatestSlot {
 public:
  /// Replaces what nobody has taken yet.
  void put(T value) {
    std::optional<T> old(std::move(value));
    {
      const std::scoped_lock lock(mutex_);
      value_.swap(old);
    }
    filled_.notify_one();
  }

  /// Changes what nobody has taken yet, or a T{} that is put there.
  /// @param change  called with the value, under the lock: it must be short, and throw nothing
  template <class Change>
  void change(Change&& change) {
    {
      const std::scoped_lock lock(mutex_);
      if (!value_) value_.emplace();
      std::forward<Change>(change)(*value_);
    }
    filled_.notify_one();
  }

  /// The newest value, once; none where nothing came since.
  std::optional<T> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(value_, std::nullopt);
  }

  /// The same, once there is one; none where `stop` came first.
  std::optional<T> wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, stop, [this] { return value_.has_value(); });
    return std::exchange(value_, std::nullopt);
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any filled_;
  std::optional<T> value_;
};

}  // namespace slipstick

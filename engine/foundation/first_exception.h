// Exceptions of several threads that work on one thing, for the one who waits for them.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace slipstick {

/// Keeps the first one.
class FirstException {
 public:
  /// Of whatever thread: those that still work may leave out the rest.
  bool happened() const noexcept { return happened_.load(std::memory_order_relaxed); }
  /// Does the work; what it throws is kept, if it is the first.
  template <class Work>
  void guard(const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      if (!happened_.exchange(true, std::memory_order_relaxed)) first_ = std::current_exception();
    }
  }
  /// When nobody works any more: forgets it, and throws it if there is one.
  void rethrow() {
    if (!happened_.exchange(false, std::memory_order_relaxed)) return;
    std::rethrow_exception(std::exchange(first_, nullptr));
  }
  void forget() noexcept {
    happened_.store(false, std::memory_order_relaxed);
    first_ = nullptr;
  }

 private:
  std::atomic<bool> happened_ = false;
  std::exception_ptr first_;
};

}  // namespace slipstick

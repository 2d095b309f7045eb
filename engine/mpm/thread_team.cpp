#include "engine/mpm/thread_team.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace slipstick::mpm {
namespace {

/// How often a waiting thread looks before it sleeps: some microseconds, about the length of a short phase.
constexpr int kSpins = 2000;

void pause() {
#if defined(__SSE2__)
  _mm_pause();
#endif
}

/// Waits until the value differs from `old`: first awake, then asleep.
template <class T>
void waitWhileEqual(const std::atomic<T>& value, T old) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

FlushDenormals::FlushDenormals() {
#if defined(__SSE2__)
  constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;
  saved_ = _mm_getcsr();
  _mm_setcsr(saved_ | kFlushToZero | kDenormalsAreZero);
#endif
}

FlushDenormals::~FlushDenormals() {
#if defined(__SSE2__)
  _mm_setcsr(saved_);
#endif
}

ThreadTeam::ThreadTeam(int threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadTeam::~ThreadTeam() {
  stop_ = true;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  workers_.clear();  // joins while the atomics that the workers watch still live
}

void ThreadTeam::start(int count, const void* context, Task task) {
  context_ = context;
  task_ = task;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  if (!workers_.empty() && count > 1) {
    busy_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  drain();
  for (int busy = busy_.load(std::memory_order_acquire); busy != 0;
       busy = busy_.load(std::memory_order_acquire))
    waitWhileEqual(busy_, busy);
}

void ThreadTeam::drain() {
  for (int index = next_.fetch_add(1, std::memory_order_relaxed); index < count_;
       index = next_.fetch_add(1, std::memory_order_relaxed))
    task_(context_, index);
}

void ThreadTeam::work() {
  const FlushDenormals flush;
  for (std::uint32_t seen = 0;;) {
    waitWhileEqual(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (stop_) return;
    drain();
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
  }
}

}  // namespace slipstick::mpm

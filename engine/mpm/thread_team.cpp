#include "engine/mpm/thread_team.h"

#include "engine/foundation/require.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace slipstick::mpm {
namespace {

/// How often a waiting thread looks before it sleeps: a fraction of a millisecond, as the caller's own work between
/// two phases may take, since to be woken costs more than most phases. Soon it gives way to whoever else could run.
constexpr int kSpins = 16000, kSpinsAlone = 1000, kSpinsPerYield = 50;

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
    if (spin > kSpinsAlone && spin % kSpinsPerYield == 0)
      std::this_thread::yield();
    else
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
  SIM_REQUIRE(threads >= 1 && threads <= kMostThreads, threads);
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadTeam::~ThreadTeam() {
  stop_ = true;
  gate_.fetch_add(kRound, std::memory_order_release);
  gate_.notify_all();
  workers_.clear();  // joins while the atomics that the workers watch still live
}

void ThreadTeam::start(int count, const void* context, Task task) {
  context_ = context;
  task_ = task;
  count_ = count;
  next_.store(0, std::memory_order_relaxed);
  if (workers_.empty() || count <= 1) {
    drain();
    return;
  }
  // Nobody is inside: the last round ended with the gate closed and empty.
  const std::uint32_t round = (gate_.load(std::memory_order_relaxed) & ~(kInside | kOpen)) + kRound;
  gate_.store(round | kOpen, std::memory_order_release);
  gate_.notify_all();
  drain();
  std::uint32_t gate = gate_.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
  while ((gate & kInside) != 0) {
    waitWhileEqual(gate_, gate);
    gate = gate_.load(std::memory_order_acquire);
  }
}

void ThreadTeam::drain() {
  for (int index = next_.fetch_add(1, std::memory_order_relaxed); index < count_;
       index = next_.fetch_add(1, std::memory_order_relaxed))
    task_(context_, index);
}

void ThreadTeam::work() {
  const FlushDenormals flush;
  std::uint32_t served = 0;  // the round that this worker last took part in
  std::uint32_t gate = gate_.load(std::memory_order_acquire);
  while (!stop_.load(std::memory_order_relaxed)) {
    const std::uint32_t round = gate & ~(kInside | kOpen);
    if ((gate & kOpen) == 0 || round == served) {
      waitWhileEqual(gate_, gate);
      gate = gate_.load(std::memory_order_acquire);
    } else if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel,
                                           std::memory_order_acquire)) {
      served = round;
      drain();
      if ((gate_.fetch_sub(1, std::memory_order_acq_rel) & kInside) == 1) gate_.notify_all();
      gate = gate_.load(std::memory_order_acquire);
    }
  }
}

}  // namespace slipstick::mpm

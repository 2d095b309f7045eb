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

ThreadTeam::ThreadTeam(int threads) : parts_(static_cast<std::size_t>(std::clamp(threads, 1, kMaxThreads))) {
  SIM_REQUIRE(threads >= 1 && threads <= kMaxThreads, threads);
  workers_.reserve(static_cast<std::size_t>(threads - 1));  // their number is constant while they run
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  } catch (...) {  // the system gives no more threads
    stopWorkers();
    throw;
  }
}

ThreadTeam::~ThreadTeam() {
  stopWorkers();
}

void ThreadTeam::stopWorkers() noexcept {
  stop_ = true;
  gate_.fetch_add(kRound, std::memory_order_release);
  gate_.notify_all();
  workers_.clear();  // joins while the atomics that the workers watch still live
}

void ThreadTeam::attempt(Task task, const void* context, int index, FirstException& failure) noexcept {
  if (!failure.happened()) failure.guard([&] { task(context, index); });
}

void ThreadTeam::start(int count, const void* context, Task task) {
  if (workers_.empty() || count <= 1) {
    for (int index = 0; index < count; ++index) task(context, index);
    return;
  }
  context_ = context;
  task_ = task;
  int begin = 0;
  for (int self = 0; self < size(); ++self) {
    Part& part = parts_[static_cast<std::size_t>(self)];
    part.next.store(begin, std::memory_order_relaxed);
    part.end = begin = static_cast<int>(std::int64_t{count} * (self + 1) / size());
  }
  // Nobody is inside: the last round ended with the gate closed and empty.
  const std::uint32_t round = (gate_.load(std::memory_order_relaxed) & ~(kInside | kOpen)) + kRound;
  gate_.store(round | kOpen, std::memory_order_release);
  gate_.notify_all();
  drain(0);
  std::uint32_t gate = gate_.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
  while ((gate & kInside) != 0) {
    waitWhileEqual(gate_, gate);
    gate = gate_.load(std::memory_order_acquire);
  }
  failure_.rethrow();
}

void ThreadTeam::startOffer(int count, const void* context, Task task) {
  SIM_REQUIRE(unfinished_.load(std::memory_order_relaxed) == 0, count);
  offeredContext_ = context;
  offeredTask_ = task;
  unfinished_.store(count, std::memory_order_relaxed);
  offered_.store(count, std::memory_order_release);
  if (workers_.empty() || count == 0) return;
  gate_.fetch_add(kRound,
                  std::memory_order_release);  // closed, as nobody is in a round: only something to see
  gate_.notify_all();
}

/// @return whether there was something to take
bool ThreadTeam::takeOffered() {
  int left = offered_.load(std::memory_order_relaxed);
  do {
    if (left <= 0) return false;
  } while (
      !offered_.compare_exchange_weak(left, left - 1, std::memory_order_acquire, std::memory_order_relaxed));
  attempt(offeredTask_, offeredContext_, left - 1, offerFailure_);
  unfinished_.fetch_sub(1, std::memory_order_acq_rel);
  unfinished_.notify_one();
  return true;
}

void ThreadTeam::finishOffer() {
  waitForOffer();
  offerFailure_.rethrow();
}

void ThreadTeam::complete() noexcept {
  waitForOffer();
  offerFailure_.forget();
}

/// Helps until nothing of the offer is left.
void ThreadTeam::waitForOffer() noexcept {
  while (takeOffered()) {
  }
  for (int left = unfinished_.load(std::memory_order_acquire); left > 0;
       left = unfinished_.load(std::memory_order_acquire))
    waitWhileEqual(unfinished_, left);
}

/// Its own part first, then those of the threads after it.
void ThreadTeam::drain(int self) {
  for (int i = 0; i < size(); ++i) {
    Part& part = parts_[static_cast<std::size_t>((self + i) % size())];
    while (part.next.load(std::memory_order_relaxed) < part.end) {
      const int index = part.next.fetch_add(1, std::memory_order_relaxed);
      if (index < part.end) attempt(task_, context_, index, failure_);
    }
  }
}

void ThreadTeam::work(int self) {
  const FlushDenormals flush;
  std::uint32_t served = 0;  // the round that this worker last took part in
  std::uint32_t gate = gate_.load(std::memory_order_acquire);
  while (!stop_.load(std::memory_order_relaxed)) {
    const std::uint32_t round = gate & ~(kInside | kOpen);
    if ((gate & kOpen) == 0 || round == served) {
      if (!takeOffered()) waitWhileEqual(gate_, gate);
      gate = gate_.load(std::memory_order_acquire);
    } else if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel,
                                           std::memory_order_acquire)) {
      served = round;
      drain(self);
      if ((gate_.fetch_sub(1, std::memory_order_acq_rel) & kInside) == 1) gate_.notify_all();
      gate = gate_.load(std::memory_order_acquire);
    }
  }
}

}  // namespace slipstick::mpm

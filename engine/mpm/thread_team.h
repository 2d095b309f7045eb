// A few threads that stay between substeps, because a substep is far shorter than starting a thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "engine/foundation/first_exception.h"

namespace slipstick::mpm {

/// Runs f(0) … f(count − 1) on the caller and size() − 1 workers. Each begins with its own part of the
/// indices, the same in every round: what neighbours in one round have written, neighbours in the next find in
/// their own cache. Then it helps the others, so which thread runs which index is left to chance, and f must
/// write only what belongs to its index; then results do not depend on the number of threads. The caller waits
/// only for workers that have taken part: one that the system has not got round to waking costs nothing, so a
/// busy machine slows a step by its share and not by a time slice per phase.
///
/// Where f throws, indices that no thread has begun are left out, and the first exception reaches the caller once all
/// threads are done. The team then works as before.
class ThreadTeam {
 public:
  static constexpr int kMaxThreads = 255;

  /// @param threads  with the caller, 1 … kMaxThreads
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Returns when all are done.
  template <class F>
  void run(int count, const F& f) {
    start(count, &f, call<F>);
  }

  /// Work that is on offer as long as this lives.
  class Offer {
   public:
    ~Offer() { team_.complete(); }  ///< all of it is done, or left out; what it threw is forgotten
    Offer(const Offer&) = delete;
    Offer& operator=(const Offer&) = delete;
    /// Helps with it. Returns when all of it is done.
    void finish() { team_.finishOffer(); }

   private:
    friend class ThreadTeam;
    explicit Offer(ThreadTeam& team) : team_(team) {}
    ThreadTeam& team_;
  };

  /// Work for whoever would otherwise wait: f(0) … f(count − 1), taken one by one from now to finish(), also
  /// between and beside rounds of run(), which go first. One offer at a time; f must live as long as it.
  template <class F>
  [[nodiscard]] Offer offer(int count, const F& f) {
    startOffer(count, &f, call<F>);
    return Offer(*this);
  }

 private:
  using Task = void (*)(const void* context, int index);
  template <class F>
  static void call(const void* context, int index) {
    (*static_cast<const F*>(context))(index);
  }

  void start(int count, const void* context, Task task);
  void startOffer(int count, const void* context, Task task);
  bool takeOffered();
  void waitForOffer() noexcept;
  void finishOffer();
  void complete() noexcept;
  void work(int self);
  void drain(int self);
  void stopWorkers() noexcept;

  static void attempt(Task task, const void* context, int index, FirstException& failure) noexcept;

  /// A thread's part of a round, alone in its line of the cache.
  struct alignas(64) Part {
    std::atomic<int> next = 0;  ///< index to be taken next
    int end = 0;
  };

  /// The gate: workers inside (low byte), open bit, number of the round above them.
  static constexpr std::uint32_t kInside = 0xff, kOpen = 0x100, kRound = 0x200;

  std::vector<std::jthread> workers_;
  const void* context_ = nullptr;
  Task task_ = nullptr;
  std::vector<Part> parts_;  ///< per thread, the caller's first
  FirstException failure_;   ///< of the round
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint32_t> gate_ = 0;  ///< what the workers, and at the end of a round the caller, watch

  const void* offeredContext_ = nullptr;
  Task offeredTask_ = nullptr;
  std::atomic<int> offered_ = 0;     ///< not yet taken; the next index is one less
  std::atomic<int> unfinished_ = 0;  ///< not yet done
  FirstException offerFailure_;
};

/// f(0) … f(count − 1), handed out in chunks of `together`. Without a team the caller does all of it.
template <class F>
void shareOut(ThreadTeam* team, std::size_t count, std::size_t together, const F& f) {
  const auto runChunk = [&](int chunk) {
    const std::size_t first = together * static_cast<std::size_t>(chunk);
    for (std::size_t i = first; i < std::min(count, first + together); ++i) f(i);
  };
  const auto chunks = static_cast<int>((count + together - 1) / together);
  if (team != nullptr) return team->run(chunks, runChunk);
  for (int chunk = 0; chunk < chunks; ++chunk) runChunk(chunk);
}

/// Denormal numbers count as zero in this scope and thread: they would slow the float kernels down many
/// times.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  unsigned saved_ = 0;
};

}  // namespace slipstick::mpm

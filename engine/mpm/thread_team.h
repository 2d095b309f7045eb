// A few threads that stay between substeps, because a substep is far shorter than starting a thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace slipstick::mpm {

/// Runs f(0) … f(count − 1) on the caller and size() − 1 workers. Which thread runs which index is left to
/// chance, so f must write only what belongs to its index; then results do not depend on the number of
/// threads.
class ThreadTeam {
 public:
  /// @param threads  with the caller, ≥ 1
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Returns when all are done. f must not throw.
  template <class F>
  void run(int count, const F& f) {
    start(count, &f, [](const void* context, int index) { (*static_cast<const F*>(context))(index); });
  }

 private:
  using Task = void (*)(const void* context, int index);

  void start(int count, const void* context, Task task);
  void work();
  void drain();

  std::vector<std::jthread> workers_;
  const void* context_ = nullptr;
  Task task_ = nullptr;
  int count_ = 0;
  bool stop_ = false;
  std::atomic<int> next_ = 0;             ///< index to be taken next
  std::atomic<int> busy_ = 0;             ///< workers not yet done with this round
  std::atomic<std::uint32_t> round_ = 0;  ///< workers wait for it to change
};

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

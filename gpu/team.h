// How a kernel is written, once for the device and for the host.
//
// A kernel is a plain struct of numbers and device pointers whose call operator is executed by a team of threads:
//
//   struct Scale {
//     static constexpr int kThreads = 128;            // of a team; a power of two
//     float* x; const int* count; float factor;
//     template <class Team> SIM_HD void operator()(Team& team) const {
//       team.each([&](int thread) { … });              // a phase: all threads, then a barrier
//     }
//   };
//
// What threads share crosses from one to another only between phases, never within one: then a phase may run its
// threads in any order, which is how the host checks it (HostTeam draws the order from a seed; a race shows as a
// difference). Code between phases is run by all threads alike and may read nothing that a phase near it
// writes, except through uniform() and the sums, which return one value to everybody.
//
// A Team has
//   index(), count()      which of the launch's teams it is
//   size()                its threads
//   each(f)               f(thread), thread = 0 … size() − 1; barrier
//   loop(n, f)            f(i), i = 0 … n − 1, handed out in turn: thread t takes t, t + size(), …; barrier
//   sums<K>(n, f)         Σ f(i) over i < n, f returning Sums<K>, K ≤ 16, in double: the same bits to everyone,
//                         whatever the order in which threads run
//   uniform(x)            *x as it stands at the last barrier; nobody goes on before all have read it
//   shared<T>()           its own memory, uninitialised at first; T is the kernel's Shared. One that is an array
//                         without bounds is as large as the device allows, see sharedBytesOf()
//   Own<T>                one T per thread that lives across phases, T{} at first: Team::Own<T> mine(team);
//                         mine[thread]
//
// One team is a block of the device (Scope::Block), a cluster of blocks, or the whole grid; only a block has shared().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "engine/lanes/target.h"

namespace slipstick::gpu {

enum class Scope { Block, Cluster, Grid };

/// K sums that are formed together.
template <int K>
struct Sums {
  double value[K];

  SIM_HD static Sums zero() {
    Sums s;
    for (int k = 0; k < K; ++k) s.value[k] = 0;
    return s;
  }
  SIM_HD Sums& operator+=(const Sums& other) {
    for (int k = 0; k < K; ++k) value[k] += other.value[k];
    return *this;
  }
};

/// The order in which a host team runs its threads: as they are numbered with seed 0, else another one in each
/// phase.
class ThreadOrder {
 public:
  explicit ThreadOrder(std::uint64_t seed) : state_(seed) {}

  /// Of `count` threads, in the next phase.
  const std::vector<int>& next(int count) {
    if (static_cast<int>(order_.size()) != count) {
      order_.resize(static_cast<std::size_t>(count));
      std::iota(order_.begin(), order_.end(), 0);
    }
    if (state_ == 0) return order_;
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random() % i]);
    return order_;
  }

 private:
  /// splitmix64
  std::uint64_t random() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }

  std::uint64_t state_;
  std::vector<int> order_;
};

/// A team on the host: phase by phase, thread by thread.
class HostTeam {
 public:
  /// @param blockSize  threads of one of its blocks; size is a multiple of it
  /// @param shared  memory for shared(), aligned to 16 bytes; null where the scope has none
  HostTeam(int index, int count, int size, int blockSize, std::byte* shared, ThreadOrder& order)
      : index_(index), count_(count), size_(size), blockSize_(blockSize), shared_(shared), order_(order) {}

  int index() const { return index_; }
  int count() const { return count_; }
  int size() const { return size_; }
  /// That it has come to.
  long barriers() const { return barriers_; }

  template <class F>
  void each(const F& f) {
    ++barriers_;
    for (const int thread : order_.next(size_)) f(thread);
  }
  template <class F>
  void loop(int n, const F& f) {
    each([&](int thread) {
      for (int i = thread; i < n; i += size_) f(i);
    });
  }
  template <int K, class F>
  Sums<K> sums(int n, const F& f) {
    std::vector<Sums<K>> partial(static_cast<std::size_t>(size_), Sums<K>::zero());
    each([&](int thread) {
      for (int i = thread; i < n; i += size_) partial[static_cast<std::size_t>(thread)] += f(i);
    });
    // As on the device: halves of each block, then block after block.
    Sums<K> total = Sums<K>::zero();
    for (int block = 0; block < size_; block += blockSize_) {
      const auto first = static_cast<std::size_t>(block);
      for (auto half = static_cast<std::size_t>(blockSize_ / 2); half > 0; half /= 2)
        for (std::size_t t = 0; t < half; ++t) partial[first + t] += partial[first + t + half];
      total += partial[first];
    }
    return total;
  }
  template <class T>
  T uniform(const T* x) {
    ++barriers_;
    return *x;
  }
  template <class T>
  T& shared() {
    return *reinterpret_cast<T*>(shared_);
  }

  template <class T>
  class Own {
   public:
    explicit Own(const HostTeam& team) : values_(static_cast<std::size_t>(team.size())) {}
    T& operator[](int thread) { return values_[static_cast<std::size_t>(thread)]; }

   private:
    std::vector<T> values_;
  };

 private:
  int index_, count_, size_, blockSize_;
  long barriers_ = 0;
  std::byte* shared_;
  ThreadOrder& order_;
};

}  // namespace slipstick::gpu

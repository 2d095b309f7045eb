// The Team of team.h as threads of a CUDA device. Only for .cu files; and for a test, which gives it threads of
// the host that answer to the same names (tests/gpu/device_threads.h).
#pragma once

#ifdef __CUDACC__
#include <cooperative_groups.h>

#include <cuda/atomic>
#endif
#include <type_traits>

#include "gpu/team.h"
#include "gpu/team_place.h"

namespace slipstick::gpu {

#ifdef __CUDACC__
/// A block's T, the same wherever it is asked for: shared memory is what large kernels lack. Uninitialised.
template <class T>
__device__ T& ofBlock() {
  __shared__ T memory;
  return memory;
}
/// What a launch adds to it.
__device__ inline unsigned char* addedToBlock() {
  extern __shared__ __align__(64) unsigned char slipstickShared[];
  return slipstickShared;
}
#endif

/// Until as many blocks as are said have come.
__device__ inline void arriveAndWait(DeviceBarrier& barrier, unsigned blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(barrier.arrivals),
        round(barrier.round);
    // Read before arriving: nobody can end this round without this block.
    const unsigned before = round.load(cuda::memory_order_relaxed);
    if (arrived.fetch_add(1, cuda::memory_order_acq_rel) + 1 == blocks) {
      arrived.store(0, cuda::memory_order_relaxed);
      round.store(before + 1, cuda::memory_order_release);
    } else {
      while (round.load(cuda::memory_order_acquire) == before) __nanosleep(20);
    }
  }
  __syncthreads();
}

/// Sums over one block, in the order of HostTeam::sums: t takes t + half, half = kThreads/2 … 1.
template <int kThreads>
class BlockSums {
  static_assert(kThreads > 0 && kThreads <= 1024 && (kThreads & (kThreads - 1)) == 0);

 public:
  /// @return Σ over the block's threads, to all of them; all must call
  template <int K>
  __device__ static Sums<K> over(Sums<K> mine) {
    if constexpr (kThreads <= kWarp) {
      __syncthreads();
      for (int k = 0; k < K; ++k) mine.value[k] = __shfl_sync(kMask, overLanes(mine.value[k]), 0);
    } else {
      Memory& memory = ofBlock<Memory>();
      reduce<0>(memory, mine);
      __syncthreads();
      for (int k = 0; k < K; ++k) mine.value[k] = memory.total[k];
    }
    return mine;
  }

 private:
  static constexpr int kWarp = 32, kHalf = kThreads / 2, kWarps = kThreads > kWarp ? kThreads / kWarp : 1;
  static constexpr unsigned kMask = kThreads < kWarp ? (1u << (kThreads % kWarp)) - 1 : ~0u;
  static constexpr int kAtOnce = sumsAtOnce(kThreads);

  struct Memory {
    double slot[kAtOnce][kHalf];
    double total[kMaxSums];
  };
  static_assert(sizeof(Memory) == sumsSharedBytes(kThreads));

  __device__ static double overLanes(double x) {
    for (int half = (kThreads < kWarp ? kThreads : kWarp) / 2; half > 0; half /= 2)
      x += __shfl_down_sync(kMask, x, half);
    return x;
  }

  /// Sums kFirst, kFirst + 1, … The upper half of the threads hands over to the lower; then each warp takes a
  /// sum, lane l the slots l, l + 32, …, which thread l would have met on its way down the halves.
  template <int kFirst, int K>
  __device__ static void reduce(Memory& memory, const Sums<K>& mine) {
    constexpr int kCount = K - kFirst < kAtOnce ? K - kFirst : kAtOnce, kRows = kHalf / kWarp;
    const int t = static_cast<int>(threadIdx.x);
    if (t >= kHalf)
      for (int k = 0; k < kCount; ++k) memory.slot[k][t - kHalf] = mine.value[kFirst + k];
    __syncthreads();
    if (t < kHalf)
      for (int k = 0; k < kCount; ++k) memory.slot[k][t] = mine.value[kFirst + k] + memory.slot[k][t];
    __syncthreads();
    for (int k = t / kWarp; k < kCount; k += kWarps) {
      double row[kRows];
      for (int r = 0; r < kRows; ++r) row[r] = memory.slot[k][r * kWarp + t % kWarp];
      for (int half = kRows / 2; half > 0; half /= 2)
        for (int r = 0; r < half; ++r) row[r] += row[r + half];
      const double sum = overLanes(row[0]);
      if (t % kWarp == 0) memory.total[kFirst + k] = sum;
    }
    if constexpr (kFirst + kCount < K) {
      __syncthreads();  // all have read the slots
      reduce<kFirst + kCount>(memory, mine);
    }
  }
};

/// What was summed over all blocks.
struct TotalSums {
  double value[kMaxSums];
};

/// Hands the blocks' sums, formed one after another, to everybody. @param partial  block → its sums
template <int K, class Partial>
__device__ Sums<K> inOrderOfBlocks(int blocks, const Partial& partial) {
  static_assert(K <= kMaxSums);
  TotalSums& total = ofBlock<TotalSums>();
  for (int k = static_cast<int>(threadIdx.x); k < K; k += static_cast<int>(blockDim.x)) {
    double sum = 0;
    for (int block = 0; block < blocks; ++block) sum += partial(block, k);
    total.value[k] = sum;
  }
  __syncthreads();
  Sums<K> all;
  for (int k = 0; k < K; ++k) all.value[k] = total.value[k];
  return all;
}

/// A team of one block.
class BlockReach {
 public:
  __device__ int index() const { return static_cast<int>(blockIdx.x); }
  __device__ int count() const { return static_cast<int>(gridDim.x); }
  __device__ int blocks() const { return 1; }
  __device__ int rank() const { return 0; }
  __device__ void barrier() { __syncthreads(); }
  template <int K>
  __device__ Sums<K> acrossBlocks(const Sums<K>& block) {
    Sums<K> all = Sums<K>::zero();
    all += block;
    return all;
  }
};

/// A team of blocks that meet in global memory: the whole grid, or kClusterBlocks of it.
class GlobalReach {
 public:
  /// @param blocks  of a team
  __device__ GlobalReach(const TeamPlace& place, int blocks)
      : team_(static_cast<int>(blockIdx.x) / blocks),
        index_(place.firstTeam + team_),
        count_(place.teams),
        blocks_(blocks),
        barrier_(place.barriers + team_),
        partials_(place.partials) {}

  __device__ int index() const { return index_; }
  __device__ int count() const { return count_; }
  __device__ int blocks() const { return blocks_; }
  __device__ int rank() const { return static_cast<int>(blockIdx.x) - team_ * blocks_; }
  __device__ void barrier() { arriveAndWait(*barrier_, static_cast<unsigned>(blocks_)); }
  template <int K>
  __device__ Sums<K> acrossBlocks(const Sums<K>& block) {
    // Two sets of partials in turn: who writes one again has met everybody since they were read.
    double* const set = partials_ + (turn_ ^= 1) * static_cast<int>(gridDim.x) * kMaxSums;
    if (threadIdx.x == 0)
      for (int k = 0; k < K; ++k) set[static_cast<int>(blockIdx.x) * kMaxSums + k] = block.value[k];
    barrier();
    const double* const first = set + team_ * blocks_ * kMaxSums;
    return inOrderOfBlocks<K>(blocks_,
                              [first](int other, int k) { return __ldcg(first + other * kMaxSums + k); });
  }

 private:
  int team_, index_, count_, blocks_;
  DeviceBarrier* barrier_;
  double* partials_;
  int turn_ = 0;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/// A thread-block cluster of the hardware, which reads each other's shared memory.
class ClusterReach {
 public:
  __device__ ClusterReach(const TeamPlace& place, int blocks)
      : index_(place.firstTeam + static_cast<int>(blockIdx.x) / blocks),
        count_(place.teams),
        blocks_(blocks) {}

  __device__ int index() const { return index_; }
  __device__ int count() const { return count_; }
  __device__ int blocks() const { return blocks_; }
  __device__ int rank() const { return static_cast<int>(cooperative_groups::this_cluster().block_rank()); }
  __device__ void barrier() { cooperative_groups::this_cluster().sync(); }
  template <int K>
  __device__ Sums<K> acrossBlocks(const Sums<K>& block) {
    // Two sets in turn, as in GlobalReach.
    double* const mine = ofBlock<Partials>().value[turn_ ^= 1];
    if (threadIdx.x == 0)
      for (int k = 0; k < K; ++k) mine[k] = block.value[k];
    barrier();
    return inOrderOfBlocks<K>(blocks_, [mine](int other, int k) {
      return cooperative_groups::this_cluster().map_shared_rank(mine, static_cast<unsigned>(other))[k];
    });
  }
  /// A block's shared memory must outlive those who read it.
  __device__ void finish() { barrier(); }

 private:
  struct Partials {
    double value[2][kMaxSums];
  };

  int index_, count_, blocks_;
  int turn_ = 0;
};
#else
using ClusterReach = GlobalReach;
#endif

template <int kThreads, class Reach>
class CudaTeam {
 public:
  __device__ explicit CudaTeam(const Reach& reach) : reach_(reach) {}

  __device__ int index() const { return reach_.index(); }
  __device__ int count() const { return reach_.count(); }
  __device__ int size() const { return reach_.blocks() * kThreads; }

  template <class F>
  __device__ void each(const F& f) {
    f(thread());
    reach_.barrier();
  }
  template <class F>
  __device__ void loop(int n, const F& f) {
    for (int i = thread(); i < n; i += size()) f(i);
    reach_.barrier();
  }
  template <int K, class F>
  __device__ Sums<K> sums(int n, const F& f) {
    static_assert(K <= kMaxSums);
    Sums<K> mine = Sums<K>::zero();
    for (int i = thread(); i < n; i += size()) mine += f(i);
    return reach_.template acrossBlocks<K>(BlockSums<kThreads>::over(mine));
  }
  template <class T>
  __device__ T uniform(const T* x) {
    const T value = *x;
    reach_.barrier();
    return value;
  }
  template <class T>
  __device__ T& shared() {
    static_assert(std::is_same_v<Reach, BlockReach>, "only a block has memory of its own");
    return *reinterpret_cast<T*>(addedToBlock());
  }
  /// After the kernel.
  __device__ void finish() {
    if constexpr (requires(Reach reach) { reach.finish(); }) reach_.finish();
  }

  /// In a register.
  template <class T>
  class Own {
   public:
    __device__ explicit Own(const CudaTeam&) {}
    __device__ T& operator[](int) { return value_; }

   private:
    T value_{};
  };

 private:
  __device__ int thread() const { return reach_.rank() * kThreads + static_cast<int>(threadIdx.x); }

  Reach reach_;
};

template <int kThreads>
using CudaBlockTeam = CudaTeam<kThreads, BlockReach>;
template <int kThreads>
using CudaClusterTeam = CudaTeam<kThreads, ClusterReach>;
template <int kThreads>
using CudaGridTeam = CudaTeam<kThreads, GlobalReach>;

}  // namespace slipstick::gpu

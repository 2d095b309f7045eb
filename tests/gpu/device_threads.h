// Threads of this machine under the names that CUDA gives to those of a device, as far as gpu/cuda_team.h uses
// them: its barriers, sums and clusters run here without a device. Include it before that header.
#pragma once

#include <array>
#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#define __device__

struct DeviceIndex {
  unsigned x;
};
inline thread_local DeviceIndex threadIdx, blockIdx, blockDim, gridDim;

namespace slipstick::gpu::testing {

inline constexpr unsigned kWarpSize = 32;

/// A block's threads, warp by warp, and its memory.
struct DeviceBlock {
  struct Warp {
    explicit Warp(unsigned lanes) : barrier(lanes) {}
    std::barrier<> barrier;
    std::array<double, kWarpSize> shown{};
  };

  DeviceBlock(unsigned threads, std::size_t addedBytes) : barrier(threads), added(addedBytes + 64) {
    memory.fill(std::byte{0xcd});
    std::fill(added.begin(), added.end(), static_cast<unsigned char>(0xcd));
    for (unsigned first = 0; first < threads; first += kWarpSize)
      warps.push_back(std::make_unique<Warp>(std::min(kWarpSize, threads - first)));
  }

  std::barrier<> barrier;
  std::vector<std::unique_ptr<Warp>> warps;
  alignas(64) std::array<std::byte, 65536> memory;
  std::vector<unsigned char> added;
};

/// Blocks that run at the same time.
struct DeviceBlocks {
  DeviceBlocks(unsigned blocks, unsigned threads, std::size_t addedBytes)
      : barrier(static_cast<std::ptrdiff_t>(blocks) * threads) {
    for (unsigned block = 0; block < blocks; ++block)
      each.push_back(std::make_unique<DeviceBlock>(threads, addedBytes));
  }
  std::barrier<> barrier;
  std::vector<std::unique_ptr<DeviceBlock>> each;
};

inline thread_local DeviceBlocks* blocksHere;
inline thread_local unsigned rankHere;

inline DeviceBlock& blockHere() {
  return *blocksHere->each[rankHere];
}
inline DeviceBlock::Warp& warpHere() {
  return *blockHere().warps[threadIdx.x / kWarpSize];
}

/// Where a block keeps something of the size: the same place in every block.
inline std::size_t nextPlace(std::size_t bytes) {
  static std::atomic<std::size_t> next{0};
  return next.fetch_add((bytes + 63) / 64 * 64);
}

/// Runs blocks first … first + blocks − 1 of a grid at the same time, all threads of them.
template <class Body>
void runDeviceThreads(unsigned grid, unsigned first, unsigned blocks, unsigned threads,
                      std::size_t addedBytes, const Body& body) {
  DeviceBlocks all(blocks, threads, addedBytes);
  std::vector<std::jthread> running;
  for (unsigned rank = 0; rank < blocks; ++rank)
    for (unsigned thread = 0; thread < threads; ++thread)
      running.emplace_back([&, rank, thread] {
        blocksHere = &all;
        rankHere = rank;
        threadIdx.x = thread;
        blockIdx.x = first + rank;
        blockDim.x = threads;
        gridDim.x = grid;
        body();
      });
}

}  // namespace slipstick::gpu::testing

namespace slipstick::gpu {

template <class T>
T& ofBlock() {
  static const std::size_t place = testing::nextPlace(sizeof(T));
  return *reinterpret_cast<T*>(testing::blockHere().memory.data() + place);
}
inline unsigned char* addedToBlock() {
  unsigned char* const memory = testing::blockHere().added.data();
  return memory + (64 - reinterpret_cast<std::uintptr_t>(memory) % 64) % 64;
}

}  // namespace slipstick::gpu

inline void __syncthreads() {
  slipstick::gpu::testing::blockHere().barrier.arrive_and_wait();
}
/// What lane `from` of the warp brings; all its lanes call.
inline double __shfl_sync(unsigned, double mine, unsigned from) {
  auto& warp = slipstick::gpu::testing::warpHere();
  const unsigned lane = threadIdx.x % slipstick::gpu::testing::kWarpSize;
  warp.shown[lane] = mine;
  warp.barrier.arrive_and_wait();
  const double theirs = from < slipstick::gpu::testing::kWarpSize ? warp.shown[from] : mine;
  warp.barrier.arrive_and_wait();
  return theirs;
}
inline double __shfl_down_sync(unsigned mask, double mine, int by) {
  return __shfl_sync(mask, mine,
                     threadIdx.x % slipstick::gpu::testing::kWarpSize + static_cast<unsigned>(by));
}
inline void __nanosleep(unsigned) {
  std::this_thread::yield();
}
template <class T>
T __ldcg(const T* x) {
  return *x;
}

namespace cuda {
enum thread_scope { thread_scope_device };
template <class T, thread_scope>
using atomic_ref = std::atomic_ref<T>;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
}  // namespace cuda

namespace cooperative_groups {
struct Cluster {
  unsigned block_rank() const { return slipstick::gpu::testing::rankHere; }
  void sync() const { slipstick::gpu::testing::blocksHere->barrier.arrive_and_wait(); }
  /// The same place in another block's memory.
  template <class T>
  T* map_shared_rank(T* mine, unsigned rank) const {
    const auto place =
        reinterpret_cast<std::byte*>(mine) - slipstick::gpu::testing::blockHere().memory.data();
    return reinterpret_cast<T*>(slipstick::gpu::testing::blocksHere->each[rank]->memory.data() + place);
  }
};
inline Cluster this_cluster() {
  return {};
}
}  // namespace cooperative_groups

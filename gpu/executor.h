// What the backend's host code asks of a device: memory, copies, launches in the order of one stream, graphs of
// them, and a few operations over whole arrays. Two executors answer: CudaExecutor on a device, HostExecutor on this
// machine, for tests. Both also have
//   template <class Kernel> void launch(const Kernel& kernel, int teams);
// which is a template and so not part of this interface; team.h says what a Kernel is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/device_error.h"
#include "gpu/team.h"
#include "gpu/team_place.h"

namespace slipstick {
class DrawBuffer;  // engine/model/particle_source.h
}

namespace slipstick::gpu {

/// What an executor has done so far.
struct ExecutorCounts {
  long allocations = 0;             ///< of device or pinned memory
  long uploads = 0, downloads = 0;  ///< copies between host and device, those of replayed graphs included
  long launches = 0;                ///< of kernels, those of replayed graphs included
  long graphs = 0;                  ///< recorded
  std::size_t bytes = 0;            ///< of device memory that is allocated now
};

class Executor {
 public:
  virtual ~Executor() = default;
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  /// "cuda", "cuda-host".
  virtual std::string_view name() const = 0;
  /// "CUDA · NVIDIA H100 80GB HBM3"
  virtual std::string runsOn() const = 0;
  /// Blocks of a grid-wide launch that can run at once; of a launch that asks for more, so many run.
  virtual int gridBlocks() const = 0;
  /// Shared memory that one block may have, what its sums take included [B].
  virtual std::size_t blockSharedBytes() const = 0;

  // Memory, aligned to 256 bytes; its content is undefined. Throws DeviceError when there is none left.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  /// Host memory that copies can use directly.
  virtual void* allocatePinned(std::size_t bytes) = 0;
  virtual void releasePinned(void* memory) noexcept = 0;

  // In the order of the stream; while a graph is recorded, a part of it.
  virtual void upload(void* device, const void* pinned, std::size_t bytes) = 0;
  virtual void download(void* pinned, const void* device, std::size_t bytes) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;  ///< device to device
  virtual void clear(void* device, std::size_t bytes) = 0;               ///< all bytes 0
  /// Sorts pairs by the keys' low `bits` bits; equal keys keep their order. In and out differ.
  virtual void sortPairs(const std::uint64_t* keys, std::uint64_t* sortedKeys, const int* values,
                         int* sortedValues, int count, int bits) = 0;
  /// out[i] = in[0] + … + in[i − 1]; in and out may be the same.
  virtual void exclusiveScan(const int* in, int* out, int count) = 0;

  /// From here to endGraph() nothing runs; it becomes a graph. A DeviceError ends the recording and drops it.
  virtual void beginGraph() = 0;
  /// Ends a recording, if there is one, and drops it.
  virtual void abandonGraph() noexcept = 0;
  /// @return its number; the memory that it names must live as long as it
  virtual int endGraph() = 0;
  virtual void dropGraphs() = 0;
  virtual void replay(int graph) = 0;

  /// Until all that was asked for has happened. Throws DeviceError, naming the kernel where it is known.
  virtual void wait() = 0;

  /// Copies device memory, which nothing in the stream is writing, into a buffer that is drawn from. From the
  /// thread that draws, beside whatever the stream does; waits. @return whether the device could
  virtual bool show(const void* device, std::size_t bytes, DrawBuffer& buffer) const noexcept = 0;

  const ExecutorCounts& counts() const { return counts_; }

 protected:
  ExecutorCounts counts_;
};

/// An array in device memory. Grows by ensure(); forgets its content then.
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit DeviceArray(Executor& executor) : executor_(&executor) {}
  ~DeviceArray() { executor_->release(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  DeviceArray(DeviceArray&& other) noexcept
      : executor_(other.executor_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)) {}

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  /// Room for `count`. @return whether it had to be allocated anew
  bool ensure(std::size_t count) {
    if (count <= size_) return false;
    executor_->release(std::exchange(data_, nullptr));
    size_ = 0;
    data_ = static_cast<T*>(executor_->allocate(count * sizeof(T)));
    size_ = count;
    return true;
  }
  friend void swap(DeviceArray& a, DeviceArray& b) noexcept {
    std::swap(a.data_, b.data_);
    std::swap(a.size_, b.size_);
  }

 private:
  Executor* executor_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The same in pinned host memory.
template <class T>
class PinnedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit PinnedArray(Executor& executor) : executor_(&executor) {}
  ~PinnedArray() { executor_->releasePinned(data_); }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;

  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return size_; }

  bool ensure(std::size_t count) {
    if (count <= size_) return false;
    executor_->releasePinned(std::exchange(data_, nullptr));
    size_ = 0;
    data_ = static_cast<T*>(executor_->allocatePinned(count * sizeof(T)));
    size_ = count;
    return true;
  }

 private:
  Executor* executor_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Makes the array hold the values. Waits.
template <class T>
void uploadAll(Executor& executor, DeviceArray<T>& to, const std::vector<T>& values) {
  if (values.empty()) return;
  to.ensure(values.size());
  PinnedArray<T> pinned(executor);
  pinned.ensure(values.size());
  std::copy(values.begin(), values.end(), pinned.data());
  executor.upload(to.data(), pinned.data(), values.size() * sizeof(T));
  executor.wait();
}

/// In place of a number of bytes: all that a block of the device may have.
inline constexpr std::size_t kAllShared = ~std::size_t{0};

/// Shared memory that a kernel declares [B]: kAllShared where its Shared is an array without bounds, 0 where it has none.
template <class Kernel>
constexpr std::size_t declaredSharedBytes() {
  if constexpr (requires { typename Kernel::Shared; }) {
    if constexpr (std::is_unbounded_array_v<typename Kernel::Shared>)
      return kAllShared;
    else
      return sizeof(typename Kernel::Shared);
  } else {
    return 0;
  }
}
/// The same in numbers where a block may have so much, what its sums take included [B].
template <class Kernel>
constexpr std::size_t sharedBytesOf(std::size_t blockSharedBytes) {
  constexpr std::size_t declared = declaredSharedBytes<Kernel>(), sums = sumsSharedBytes(Kernel::kThreads);
  if (declared != kAllShared) return declared;
  return blockSharedBytes > sums ? blockSharedBytes - sums : 0;
}
/// Scope::Block where a kernel does not say otherwise.
template <class Kernel>
constexpr Scope scopeOf() {
  if constexpr (requires { Kernel::kScope; }) {
    return Kernel::kScope;
  } else {
    return Scope::Block;
  }
}
/// Blocks that a multiprocessor should be able to run at once: what limits a thread's registers. Two, where a kernel does
/// not say otherwise; some run no more than 1,536 threads.
template <class Kernel>
constexpr int blocksTogetherOf() {
  if constexpr (requires { Kernel::kBlocksTogether; }) {
    return Kernel::kBlocksTogether;
  } else {
    return Kernel::kThreads > 512 ? 1 : 2;
  }
}
/// Blocks of one of a cluster-wide kernel's teams. Of a grid-wide kernel, `teams` of the launch is the number
/// of blocks.
inline constexpr int kClusterBlocks = 8;

}  // namespace slipstick::gpu

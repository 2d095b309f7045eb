// Runs kernels on a CUDA device, in the order of one stream. This header knows nothing of CUDA; files that
// launch kernels, all of them .cu, include cuda_launch.h.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/foundation/result.h"
#include "gpu/executor.h"
#include "gpu/team_place.h"

struct CUstream_st;
struct CUgraphExec_st;

namespace slipstick::gpu {

/// A kernel as the CUDA runtime sees it.
struct CudaKernel {
  const void* function;  ///< of (kernel, TeamPlace)
  std::string (*name)();
  Scope scope;
  int threads;              ///< of a block
  std::size_t sharedBytes;  ///< of a block, on top of what sums need
};

class CudaExecutor final : public Executor {
 public:
  ~CudaExecutor() override;

  std::string_view name() const override { return "cuda"; }
  std::string runsOn() const override { return "CUDA · " + deviceName_; }
  int gridBlocks() const override { return multiprocessors_; }
  std::size_t blockSharedBytes() const override { return static_cast<std::size_t>(blockShared_); }
  void* allocate(std::size_t bytes) override;
  void release(void* memory) noexcept override;
  void* allocatePinned(std::size_t bytes) override;
  void releasePinned(void* memory) noexcept override;
  void upload(void* device, const void* pinned, std::size_t bytes) override;
  void download(void* pinned, const void* device, std::size_t bytes) override;
  void copy(void* to, const void* from, std::size_t bytes) override;
  void clear(void* device, std::size_t bytes) override;
  void sortPairs(const std::uint64_t* keys, std::uint64_t* sortedKeys, const int* values, int* sortedValues,
                 int count, int bits) override;
  void exclusiveScan(const int* in, int* out, int count) override;
  void beginGraph() override;
  void abandonGraph() noexcept override {
    if (recording_) abandonRecording();
  }
  int endGraph() override;
  void dropGraphs() override;
  void replay(int graph) override;
  void wait() override;
  bool show(const void* device, std::size_t bytes, DrawBuffer& buffer) const noexcept override;

  /// In cuda_launch.h. @param teams  of Scope::Grid: blocks, of which gridBlocks() run
  template <class Kernel>
  void launch(const Kernel& kernel, int teams);

 private:
  friend Result<std::unique_ptr<CudaExecutor>> makeCudaExecutor();

  struct Graph {
    CUgraphExec_st* executable;
    ExecutorCounts counts;    ///< of one replay
    std::string (*kernel)();  ///< its last
  };
  enum class Meeting { Nowhere, Cluster, GlobalMemory };  ///< of a team's blocks

  CudaExecutor(int device, std::string name) : device_(device), deviceName_(std::move(name)) {}
  void open();
  void makeCurrent();
  // `status` is a cudaError_t.
  void check(int status, std::string_view call);
  [[noreturn]] void fail(int status, std::string_view call);
  [[noreturn]] void failAllocation(std::size_t bytes);
  void abandonRecording() noexcept;
  ExecutorCounts& running() { return recording_ ? recorded_ : counts_; }

  /// Does a sort or scan with the memory that it needs.
  /// @param call  (memory, bytes) → cudaError_t; where memory is null it only sets bytes
  template <class Call>
  void withTemporary(const char* name, const Call& call) {
    makeCurrent();
    std::size_t bytes = 0;
    check(call(nullptr, bytes), name);
    // Of no bytes the call would ask again.
    check(call(temporary(bytes > 0 ? bytes : 1), bytes), name);
  }
  void* temporary(std::size_t bytes);
  void releaseRetired() noexcept;

  void launchKernel(const CudaKernel& kernel, const void* values, int teams);
  void launchBlocks(const CudaKernel& kernel, const void* values, TeamPlace place, int blocks,
                    Meeting meeting);
  bool prepare(const CudaKernel& kernel);

  int device_;
  std::string deviceName_;
  int multiprocessors_ = 0;
  int blockShared_ = 0;  ///< [B]
  CUstream_st* stream_ = nullptr;
  std::unordered_map<void*, std::size_t> memory_;
  std::unordered_set<void*> pinned_;
  DeviceBarrier* barriers_ = nullptr;
  double* partials_ = nullptr;
  void* temporary_ = nullptr;  ///< of sorts and scans
  std::size_t temporaryBytes_ = 0;
  std::vector<void*> retired_;                            ///< former ones, which graphs still name
  std::unordered_map<const void*, bool> meetsInCluster_;  ///< of functions launched before
  std::string (*lastKernel_)() = nullptr;
  std::vector<Graph> graphs_;
  ExecutorCounts recorded_;
  bool recording_ = false;
};

/// On the first device of compute capability 8.0 or more; an Error that says why there is none.
Result<std::unique_ptr<CudaExecutor>> makeCudaExecutor();

}  // namespace slipstick::gpu

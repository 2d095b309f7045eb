// Runs kernels on this machine, one thread after another, as `--backend cuda-host`: for tests, and slow. Everything
// around the kernels, streams, graphs, capacities and errors, is the same as on a device.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpu/executor.h"
#include "gpu/kernel_name.h"

namespace slipstick::gpu {

/// A kernel that a HostExecutor runs.
struct HostLaunch {
  std::string (*name)();
  Scope scope;
  int teams;
  int threads;  ///< of a block
};

/// Is told of everything that a HostExecutor does with device memory, while it does it.
class HostObserver {
 public:
  virtual ~HostObserver() = default;
  virtual void allocated(const void* memory, std::size_t bytes) = 0;
  virtual void released(const void* memory) = 0;
  virtual void launchBegins(const HostLaunch& launch) = 0;
  /// @param barriers  that a team came to, the largest of all teams
  virtual void launchEnds(long barriers) = 0;
  /// A copy, sort, … that is no kernel of ours. @param read, written  bytes of device memory that a device moves
  virtual void moved(std::string_view operation, std::size_t read, std::size_t written) = 0;
};

class HostExecutor : public Executor {
 public:
  struct Settings {
    /// Draws the order in which the threads of a phase run; 0: as they are numbered.
    std::uint64_t seed = 0;
    /// This allocation of device memory and all after it fail; −1: none.
    long failingAllocation = -1;
    /// This one of calls() fails, once: the device refuses it and works again afterwards; −1: none.
    long failingCall = -1;
    /// At this launch the device is lost; −1: at none.
    long losingLaunch = -1;
    /// Blocks of a grid-wide launch, where it asks for no fewer.
    int gridBlocks = 16;
    /// Shared memory that a block may have [B]; on devices 99, 163 or 227 KiB.
    std::size_t blockSharedBytes = std::size_t{227} << 10;
    /// Outlives the executor; null: nobody.
    HostObserver* observer = nullptr;
  };

  HostExecutor() : HostExecutor(Settings()) {}
  explicit HostExecutor(const Settings& settings) : settings_(settings), order_(settings.seed) {}
  ~HostExecutor() override;

  std::string_view name() const override { return "cuda-host"; }
  std::string runsOn() const override { return "CPU · 1 thread · as a CUDA device"; }
  int gridBlocks() const override { return settings_.gridBlocks; }
  std::size_t blockSharedBytes() const override { return settings_.blockSharedBytes; }
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
  void abandonGraph() noexcept override { recording_ = false; }
  int endGraph() override;
  void dropGraphs() override { graphs_.clear(); }
  void replay(int graph) override;
  void wait() override;
  bool show(const void* device, std::size_t bytes, DrawBuffer& buffer) const noexcept override;

  template <class Kernel>
  void launch(const Kernel& kernel, int teams) {
    if (teams <= 0) return;
    const std::size_t shared = sharedBytesOf<Kernel>(blockSharedBytes());
    if (shared > 0) requireShared(shared + sumsSharedBytes(Kernel::kThreads), &kernelName<Kernel>);
    enqueue([this, kernel, teams, shared] {
      if (!countLaunch(&kernelName<Kernel>)) return;
      constexpr Scope scope = scopeOf<Kernel>();
      const int inGrid = std::min(teams, gridBlocks());
      const int blocks = scope == Scope::Grid ? inGrid : scope == Scope::Cluster ? kClusterBlocks : 1;
      const int count = scope == Scope::Grid ? 1 : teams, size = blocks * Kernel::kThreads;
      long barriers = 0;
      if (settings_.observer)
        settings_.observer->launchBegins({&kernelName<Kernel>, scope, count, Kernel::kThreads});
      for (int index = 0; index < count; ++index) {
        HostTeam team(index, count, size, Kernel::kThreads, newShared(shared), order_);
        kernel(team);
        checkShared(shared);
        barriers = std::max(barriers, team.barriers());
      }
      if (settings_.observer) settings_.observer->launchEnds(barriers);
    });
  }

  /// Of its functions that may fail: memory, copies, launches, graphs and waiting, each when it is asked for.
  long calls() const { return calls_; }
  /// From now on.
  void configure(const Settings& settings);

 protected:
  using Operation = std::function<void()>;

  /// Now, or whenever the graph that is being recorded is replayed.
  void enqueue(Operation operation);

 private:
  void countCall(std::string_view name);
  bool countLaunch(std::string (*kernelName)());
  void requireShared(std::size_t bytes, std::string (*kernelName)());
  std::byte* newShared(std::size_t bytes);
  void checkShared(std::size_t bytes);
  std::byte* sharedBegin();
  void tellMoved(std::string_view operation, std::size_t read, std::size_t written);

  Settings settings_;
  ThreadOrder order_;
  std::unordered_map<void*, std::size_t> memory_, pinned_;
  std::vector<std::byte> shared_;
  std::vector<std::vector<Operation>> graphs_;
  std::vector<Operation> recorded_;
  bool recording_ = false;
  std::string (*losingKernel_)() = nullptr;
  long calls_ = 0;
};

}  // namespace slipstick::gpu

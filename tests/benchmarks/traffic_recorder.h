// What kernels move: the bytes of device memory that they touch, launch by launch, while a HostExecutor runs them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "gpu/host_executor.h"

namespace slipstick::gpu {

/// Of one kernel or operation, sums over its launches.
struct KernelTraffic {
  Scope scope = Scope::Block;
  long launches = 0;
  long barriers = 0;  ///< that its teams came to, of each launch the most
  /// What device memory must move if a cache keeps everything during a launch and nothing beyond it: sectors of 32
  /// bytes that are read before the launch has written them, and sectors that it writes [bytes].
  std::uint64_t read = 0, written = 0;
  std::uint64_t accessed = 0;  ///< all reads and writes, as if there were no cache [bytes]
};

/// Hears of launches from the executor, and of single accesses from whoever runs instrumented code:
/// tests/benchmarks/access_hooks.cpp.
class TrafficRecorder final : public HostObserver {
 public:
  static constexpr std::uintptr_t kSectorBytes = 32;

  TrafficRecorder() { lastRegions_.fill({~std::uintptr_t{0}, nullptr}); }

  void allocated(const void* memory, std::size_t bytes) override;
  void released(const void* memory) override;
  void launchBegins(const HostLaunch& launch) override;
  void launchEnds(long barriers) override;
  void moved(std::string_view operation, std::size_t read, std::size_t written) override;

  void read(const void* memory, std::size_t bytes) { touch(memory, bytes, false); }
  void wrote(const void* memory, std::size_t bytes) { touch(memory, bytes, true); }

  /// By name, since the last forget().
  const std::map<std::string, KernelTraffic>& kernels() const { return kernels_; }
  void forget() { kernels_.clear(); }

 private:
  static constexpr int kRegionBits = 21;
  static constexpr std::size_t kRegionSectors = (std::size_t{1} << kRegionBits) / kSectorBytes;

  /// The launches that last read and wrote a sector; `owned` where it is device memory.
  struct Sector {
    std::uint32_t readBy = 0, writtenBy = 0;
    bool owned = false;
  };
  using Region = std::array<Sector, kRegionSectors>;
  struct RegionOf {
    std::uintptr_t key;
    Region* region;  ///< null: no device memory there
  };

  void own(std::uintptr_t begin, std::uintptr_t end, bool owned);
  void touch(const void* memory, std::size_t bytes, bool writes);
  /// @return null where no device memory is
  Sector* sectorAt(std::uintptr_t address);

  std::unordered_map<std::uintptr_t, std::unique_ptr<Region>> regions_;
  std::array<RegionOf, 64> lastRegions_;  ///< asked for, by the low bits of their keys
  std::unordered_map<const void*, std::size_t> allocations_;
  std::map<std::string, KernelTraffic> kernels_;
  KernelTraffic* running_ = nullptr;
  std::uint32_t launch_ = 0;
};

}  // namespace slipstick::gpu

// The teams of a CUDA device, run by threads of this machine: phases, barriers and sums do what those of the host
// do. That they do it on a device is for executor_on_device_test.cpp to show.
#include "tests/gpu/device_threads.h"

#include "gpu/cuda_team.h"

#include <gtest/gtest.h>

#include <string_view>

#include "gpu/host_executor.h"
#include "tests/gpu/executor_cases.h"

namespace slipstick::gpu::testing {
namespace {

enum class Clusters { InHardware, InGlobalMemory };

/// Launches kernels with CudaTeams, as CudaExecutor does; all else is the host's.
class ThreadExecutor : public HostExecutor {
 public:
  explicit ThreadExecutor(Clusters clusters) : clusters_(clusters) {}

  template <class Kernel>
  void launch(const Kernel& kernel, int teams) {
    enqueue([this, kernel, teams] {
      ++counts_.launches;
      if constexpr (scopeOf<Kernel>() == Scope::Block) {
        for (int team = 0; team < teams; ++team)
          run<CudaBlockTeam>(kernel, teams, team, 1, [] { return BlockReach(); });
      } else if constexpr (scopeOf<Kernel>() == Scope::Grid) {
        run<CudaGridTeam>(kernel, teams, 0, teams, [&] { return GlobalReach(place(0, 1), teams); });
      } else {
        launchClusters(kernel, teams);
      }
    });
  }

 private:
  static constexpr int kMaxBlocks = 16;

  template <class Kernel>
  void launchClusters(const Kernel& kernel, int teams) {
    if (clusters_ == Clusters::InHardware) {
      for (int team = 0; team < teams; ++team)
        run<CudaClusterTeam>(kernel, teams * kClusterBlocks, team * kClusterBlocks, kClusterBlocks,
                             [&] { return ClusterReach(place(0, teams), kClusterBlocks); });
    } else {
      constexpr int kMax = kMaxBlocks / kClusterBlocks;
      for (int team = 0; team < teams; team += kMax) {
        const int blocks = std::min(kMax, teams - team) * kClusterBlocks;
        run<CudaGridTeam>(kernel, blocks, 0, blocks,
                          [&] { return GlobalReach(place(team, teams), kClusterBlocks); });
      }
    }
  }
  template <template <int> class Team, class Kernel, class Reach>
  static void run(const Kernel& kernel, int grid, int first, int blocks, const Reach& reach) {
    runDeviceThreads(static_cast<unsigned>(grid), static_cast<unsigned>(first), static_cast<unsigned>(blocks),
                     Kernel::kThreads, sharedBytesOf<Kernel>(HostExecutor().blockSharedBytes()), [&] {
                       Team<Kernel::kThreads> team(reach());
                       kernel(team);
                       team.finish();
                     });
  }
  TeamPlace place(int firstTeam, int teams) { return {firstTeam, teams, barriers_.data(), partials_.data()}; }

  Clusters clusters_;
  std::array<DeviceBarrier, kMaxBlocks> barriers_{};
  std::array<double, 2 * kMaxBlocks * kMaxSums> partials_{};
};

/// Without a device's atomic operations, kernels may not run at the same time that need them.
bool needsAtomics(const ExecutorCase& c) {
  return std::string_view(c.name).starts_with("atomics");
}

void expectTheBitsOfTheHost(Clusters clusters) {
  const std::vector<ExecutorCase> onThreads = executorCases<ThreadExecutor>(),
                                  onHost = executorCases<HostExecutor>();
  for (std::size_t i = 0; i < onHost.size(); ++i) {
    if (needsAtomics(onHost[i])) continue;
    HostExecutor host;
    ThreadExecutor threads(clusters);
    EXPECT_EQ(onThreads[i].run(threads), onHost[i].run(host)) << onHost[i].name;
  }
}

TEST(CudaTeam, GivesTheBitsOfTheHostInEveryCase) {
  expectTheBitsOfTheHost(Clusters::InHardware);
}

TEST(CudaTeam, MeetsInGlobalMemoryWhereThereAreNoClusters) {
  expectTheBitsOfTheHost(Clusters::InGlobalMemory);
}

}  // namespace
}  // namespace slipstick::gpu::testing

// Kernels as CUDA functions. Only for .cu files.
#pragma once

#include "gpu/cuda_executor.h"
#include "gpu/cuda_team.h"
#include "gpu/kernel_name.h"

namespace slipstick::gpu {

/// Its name says, for tests/benchmarks/cuda_budget.py, how large a block is and what the kernel declares to share.
template <class Kernel, Scope kScope, int kThreads, std::size_t kSharedBytes>
__global__ void __launch_bounds__(kThreads, blocksTogetherOf<Kernel>())
    runKernel(const __grid_constant__ Kernel kernel, const __grid_constant__ TeamPlace place) {
  if constexpr (kScope == Scope::Block) {
    CudaBlockTeam<kThreads> team{BlockReach()};
    kernel(team);
  } else if constexpr (kScope == Scope::Cluster) {
    CudaClusterTeam<kThreads> team{ClusterReach(place, kClusterBlocks)};
    kernel(team);
    team.finish();
  } else {
    CudaGridTeam<kThreads> team{GlobalReach(place, static_cast<int>(gridDim.x))};
    kernel(team);
  }
}

template <class Kernel>
void CudaExecutor::launch(const Kernel& kernel, int teams) {
  constexpr Scope scope = scopeOf<Kernel>();
  constexpr std::size_t declared = declaredSharedBytes<Kernel>();
  static_assert(scope == Scope::Block || declared == 0, "only a block has memory of its own");
  constexpr auto function = &runKernel<Kernel, scope, Kernel::kThreads, declared>;
  launchKernel({reinterpret_cast<const void*>(function), &kernelName<Kernel>, scope, Kernel::kThreads,
                sharedBytesOf<Kernel>(blockSharedBytes())},
               &kernel, teams);
}

}  // namespace slipstick::gpu

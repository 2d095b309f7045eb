#include "engine/mpm/kernel_choice.h"

#include <cstdlib>
#include <string_view>

#include "engine/mpm/backend.h"

namespace slipstick::mpm {

const KernelTable& chooseKernels() {
#ifdef SLIPSTICK_X86_KERNELS
  const char* variable = std::getenv("SLIPSTICK_ISA");
  const std::string_view limit = variable != nullptr ? variable : "avx512";
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (limit == "avx512" && avx512) return kAvx512Kernels;
  if (limit != "base" && avx2) return kAvx2Kernels;
#endif
  return kBaseKernels;
}

std::string_view cpuInstructionSet() {
  return chooseKernels().instructionSet;
}

}  // namespace slipstick::mpm

#include "engine/lanes/instruction_set.h"

#include <cstdlib>
#include <string_view>

namespace slipstick::lanes {

InstructionSet instructionSet() {
#ifdef SLIPSTICK_X86_KERNELS
  const char* variable = std::getenv("SLIPSTICK_ISA");
  const std::string_view limit = variable != nullptr ? variable : "avx512";
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (limit == "avx512" && avx512) return InstructionSet::Avx512;
  if (limit != "base" && avx2) return InstructionSet::Avx2;
#endif
  return InstructionSet::Base;
}

}  // namespace slipstick::lanes

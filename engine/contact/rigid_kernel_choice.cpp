#include "engine/contact/rigid_kernel_choice.h"

#include <cstdlib>
#include <string_view>

namespace slipstick::contact {

const RigidKernels& chooseRigidKernels() {
#ifdef SLIPSTICK_X86_KERNELS
  const char* variable = std::getenv("SLIPSTICK_ISA");
  const std::string_view limit = variable != nullptr ? variable : "avx512";
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  if (limit == "avx512" && avx512) return kAvx512RigidKernels;
  if (limit != "base" && __builtin_cpu_supports("avx2")) return kAvx2RigidKernels;
#endif
  return kBaseRigidKernels;
}

}  // namespace slipstick::contact

#define SIM_ISA avx512
#include "engine/mpm/kernels/cloth_loops.h"

namespace slipstick::mpm {
extern const KernelTable kAvx512Kernels = SLIPSTICK_KERNEL_TABLE("avx512");
}  // namespace slipstick::mpm

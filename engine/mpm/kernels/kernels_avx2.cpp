#define SIM_ISA avx2
#include "engine/mpm/kernels/cloth_loops.h"

namespace slipstick::mpm {
extern const KernelTable kAvx2Kernels = SLIPSTICK_KERNEL_TABLE("avx2");
}  // namespace slipstick::mpm

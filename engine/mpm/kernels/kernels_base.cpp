#define SIM_ISA base
#include "engine/mpm/kernels/cloth_loops.h"

namespace slipstick::mpm {
extern const KernelTable kBaseKernels = SLIPSTICK_KERNEL_TABLE("base");
}  // namespace slipstick::mpm

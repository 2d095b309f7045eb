#define SIM_ISA avx2
#include "engine/contact/kernels/rigid_kernels.h"

namespace slipstick::contact {
extern const RigidKernels kAvx2RigidKernels = SLIPSTICK_RIGID_KERNELS("avx2");
}  // namespace slipstick::contact

#define SIM_ISA avx512
#include "engine/contact/kernels/rigid_kernels.h"

namespace slipstick::contact {
extern const RigidKernels kAvx512RigidKernels = SLIPSTICK_RIGID_KERNELS("avx512");
}  // namespace slipstick::contact

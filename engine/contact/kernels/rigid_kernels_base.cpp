#define SIM_ISA base
#include "engine/contact/kernels/rigid_kernels.h"

namespace slipstick::contact {
extern const RigidKernels kBaseRigidKernels = SLIPSTICK_RIGID_KERNELS("base");
}  // namespace slipstick::contact

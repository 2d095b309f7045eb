// Which variant of the rigid solver's loops this CPU runs.
#pragma once

#include "engine/contact/kernels/kernel_table.h"

namespace slipstick::contact {

/// The best that the CPU has, or a lower one that the environment variable SLIPSTICK_ISA (base, avx2, avx512)
/// names. All give the same bits.
const RigidKernels& chooseRigidKernels();

}  // namespace slipstick::contact

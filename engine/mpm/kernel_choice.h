// Which variant of the loops this CPU runs.
#pragma once

#include "engine/mpm/kernels/kernel_table.h"

namespace slipstick::mpm {

/// The best that the CPU has, or a lower one that the environment variable SLIPSTICK_ISA (base, avx2, avx512)
/// names.
const KernelTable& chooseKernels();

}  // namespace slipstick::mpm

// Which variant of the kernels this CPU runs.
#pragma once

namespace slipstick::lanes {

enum class InstructionSet { Base, Avx2, Avx512 };

/// The best that the CPU has and the build has kernels for, or a lower one that the environment variable SLIPSTICK_ISA
/// (base, avx2, avx512) names.
InstructionSet instructionSet();

}  // namespace slipstick::lanes

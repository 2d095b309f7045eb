#include "engine/mpm/kernel_choice.h"

#include "engine/lanes/instruction_set.h"
#include "engine/mpm/backend.h"

namespace slipstick::mpm {

const KernelTable& chooseKernels() {
#ifdef SLIPSTICK_X86_KERNELS
  switch (lanes::instructionSet()) {
    case lanes::InstructionSet::Avx512:
      return kAvx512Kernels;
    case lanes::InstructionSet::Avx2:
      return kAvx2Kernels;
    case lanes::InstructionSet::Base:
      break;
  }
#endif
  return kBaseKernels;
}

std::string_view cpuInstructionSet() {
  return chooseKernels().instructionSet;
}

}  // namespace slipstick::mpm

#include "engine/contact/rigid_kernel_choice.h"

#include "engine/lanes/instruction_set.h"

namespace slipstick::contact {

const RigidKernels& chooseRigidKernels() {
#ifdef SLIPSTICK_X86_KERNELS
  switch (lanes::instructionSet()) {
    case lanes::InstructionSet::Avx512:
      return kAvx512RigidKernels;
    case lanes::InstructionSet::Avx2:
      return kAvx2RigidKernels;
    case lanes::InstructionSet::Base:
      break;
  }
#endif
  return kBaseRigidKernels;
}

}  // namespace slipstick::contact

// The solvers that the contact problem of a substep may be given to.
#pragma once

namespace slipstick {

/// Said in engine/mpm/contact/contact_problem.h.
enum class ContactSolverName { QuasiNewton, MajorizedAnderson, ContactNewton };

}  // namespace slipstick

// What goes into the convex contact problem besides the contacts of particles.
#include <algorithm>

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/contact/contact_problem.h"

namespace slipstick::mpm {

ContactSolverSettings contactSettings(const SolverSpec& spec) {
  return {spec.contactSolver, spec.relativeTolerance, spec.absoluteTolerance, spec.maxIterations,
          spec.lagIterations};
}

template <class Real>
void addBoundaryFriction(ContactProblem<Real>& problem) {
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    const NodeBounds bounds = problem.bounds[i];
    if (bounds.empty()) continue;
    const AllowedVelocity freely = nearestAllowed(toEigen(problem.vStar[i]), bounds);
    for (std::size_t k = 0; k < std::min(bounds.size(), kMaxNodeBounds); ++k) {
      if (bounds[k].kind == BoundaryKind::Sticky || !(bounds[k].friction > 0)) continue;
      ContactPoint<Real> point{};
      point.normal = toLanes<Real>(bounds[k].normal);
      point.vBody = toLanes<Real>(bounds[k].velocity);
      point.stiffness = Real(kNoStiffness);
      point.friction = static_cast<Real>(bounds[k].friction);
      point.n0 = problem.mass[i] * static_cast<Real>(freely.push[k].norm());
      point.bound = static_cast<int>(k);
      point.node.fill(static_cast<int>(i));
      point.weight[0] = 1;
      problem.contacts.push_back(point);
    }
  }
}

template void addBoundaryFriction<float>(ContactProblem<float>&);
template void addBoundaryFriction<double>(ContactProblem<double>&);

}  // namespace slipstick::mpm

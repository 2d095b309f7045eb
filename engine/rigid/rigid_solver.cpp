#include "engine/rigid/rigid_solver.h"

#include "engine/foundation/scope_timer.h"
#include "engine/rigid/rigid_workspace.h"

namespace slipstick {

void RigidStepOutput::keepTrace(const contact::SolveTrace& other) {
  const bool longer = trace.isEmpty() || other.iterations() > trace.iterations();
  if (other.converged() == trace.converged() ? longer : !other.converged()) trace = other;
}

RigidSolver::RigidSolver(std::shared_ptr<const Model> model)
    : work_(std::make_unique<RigidWorkspace>(std::move(model))) {}

RigidSolver::~RigidSolver() = default;
RigidSolver::RigidSolver(RigidSolver&&) noexcept = default;

void RigidSolver::step(const RigidStepInput& input, VecX& warmStart, RigidStepOutput& output) {
  const bool solvable = work_->begin(input, warmStart, output);
  warmStart.setZero(work_->problem.warmStartSize);
  if (!solvable) return;
  const ScopeTimer timer(output.times.solve);
  for (int i = 0; i < output.islands; ++i) {
    work_->solveIsland(i, output);
    work_->collectIsland(i, input, warmStart, output);
  }
  work_->collectContacts(output);
}

VecX RigidSolver::carried(const std::shared_ptr<const Model>& from, const VecX& warmStart) const {
  return carriedImpulses(from, warmStart, work_->model());
}

}  // namespace slipstick

// One implicit step of the rigid world: the convex problem of SAP (Castro, Permenter & Han 2022; Yu 2025 Eq.
// 3).
#pragma once

#include <memory>
#include <string_view>

#include "engine/rigid/rigid_step.h"
#include "engine/rigid/warm_start.h"

namespace slipstick {

struct RigidWorkspace;

/// Free motion, then Newton with exact line search over all constraints: contacts between rigid bodies, joint
/// limits, PD with effort limits, mimic couplers, loops, dry friction.
class RigidSolver final : public RigidStep {
 public:
  explicit RigidSolver(std::shared_ptr<const Model> model);
  ~RigidSolver() override;
  RigidSolver(RigidSolver&&) noexcept;
  std::string_view memoryName() const override { return kConstraintImpulses; }
  /// @param warmStart  constraint impulses
  void step(const RigidStepInput& input, VecX& warmStart, RigidStepOutput& output) override;
  VecX carried(const std::shared_ptr<const Model>& from, const VecX& warmStart) const override;

 private:
  std::unique_ptr<RigidWorkspace> work_;
};

}  // namespace slipstick

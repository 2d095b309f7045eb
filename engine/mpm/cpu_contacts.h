// The contact problem of one substep, gathered from packs and grid blocks, and its solution applied to the
// grid.
#pragma once

#include <vector>

#include "engine/mpm/contact_outcome.h"
#include "engine/mpm/contact_problem.h"
#include "engine/mpm/last_impulses.h"
#include "engine/mpm/particle_blocks.h"
#include "engine/mpm/step_account.h"
#include "engine/mpm/step_geometry.h"

namespace slipstick::mpm {

/// What the detection found in one particle block.
using BlockContacts = std::vector<RawContact>;

class CpuContacts {
 public:
  /// @param boundaries  of the present step; it and the team must outlive this
  CpuContacts(const Model& model, const BoundaryNodes& boundaries, ThreadTeam& team)
      : model_(model), boundaries_(boundaries), solver_(&team) {}

  /// What the last substep's contacts gave: the first guess of the next.
  LastImpulses<float>& lastImpulses() { return last_; }

  /// Solves for all detected contacts; the nodes that they touch receive the velocities solved for.
  /// @param nodes  kBlockNodes × (velocity, mass) per grid block, velocities v* on entry
  void solve(float dt, const std::vector<BlockContacts>& found, const ParticleBlocks& blocks,
             const std::vector<StepGeometry<float>>& geometries, const StepInput& motion,
             std::vector<float>& nodes, StepAccount& account);

 private:
  void append(const RawContact& raw, const ParticleBlock& block, const ParticleBlocks& blocks,
              const StepGeometry<float>& geometry, const StepInput& motion, const std::vector<float>& nodes);
  void linkNodes(int slot, const ParticleBlock& block, const ParticleBlocks& blocks,
                 const std::vector<float>& nodes, ContactPoint<float>& point);
  int problemNode(int gridNode, const ParticleBlocks& blocks, const std::vector<float>& nodes);

  const Model& model_;
  const BoundaryNodes& boundaries_;
  ContactProblem<float> problem_;
  ContactSolution<float> solution_;
  ContactSolver<float> solver_;
  ContactOutcome<float> outcome_;
  std::vector<DetectedContact> detected_;
  LastImpulses<float> last_;
  std::vector<int> problemNode_;  ///< per grid node, −1 = no contacting particle touches it
  std::vector<int> gridNode_;     ///< per problem node
  std::vector<Vec3> nodeAt_;      ///< per problem node [m]
};

}  // namespace slipstick::mpm

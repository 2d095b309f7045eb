// The scene's boundaries on the CPU backend's grid: which nodes they hold, found once per sort or, where one
// moves, per substep, and what they do to them in every substep.
#pragma once

#include <vector>

#include "engine/mpm/boundary_nodes.h"
#include "engine/mpm/particle_blocks.h"
#include "engine/mpm/step_account.h"
#include "engine/mpm/thread_team.h"

namespace slipstick::mpm {

class CpuBoundaries {
 public:
  explicit CpuBoundaries(const Model& model) : model_(model) {}

  void freeze(const StepInput& motion) { freezeBoundaries(model_, motion, frozen_); }
  /// To t_n + elapsed. @return whether findNodes() has to follow
  bool move(const StepInput& motion, double elapsed) {
    return moveBoundaries(model_, motion, elapsed, frozen_);
  }
  /// Finds the blocks that a boundary may come to within `time` [s]: once per sort.
  void findBlocks(const std::vector<GridBlock>& blocks, double time);
  /// Tests the nodes of these blocks.
  void findNodes(const std::vector<GridBlock>& blocks);
  const BoundaryNodes& nodes() const { return nodes_; }

  /// @param grid  kBlockNodes × (velocity, mass) per grid block: velocities after contact on entry
  void apply(ThreadTeam& team, std::vector<float>& grid, StepAccount& account);

 private:
  void applyTo(std::size_t begin, std::size_t end, std::vector<float>& grid,
               std::vector<BoundaryImpulse>& impulses) const;

  const Model& model_;
  std::vector<FrozenBoundary> frozen_;
  struct NearBlock {
    std::size_t block, begin, end;  ///< and the boundaries near it, into nearBoundaries_
  };
  std::vector<NearBlock> near_;
  std::vector<const FrozenBoundary*> nearBoundaries_;
  BoundaryNodes nodes_;
  std::vector<std::vector<BoundaryImpulse>> impulses_;  ///< per chunk of nodes, per boundary
};

}  // namespace slipstick::mpm

// The scene's boundaries on the CPU backend's grid: which nodes they hold, found once per sort or, where one
// moves, per substep, and what they do to them in every substep.
#pragma once

#include <span>
#include <vector>

#include "engine/mpm/boundary_nodes.h"
#include "engine/mpm/key_index.h"
#include "engine/mpm/particle_blocks.h"
#include "engine/mpm/step_account.h"
#include "engine/mpm/thread_team.h"

namespace slipstick::mpm {

/// What boundaries at rest ask of the nodes of a block depends on the block alone: kept from step to step, as long
/// as the same boundaries rest in the same places.
class RestingBounds {
 public:
  /// Forgets everything if other boundaries are at rest than the last time, or elsewhere.
  void begin(const std::vector<FrozenBoundary>& boundaries);
  /// Adds the nodes of a block. @param boundaries  those that may be there, all at rest
  void add(std::size_t gridBlock, const BlockCoordinates& at,
           std::span<const FrozenBoundary* const> boundaries, double gridSpacing, BoundaryNodes& nodes);

 private:
  struct Node {
    std::size_t place;       ///< in its block
    std::size_t begin, end;  ///< into bounds_
  };
  struct Rest {
    int index;
    Pose X_WS;
  };
  void forget();
  void addBlock(const BlockCoordinates& at, std::span<const FrozenBoundary* const> boundaries,
                double gridSpacing);

  std::vector<Rest> resting_;
  KeyIndex blocks_;
  std::vector<std::size_t> firstNode_;  ///< per block, and the end: into nodes_
  std::vector<Node> nodes_;
  std::vector<NodeBound> bounds_;
};

class CpuBoundaries {
 public:
  explicit CpuBoundaries(const Model& model) : model_(model) {}

  void freeze(const StepInput& motion) {
    freezeBoundaries(model_, motion, frozen_);
    resting_.begin(frozen_);
  }
  /// To t_n + elapsed. @return whether findNodes() has to follow
  bool move(const StepInput& motion, double elapsed) {
    return moveBoundaries(model_, motion, elapsed, frozen_);
  }
  /// Finds the blocks that a boundary may come to within `time` [s]: once per sort.
  void findBlocks(const std::vector<BlockCoordinates>& blocks, double time);
  /// Tests the nodes of these blocks.
  void findNodes(const std::vector<BlockCoordinates>& blocks);
  const BoundaryNodes& nodes() const { return nodes_; }

  /// Where no contact decides.
  /// @param grid  kBlockNodes × (velocity, mass) per grid block: v* on entry
  /// @param touched  nodes that contacts touch, per grid block: left alone, as their solve obeys the boundaries; or
  /// nothing
  void apply(ThreadTeam& team, AlignedVector<float>& grid, std::span<const NodeMask> touched,
             StepAccount& account);

 private:
  void applyTo(std::size_t begin, std::size_t end, AlignedVector<float>& grid,
               std::span<const NodeMask> touched, std::vector<BoundaryImpulse>& impulses) const;

  const Model& model_;
  std::vector<FrozenBoundary> frozen_;
  struct NearBlock {
    std::size_t block, begin, end;  ///< and the boundaries near it, into nearBoundaries_
  };
  std::vector<NearBlock> near_;
  std::vector<const FrozenBoundary*> nearBoundaries_;
  BoundaryNodes nodes_;
  RestingBounds resting_;
  std::vector<std::vector<BoundaryImpulse>> impulses_;  ///< per chunk of nodes, per boundary
};

}  // namespace slipstick::mpm

// Which rigid geometries the particles of a block may touch before the next sort.
#pragma once

#include <vector>

#include "engine/mpm/particle_blocks.h"
#include "engine/mpm/step_geometry.h"

namespace slipstick::mpm {

class CpuCandidates {
 public:
  /// By the sphere around a block's reach and the way that the geometry may go in a step.
  /// @param stepLength  Δt [s]
  /// @param strong  bodies get faster within the step: as long as hold() says so, what was found remains right
  void find(const Model& model, const ParticleBlocks& blocks,
            const std::vector<StepGeometry<float>>& geometries, double stepLength, bool strong);
  /// Whether the geometries have kept within the ways that find() gave them.
  bool hold(const std::vector<StepGeometry<float>>& geometries) const;
  /// Indices of geometries, ascending.
  const std::vector<int>& near(std::size_t block) const { return near_[block]; }

 private:
  std::vector<std::vector<int>> near_;       ///< per particle block; never fewer: lists keep their room
  std::vector<StepGeometry<float>> motion_;  ///< as find() saw them
  double stepLength_ = 0;                    ///< [s]
  double room_ = 0;        ///< of each way, beyond what the velocity at find() makes of it [m]
  double longestArm_ = 0;  ///< from a body's origin to a block's centre [m]
};

}  // namespace slipstick::mpm

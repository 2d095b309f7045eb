#include "engine/mpm/backends/cpu_candidates.h"

#include <algorithm>
#include <cmath>

#include "engine/geometry/signed_distance.h"
#include "engine/lanes/eigen_lanes.h"

namespace slipstick::mpm {
namespace {

/// Room for bodies that get faster, before what is near is looked for again [cells].
constexpr double kRoom = 0.5;

}  // namespace

void CpuCandidates::find(const Model& model, const ParticleBlocks& blocks,
                         const std::vector<StepGeometry<float>>& geometries, double stepLength, bool strong) {
  const std::size_t count = blocks.blocks.size();
  if (near_.size() < count) near_.resize(count);
  motion_ = geometries;
  stepLength_ = stepLength;
  room_ = strong ? kRoom * model.gridSpacing : 0;
  longestArm_ = 0;
  const auto h = static_cast<float>(model.gridSpacing);
  const float radius =
      std::sqrt(3.0f) * 3.0f * h;  // base nodes −1…4 of the block: x/h within its corner + [−½, 5½)
  for (std::size_t b = 0; b < count; ++b) {
    near_[b].clear();
    const BlockCoordinates& at = blocks.blocks[b].at;
    const Vec3 centre = model.gridSpacing * (kBlockEdge * Vec3(at.x, at.y, at.z) + Vec3::Constant(2.5));
    for (const StepGeometry<float>& g : geometries) {
      const float phi = signedDistance<float>(g.shape, toLanes<float>(Vec3(g.X_WG.inverse() * centre))).phi;
      const Vec3 arm = centre - g.p_WB;
      longestArm_ = std::max(longestArm_, arm.norm());
      const auto way =
          static_cast<float>(stepLength * (g.V_WB.v.norm() + g.V_WB.w.norm() * arm.norm()) + room_);
      const float reach = radius + way + g.heldReach;
      // Outside its grid, a mesh's value may exceed the true distance up to three times.
      if (phi < (g.shape.type == ShapeType::Mesh ? 3 * reach : reach)) near_[b].push_back(g.index);
    }
  }
}

bool CpuCandidates::hold(const std::vector<StepGeometry<float>>& geometries) const {
  const double room = 0.5 * room_;  // half of it to move, half of it to turn
  for (std::size_t g = 0; g < geometries.size(); ++g) {
    const StepGeometry<float>&now = geometries[g], &then = motion_[g];
    const double turn = Eigen::AngleAxisd(now.X_WG.R * then.X_WG.R.transpose()).angle();
    if ((now.p_WB - then.p_WB).norm() > stepLength_ * then.V_WB.v.norm() + room) return false;
    if (turn * longestArm_ > stepLength_ * then.V_WB.w.norm() * longestArm_ + room) return false;
  }
  return true;
}

}  // namespace slipstick::mpm

#include "engine/mpm/boundary_nodes.h"

#include "engine/geometry/shape_lowering.h"
#include "engine/geometry/signed_distance.h"
#include "engine/mpm/eigen_lanes.h"

namespace slipstick::mpm {
namespace {

/// Nodes this near to a surface, in grid spacings, count as inside: a wall through nodes holds them,
/// whichever way its pose is rounded.
constexpr double kOnSurface = 1e-6;

}  // namespace

std::vector<FrozenBoundary> freezeBoundaries(const Model& model, const RigidMotion& motion) {
  std::vector<FrozenBoundary> frozen;
  for (const RigidMotion::BoundaryMotion& m : motion.boundaries) {
    const Boundary& boundary = model.boundaries[static_cast<std::size_t>(m.boundary)];
    frozen.push_back(
        {m.boundary, boundary.kind, lowerShape<double>(boundary.shape), m.X_WS, m.X_WS.inverse(), m.V_WS});
  }
  return frozen;
}

void BoundaryNodes::begin(std::size_t gridNodes) {
  clear();
  indexOf_.assign(gridNodes, -1);
}

void BoundaryNodes::test(std::size_t gridNode, const Vec3& p_W, const std::vector<FrozenBoundary>& boundaries,
                         double gridSpacing) {
  const std::size_t begin = bounds_.size();
  for (const FrozenBoundary& b : boundaries) {
    const auto at = signedDistance<double>(b.shape, toLanes<double>(Vec3(b.X_SW * p_W)));
    if (at.phi > kOnSurface * gridSpacing) continue;
    bounds_.push_back({b.kind, b.index, b.X_WS.R * toEigen(at.normal), b.V_WS.at(p_W - b.X_WS.p)});
  }
  if (bounds_.size() == begin) return;
  indexOf_[gridNode] = static_cast<int>(nodes_.size());
  nodes_.push_back({gridNode, begin, bounds_.size()});
}

Vec3 boundedVelocity(const Vec3& v, double mass, NodeBounds bounds, std::vector<BoundaryImpulse>& impulses) {
  const AllowedVelocity allowed = nearestAllowed(v, bounds);
  for (std::size_t k = 0; k < std::min(bounds.size(), kMostNodeBounds); ++k) {
    if (!allowed.active[k]) continue;
    BoundaryImpulse& impulse = impulses[static_cast<std::size_t>(bounds[k].boundary)];
    impulse.sum -= mass * allowed.push[k];
    impulse.magnitude += mass * allowed.push[k].norm();
  }
  return allowed.v;
}

}  // namespace slipstick::mpm

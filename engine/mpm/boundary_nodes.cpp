#include "engine/mpm/boundary_nodes.h"

#include "engine/geometry/shape_lowering.h"
#include "engine/geometry/signed_distance.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/step_geometry.h"

namespace slipstick::mpm {
namespace {

/// Nodes this near to a surface, in grid spacings, count as inside: a wall through nodes holds them,
/// whichever way its pose is rounded.
constexpr double kOnSurface = 1e-6;

/// Change of the velocity along a bound that pushes with normal velocity `push`, by friction [m/s].
Vec3 brakeOf(const NodeBound& bound, double push, const Vec3& v) {
  if (!(bound.friction > 0)) return Vec3::Zero();
  const Vec3 relative = v - bound.velocity, slip = relative - bound.normal * bound.normal.dot(relative);
  const double speed = slip.norm(), most = bound.friction * push;
  return speed <= most ? Vec3(-slip) : Vec3(-most / speed * slip);
}

}  // namespace

void freezeBoundaries(const Model& model, const StepInput& motion, std::vector<FrozenBoundary>& frozen) {
  frozen.clear();
  for (const BoundaryMotion& m : motion.boundaries) {
    const Boundary& boundary = model.boundaries[static_cast<std::size_t>(m.boundary)];
    frozen.push_back({m.boundary, boundary.kind, lowerShape<double>(boundary.shape), m.X_WS, m.X_WS.inverse(),
                      m.V_WS, boundary.friction});
  }
}

bool moveBoundaries(const Model& model, const StepInput& motion, double elapsed,
                    std::vector<FrozenBoundary>& boundaries) {
  if (model.solver.geometry == SubstepGeometry::Frozen || elapsed <= 0) return false;
  bool any = false;
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    const Velocity& V_WS = motion.boundaries[i].V_WS;
    if (V_WS.v.isZero(0) && V_WS.w.isZero(0)) continue;
    boundaries[i].X_WS = moved(motion.boundaries[i].X_WS, V_WS, elapsed);
    boundaries[i].X_SW = boundaries[i].X_WS.inverse();
    any = true;
  }
  return any;
}

void BoundaryNodes::clear() {
  for (const Node& node : nodes_) indexOf_[node.gridNode] = -1;
  nodes_.clear();
  bounds_.clear();
}

void BoundaryNodes::begin(std::size_t gridNodes) {
  clear();
  indexOf_.resize(gridNodes, -1);
}

void addBounds(const Vec3& p_W, std::span<const FrozenBoundary* const> boundaries, double gridSpacing,
               std::vector<NodeBound>& bounds) {
  for (const FrozenBoundary* boundary : boundaries) {
    const FrozenBoundary& b = *boundary;
    const auto at = signedDistance<double>(b.shape, toLanes<double>(Vec3(b.X_SW * p_W)));
    if (at.phi > kOnSurface * gridSpacing) continue;
    bounds.push_back({b.kind, b.index, b.X_WS.R * toEigen(at.normal), b.V_WS.at(p_W - b.X_WS.p), b.friction});
  }
}

void BoundaryNodes::test(std::size_t gridNode, const Vec3& p_W,
                         std::span<const FrozenBoundary* const> boundaries, double gridSpacing) {
  const std::size_t first = bounds_.size();
  addBounds(p_W, boundaries, gridSpacing, bounds_);
  addFrom(gridNode, first);
}

void BoundaryNodes::add(std::size_t gridNode, NodeBounds bounds) {
  const std::size_t first = bounds_.size();
  bounds_.insert(bounds_.end(), bounds.begin(), bounds.end());
  addFrom(gridNode, first);
}

void BoundaryNodes::addFrom(std::size_t gridNode, std::size_t firstBound) {
  if (bounds_.size() == firstBound) return;
  indexOf_[gridNode] = static_cast<int>(nodes_.size());
  nodes_.push_back({gridNode, firstBound, bounds_.size()});
}

void give(std::vector<BoundaryImpulse>& impulses, const NodeBound& bound, const Vec3& impulse) {
  BoundaryImpulse& sum = impulses[static_cast<std::size_t>(bound.boundary)];
  sum.sum -= impulse;
  sum.magnitude += impulse.norm();
}

Vec3 pushBounds(const Vec3& v, double mass, NodeBounds bounds, std::vector<BoundaryImpulse>& impulses) {
  const AllowedVelocity allowed = nearestAllowed(v, bounds);
  Vec3 total = Vec3::Zero();
  for (std::size_t k = 0; k < std::min(bounds.size(), kMaxNodeBounds); ++k) {
    if (!allowed.active[k]) continue;
    give(impulses, bounds[k], mass * allowed.push[k]);
    total += mass * allowed.push[k];
  }
  return total;
}

Vec3 boundedVelocity(const Vec3& v, double mass, NodeBounds bounds, std::vector<BoundaryImpulse>& impulses) {
  if (bounds.size() == 1) {  // the rule, and free of the general case's bookkeeping
    if (allows(bounds[0], v)) return v;
    const Vec3 push = pushOf(bounds[0], v), brake = brakeOf(bounds[0], push.norm(), v + push);
    give(impulses, bounds[0], mass * (push + brake));
    return v + push + brake;
  }
  const AllowedVelocity allowed = nearestAllowed(v, bounds);
  Vec3 braked = allowed.v;
  bool rubs = false;
  for (std::size_t k = 0; k < std::min(bounds.size(), kMaxNodeBounds); ++k) {
    if (!allowed.active[k]) continue;
    const Vec3 brake = brakeOf(bounds[k], allowed.push[k].norm(), braked);
    braked += brake;
    rubs = rubs || !brake.isZero();
    give(impulses, bounds[k], mass * (allowed.push[k] + brake));
  }
  if (!rubs) return braked;
  // Braked by one bound, a node may now move into another.
  const AllowedVelocity after = nearestAllowed(braked, bounds);
  for (std::size_t k = 0; k < std::min(bounds.size(), kMaxNodeBounds); ++k)
    if (after.active[k]) give(impulses, bounds[k], mass * after.push[k]);
  return after.v;
}

}  // namespace slipstick::mpm

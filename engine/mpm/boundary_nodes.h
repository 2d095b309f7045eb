// The grid nodes inside the scene's boundaries during one step.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/geometry/geometry_shape.h"

#include "engine/mpm/backend.h"
#include "engine/mpm/lanes.h"
#include "engine/mpm/node_bounds.h"

namespace slipstick::mpm {

/// A boundary where a substep sees it, with the velocity of the step.
struct FrozenBoundary {
  int index = 0;  ///< into Model::boundaries
  BoundaryKind kind = BoundaryKind::Sticky;
  GeometryShape<double> shape;
  Pose X_WS, X_SW;
  Velocity V_WS;
  double friction = 0;
};

/// @param frozen  becomes: those that act in this step
void freezeBoundaries(const Model& model, const StepInput& motion, std::vector<FrozenBoundary>& frozen);

/// Brings those that move to t_n + elapsed, as moveGeometries does; with SubstepGeometry::Frozen does
/// nothing.
/// @return whether any has moved
bool moveBoundaries(const Model& model, const StepInput& motion, double elapsed,
                    std::vector<FrozenBoundary>& boundaries);

/// Impulse on a boundary [N s].
struct BoundaryImpulse {
  Vec3 sum = Vec3::Zero();
  double magnitude = 0;  ///< Σ of the nodes' |impulse|
};

/// Appends a bound for each boundary that the point is inside of, or on the surface of but for rounding.
void addBounds(const Vec3& p_W, std::span<const FrozenBoundary* const> boundaries, double gridSpacing,
               std::vector<NodeBound>& bounds);

/// Which nodes of the grid boundaries act on, and what they ask of each. In double, whatever the grid is in,
/// so that all backends find the same nodes.
class BoundaryNodes {
 public:
  struct Node {
    std::size_t gridNode = 0;
    std::size_t begin = 0, end = 0;  ///< into the bounds
  };

  void clear();
  /// @param gridNodes  how many nodes the grid has
  void begin(std::size_t gridNodes);
  /// Takes the node in if addBounds() finds any. @param boundaries  those that may be there
  void test(std::size_t gridNode, const Vec3& p_W, std::span<const FrozenBoundary* const> boundaries,
            double gridSpacing);
  /// Takes the node in with bounds that have been found before.
  void add(std::size_t gridNode, NodeBounds bounds);

  const std::vector<Node>& nodes() const { return nodes_; }
  NodeBounds boundsOf(const Node& node) const {
    return NodeBounds(bounds_).subspan(node.begin, node.end - node.begin);
  }
  /// Empty: no boundary acts on the node.
  NodeBounds boundsAt(std::size_t gridNode) const {
    if (nodes_.empty() || indexOf_[gridNode] < 0) return {};
    return boundsOf(nodes_[static_cast<std::size_t>(indexOf_[gridNode])]);
  }

 private:
  void addFrom(std::size_t gridNode, std::size_t firstBound);

  std::vector<Node> nodes_;
  std::vector<NodeBound> bounds_;
  std::vector<int> indexOf_;  ///< per grid node, into nodes_; −1: none
};

/// Adds what a bound gives to a node [N s], reversed, to the impulse on its boundary.
void give(std::vector<BoundaryImpulse>& impulses, const NodeBound& bound, const Vec3& impulse);

/// What bounds give to a node that free motion and contacts would bring to v: the way to the nearest allowed
/// velocity. @return its impulse [N s]
Vec3 pushBounds(const Vec3& v, double mass, NodeBounds bounds, std::vector<BoundaryImpulse>& impulses);

/// The velocity that a node takes on: the allowed one nearest to what stress and gravity give it. Then Coulomb
/// friction of each bound, whose normal impulse is now known, brakes what slides along it: with the mass
/// matrix lumped, that is exact for a node that no contact touches. A node that some touch has its solved
/// velocity already, with friction, and keeps it.
/// @param impulses  per Model boundary: gains what the node gives to it
Vec3 boundedVelocity(const Vec3& v, double mass, NodeBounds bounds, std::vector<BoundaryImpulse>& impulses);

}  // namespace slipstick::mpm

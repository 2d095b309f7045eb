#include "engine/geometry/manifold.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstick {
namespace {

/// From a point inside along a direction to the boundary.
double chord(const Polytope& polytope, const Vec3& p, const Vec3& direction) {
  double length = std::numeric_limits<double>::infinity();
  for (const Polytope::Face& face : polytope.faces) {
    const double cosine = face.plane.normal.dot(direction);
    if (cosine > 1e-9) length = std::min(length, std::max(face.depth(p), 0.0) / cosine);
  }
  return length;
}

bool contains(const Polytope& polytope, const Vec3& p) {
  return std::all_of(polytope.faces.begin(), polytope.faces.end(),
                     [&](const Polytope::Face& face) { return face.depth(p) > 0; });
}

/// Direction of the resultant force of a patch, unit; zero without a patch.
Vec3 resultantDirection(const std::vector<PatchFinder::Polygon>& polygons) {
  Vec3 resultant = Vec3::Zero();
  for (const PatchFinder::Polygon& polygon : polygons)
    resultant += polygon.weight * polygon.force() * polygon.plane_W.normal;
  const double length = resultant.norm();
  return length > 0 ? Vec3(resultant / length) : Vec3(Vec3::Zero());
}

}  // namespace

void Manifold::append(double spacing, const PointLaw& law, int limit, RigidContactSet& contacts) {
  if (candidates_.empty()) return;
  distances_.assign(candidates_.size(), std::numeric_limits<double>::infinity());
  chosen_.assign(candidates_.size(), 0);
  std::size_t next = 0;
  for (std::size_t i = 1; i < candidates_.size(); ++i)
    if (candidates_[i].depth > candidates_[next].depth) next = i;
  for (int count = 0; count < limit && distances_[next] > spacing * spacing; ++count) {
    chosen_[next] = 1;
    const Vec3 latest = candidates_[next].p_W;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      distances_[i] = std::min(distances_[i], (candidates_[i].p_W - latest).squaredNorm());
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (distances_[i] > distances_[next]) next = i;
  }
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (chosen_[i]) law.add(candidates_[i].p_W, candidates_[i].normal_W, candidates_[i].depth, contacts);
}

void appendPolytopeManifold(const Polytope& a, const Pose& X_WA, const Polytope& b, const Pose& X_WB,
                            const PointLaw& law, PatchFinder& finder, Manifold& manifold,
                            RigidContactSet& contacts) {
  const PatchBody bodyA = {&a, &X_WA, 1, 0}, bodyB = {&b, &X_WB, 1, 0};
  const std::vector<PatchFinder::Polygon>& polygons = finder.find(bodyA, bodyB);
  const Vec3 normal = resultantDirection(polygons);
  if (normal.isZero()) return;
  const Vec3 alongA = X_WA.R.transpose() * normal, againstB = -(X_WB.R.transpose() * normal);
  const Pose X_AW = X_WA.inverse(), X_BW = X_WB.inverse();
  manifold.clear();
  double deepest = 0;
  for (const PatchFinder::Polygon& polygon : polygons) {
    for (int c = polygon.begin; c < polygon.end; ++c) {
      const ClipPolygon::Point& corner = finder.corners()[c];
      const Vec3 p = polygon.plane_W.at(corner.x, corner.y);
      const double toA = chord(a, X_AW * p, alongA), toB = chord(b, X_BW * p, againstB);
      manifold.add(p + (toA - toB) / 2 * normal, normal, toA + toB);
      deepest = std::max(deepest, toA + toB);
    }
  }
  // Corners of one body within the other: where a corner touches, it is deeper than the surface's corners.
  const Pose X_AB = X_AW * X_WB, X_BA = X_AB.inverse();
  const auto addCorners = [&](const Polytope& own, const Pose& X_WOwn, const Polytope& other,
                              const Pose& X_OtherOwn, const Vec3& direction, double side) {
    for (const Vec3& v : own.vertices) {
      const Vec3 p = X_OtherOwn * v;
      if (!contains(other, p)) continue;
      const double depth = chord(other, p, direction);
      manifold.add(X_WOwn * v + side * depth / 2 * normal, normal, depth);
      deepest = std::max(deepest, depth);
    }
  };
  addCorners(a, X_WA, b, X_BA, againstB, -1), addCorners(b, X_WB, a, X_AB, alongA, 1);
  const double spacing = std::max(3 * deepest, 0.01 * std::min(a.radius, b.radius));
  manifold.append(spacing, law, Manifold::kMaxPoints, contacts);
}

void appendFacetManifold(const Polytope& a, const Pose& X_WA, const TriangleSurface& b, const Pose& X_WB,
                         const PointLaw& law, PatchFinder& finder, Manifold& manifold,
                         RigidContactSet& contacts) {
  manifold.clear();
  double deepest = 0;
  for (const PatchFinder::Polygon& polygon : finder.findFacets({&a, &X_WA, 1, 0}, b, X_WB)) {
    const Vec3 normal = polygon.plane_W.normal;
    for (int c = polygon.begin; c < polygon.end; ++c) {
      const ClipPolygon::Point& corner = finder.corners()[c];
      const Vec3 p = polygon.plane_W.at(corner.x, corner.y);
      const double depth = chord(a, X_WA.inverse() * p, X_WA.R.transpose() * normal);
      manifold.add(p + depth / 2 * normal, normal, depth);
      deepest = std::max(deepest, depth);
    }
  }
  manifold.append(std::max(3 * deepest, 0.01 * a.radius), law, 2 * Manifold::kMaxPoints, contacts);
}

}  // namespace slipstick

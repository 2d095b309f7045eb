// Point contacts of two convex bodies without pressure fields: enough points to carry a moment, never one for
// a face.
#pragma once

#include <vector>

#include "engine/geometry/patch.h"
#include "engine/geometry/point_contact.h"

namespace slipstick {

/// Candidates for points of contact, of which the deepest and the outermost are kept.
class Manifold {
 public:
  static constexpr int kMaxPoints = 8;
  struct Candidate {
    Vec3 p_W;       ///< [m]
    Vec3 normal_W;  ///< unit, out of A, into B
    double depth;   ///< ≥ 0 [m]
  };

  void clear() { candidates_.clear(); }
  void add(const Vec3& p_W, const Vec3& normal_W, double depth) {
    candidates_.push_back({p_W, normal_W, depth});
  }
  /// Appends at most `limit` points that are farther apart than `spacing` [m], in the candidates' order.
  void append(double spacing, const PointLaw& law, int limit, RigidContactSet& contacts);

 private:
  std::vector<Candidate> candidates_;
  std::vector<double> distances_;  // squared, to the nearest chosen candidate
  std::vector<char> chosen_;
};

/// Corners of the surface of equal depth of two polytopes, with the direction of its resultant as the normal:
/// that of the face where a face is touched, by whatever, and in between where edges cross.
/// @param finder  its last result is overwritten
void appendPolytopeManifold(const Polytope& a, const Pose& X_WA, const Polytope& b, const Pose& X_WB,
                            const PointLaw& law, PatchFinder& finder, Manifold& manifold,
                            RigidContactSet& contacts);

/// Contact of a polytope with triangles, from the surface's part within the polytope. Otherwise as above.
void appendFacetManifold(const Polytope& a, const Pose& X_WA, const TriangleSurface& b, const Pose& X_WB,
                         const PointLaw& law, PatchFinder& finder, Manifold& manifold,
                         RigidContactSet& contacts);

}  // namespace slipstick

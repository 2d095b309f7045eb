// How convex meshes of many faces are looked at.
#include "engine/geometry/polytope_gap.h"

#include <gtest/gtest.h>

#include "engine/geometry/convex_gap.h"
#include "engine/geometry/mesh_polytope.h"
#include "tests/engine/geometry/contact_meshes.h"
#include "tests/engine/geometry/near_pair.h"

namespace slipstick {
namespace {

ContactGeometry meshGeometry(const shape::Mesh& mesh) {
  ContactGeometry geometry;
  geometry.kind = ContactKind::Polytope, geometry.analytic.type = ShapeType::Mesh;
  geometry.polytope = *convexPolytope(*mesh.mesh);
  geometry.centre = geometry.polytope.centre, geometry.halfExtents = geometry.polytope.halfExtents;
  return geometry;
}

TEST(PolytopeGap, FewPairsOfEdgesAreLookedAtAndNoneThatCountsIsMissed) {
  const ContactGeometry a = meshGeometry(sphereMesh(0.05, 8)), b = meshGeometry(sphereMesh(0.04, 7));
  const long all = static_cast<long>(a.polytope.edges.size() * b.polytope.edges.size());
  ASSERT_GT(all, 20000);
  std::mt19937 random(1);
  PolytopeGap pairs;
  ConvexGap search;
  std::vector<RigidContactPoint> places;
  long looked = 0, finds = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Pose A = randomPose(random, 0.01), B = [&] {
      Pose X = randomPose(random, 0.01);
      X.p += 0.088 * X.R.col(0);
      return X;
    }();
    ConvexGap::Result least;
    const bool isNear = search.find(a, A, b, B, 0.01, least);
    places.clear();
    pairs.find(a, A, b, B, 0.01, places);
    ASSERT_EQ(places.empty(), !isNear) << trial;
    if (!isNear) continue;
    looked += pairs.edgePairs(), ++finds;
    const double gap = leastOf(places).gap;
    // Edges that are hardly less deep than a face do not decide.
    EXPECT_LE(gap, least.gap + 1e-6) << trial;
    EXPECT_GE(gap, least.gap * (least.gap < 0 ? 1.06 : 1) - 1e-6) << trial;
  }
  EXPECT_GT(finds, 20);
  EXPECT_LT(looked, all * finds / 50);
}

}  // namespace
}  // namespace slipstick

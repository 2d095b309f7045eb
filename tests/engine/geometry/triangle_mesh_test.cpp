#include "engine/geometry/triangle_mesh.h"

#include <gtest/gtest.h>

#include <limits>

#include "engine/geometry/triangle_tree.h"

namespace slipstick {
namespace {

/// A tetrahedron of volume 1/6 in which every triangle has vertices of its own, faces outwards.
TriangleMesh soup() {
  const Vec3 o(0, 0, 0), x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  TriangleMesh mesh;
  mesh.name = "tetrahedron";
  for (const Triangle& t : {Triangle{o, y, x}, {o, x, z}, {o, z, y}, {x, y, z}}) {
    const int first = static_cast<int>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), t.begin(), t.end());
    mesh.triangles.emplace_back(first, first + 1, first + 2);
  }
  return mesh;
}

TEST(TriangleMesh, WeldingMakesOneVertexOfEqualOnesAndClosesTheSurface) {
  const TriangleMesh mesh = soup();
  EXPECT_EQ(openEdges(mesh), 12u);
  const TriangleMesh solid = welded(mesh);
  EXPECT_EQ(solid.vertices.size(), 4u);
  EXPECT_EQ(solid.triangles.size(), 4u);
  EXPECT_EQ(openEdges(solid), 0u);
  EXPECT_TRUE(checkSolid(solid).ok());
}

TEST(TriangleMesh, WeldingDropsTrianglesThatLoseACorner) {
  TriangleMesh mesh = soup();
  mesh.triangles.emplace_back(0, 3, 1);  // 0 and 3 are both the origin
  EXPECT_EQ(welded(mesh).triangles.size(), 4u);
}

TEST(TriangleMesh, VolumeIsThatOfTheSolidWhereverItStandsAndNegativeInsideOut) {
  TriangleMesh mesh = soup();
  EXPECT_NEAR(signedVolume(mesh), 1.0 / 6, 1e-15);
  for (Vec3& v : mesh.vertices) v += Vec3(1e3, -1e3, 1e3);
  EXPECT_NEAR(signedVolume(mesh), 1.0 / 6, 1e-12);
  for (Eigen::Vector3i& t : mesh.triangles) std::swap(t[1], t[2]);
  EXPECT_NEAR(signedVolume(mesh), -1.0 / 6, 1e-12);
}

TEST(TriangleMesh, EveryFaultIsNamed) {
  const auto faultOf = [](const Result<void>& checked) {
    return checked.ok() ? "" : checked.error().message();
  };
  EXPECT_EQ(faultOf(checkMesh(soup())), "");

  TriangleMesh empty;
  EXPECT_NE(faultOf(checkMesh(empty)).find("no triangles"), std::string::npos);
  TriangleMesh broken = soup();
  broken.vertices[5].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(faultOf(checkMesh(broken)).find("tetrahedron': vertex 5"), std::string::npos);
  TriangleMesh dangling = soup();
  dangling.triangles[2][1] = 12;
  EXPECT_NE(faultOf(checkMesh(dangling)).find("triangle 2"), std::string::npos);
  TriangleMesh thread = soup();
  for (Vec3& v : thread.vertices) v.y() = v.z() = 0;
  EXPECT_NE(faultOf(checkMesh(thread)).find("area"), std::string::npos);

  TriangleMesh holed = welded(soup());
  holed.triangles.pop_back();
  EXPECT_NE(faultOf(checkSolid(holed)).find("3 edges"), std::string::npos);
  TriangleMesh sheet;  // both sides of one triangle
  sheet.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  sheet.triangles = {{0, 1, 2}, {0, 2, 1}};
  EXPECT_NE(faultOf(checkSolid(sheet)).find("no volume"), std::string::npos);
}

TEST(TriangleMesh, NearestPointOfADegenerateTriangleLiesOnItsLongestEdge) {
  const Facet segment = facetOf({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.3, 0, 0)});
  EXPECT_TRUE(segment.normal.isZero(0));
  EXPECT_TRUE(nearestPoint(segment, Vec3(0.7, 2, 0)).isApprox(Vec3(0.7, 0, 0)));
  EXPECT_TRUE(nearestPoint(segment, Vec3(4, 2, 0)).isApprox(Vec3(1, 0, 0)));
  const Facet point = facetOf({Vec3(1, 2, 3), Vec3(1, 2, 3), Vec3(1, 2, 3)});
  EXPECT_EQ(nearestPoint(point, Vec3(0, 0, 0)), Vec3(1, 2, 3));
}

}  // namespace
}  // namespace slipstick

#include "engine/geometry/sdf_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "engine/geometry/shape_lowering.h"
#include "engine/geometry/signed_distance.h"
#include "engine/geometry/triangle_tree.h"

namespace slipstick {
namespace {

using ::testing::HasSubstr;

TriangleMesh boxMesh(const Vec3& half, const Vec3& centre = Vec3::Zero()) {
  TriangleMesh mesh;
  mesh.name = "box";
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(centre + Vec3(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                                          i & 4 ? half.z() : -half.z()));
  const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& q : quads) {
    mesh.triangles.emplace_back(q[0], q[1], q[2]);
    mesh.triangles.emplace_back(q[0], q[2], q[3]);
  }
  return mesh;
}

TriangleMesh sphereMesh(double radius, int rings) {
  TriangleMesh mesh;
  mesh.name = "sphere";
  const int around = 2 * rings;
  for (int i = 0; i <= rings; ++i)
    for (int j = 0; j < around; ++j) {
      const double theta = std::numbers::pi * i / rings, phi = 2 * std::numbers::pi * j / around;
      const double s = i == 0 || i == rings ? 0 : std::sin(theta);  // poles meet exactly
      mesh.vertices.push_back(radius * Vec3(s * std::cos(phi), s * std::sin(phi), std::cos(theta)));
    }
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < around; ++j) {
      const int a = i * around + j, b = i * around + (j + 1) % around;
      mesh.triangles.emplace_back(a, a + around, b + around);
      mesh.triangles.emplace_back(a, b + around, b);
    }
  return mesh;
}

void append(TriangleMesh& mesh, const TriangleMesh& other) {
  const int offset = static_cast<int>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const Eigen::Vector3i& t : other.triangles)
    mesh.triangles.push_back(t + Eigen::Vector3i::Constant(offset));
}

std::shared_ptr<const SdfGrid> built(const TriangleMesh& mesh, double spacing = 0) {
  auto grid = SdfGrid::build(mesh, spacing);
  EXPECT_TRUE(grid.ok()) << grid.error().message();
  return *grid;
}

/// Visits every node with its position.
template <class Visit>
void forEachNode(const SdfGrid& grid, Visit visit) {
  std::size_t index = 0;
  for (int i = 0; i < grid.size[0]; ++i)
    for (int j = 0; j < grid.size[1]; ++j)
      for (int k = 0; k < grid.size[2]; ++k, ++index)
        visit(Vec3(grid.origin + grid.spacing * Vec3(i, j, k)), double(grid.distance[index]));
}

TEST(TriangleTree, FindsTheSameDistanceAsTryingEveryTriangle) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(-1, 1);
  const auto point = [&] { return Vec3(coordinate(random), coordinate(random), coordinate(random)); };
  std::vector<Facet> facets;
  for (int i = 0; i < 300; ++i) {
    const Vec3 centre = point();
    facets.push_back(facetOf({centre + 0.2 * point(), centre + 0.2 * point(), centre + 0.2 * point()}));
  }
  facets.push_back(facetOf({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.3, 0, 0)}));  // a segment
  const TriangleTree tree(facets);
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = 1.5 * point();
    double nearest = std::numeric_limits<double>::infinity();
    for (const Facet& f : facets) nearest = std::min(nearest, (nearestPoint(f, p) - p).norm());
    EXPECT_EQ(tree.distance(p, std::numeric_limits<double>::infinity()), nearest);
    EXPECT_DOUBLE_EQ(tree.distance(p, nearest / 2), nearest / 2);
  }
}

TEST(TriangleTree, DistanceToATriangleIsThatOfItsNearestPoint) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> coordinate(-1, 1);
  const auto point = [&] { return Vec3(coordinate(random), coordinate(random), coordinate(random)); };
  for (int i = 0; i < 50; ++i) {
    const Triangle t = {point(), point(), point()};
    const Vec3 p = 2 * point();
    const double distance = (nearestPoint(facetOf(t), p) - p).norm();
    double sampled = std::numeric_limits<double>::infinity();
    const int n = 200;
    for (int a = 0; a <= n; ++a)
      for (int b = 0; a + b <= n; ++b)
        sampled = std::min(sampled, (p - t[0] - (t[1] - t[0]) * a / n - (t[2] - t[0]) * b / n).norm());
    EXPECT_LE(distance, sampled + 1e-12);
    EXPECT_GE(distance, sampled - 0.02);
  }
}

TEST(SdfGrid, BoxMeshGivesTheExactDistanceAtEveryNode) {
  const Vec3 half(0.06, 0.04, 0.05);
  const auto grid = built(boxMesh(half), 0.005);
  const auto box = lowerShape<double>(shape::Box{half});
  int inside = 0;
  forEachNode(*grid, [&](const Vec3& p, double distance) {
    const double exact = signedDistance<double>(box, lanes::V3<double>{p.x(), p.y(), p.z()}).phi;
    EXPECT_NEAR(distance, exact, 1e-8);
    inside += exact < -1e-9;
  });
  EXPECT_GT(inside, 1000);
}

TEST(SdfGrid, SphereMeshIsTheSphereToTheMeshsOwnError) {
  const double radius = 0.05;
  const auto grid = built(sphereMesh(radius, 24), 0.0025);
  const double sagitta = radius * (1 - std::cos(std::numbers::pi / 24));
  std::mt19937 random(3);
  std::normal_distribution<double> gauss;
  std::uniform_real_distribution<double> depth(0.5, 1.05);
  for (int i = 0; i < 500; ++i) {
    const Vec3 direction = Vec3(gauss(random), gauss(random), gauss(random)).normalized();
    const Vec3 p = depth(random) * radius * direction;
    const auto sample = grid->at(p);
    EXPECT_NEAR(sample.distance, p.norm() - radius, 3 * sagitta + 0.02 * grid->spacing);
    EXPECT_GT(sample.normal.dot(direction), 0.99);
    EXPECT_NEAR(sample.normal.norm(), 1, 1e-12);
  }
  EXPECT_NEAR(grid->at(Vec3(0, 0, 0.2)).distance, 0.15, 1e-3);  // far outside the grid
}

TEST(SdfGrid, NormalIsTheGradientOfTheInterpolatedDistance) {
  const auto grid = built(sphereMesh(0.05, 24), 0.004);
  std::mt19937 random(4);
  std::uniform_real_distribution<double> coordinate(-0.07, 0.07);
  for (int i = 0; i < 300; ++i) {
    const Vec3 p(coordinate(random), coordinate(random), coordinate(random));
    const double h = 1e-8;
    Vec3 slope;
    bool smooth = true;  // both probes in one cell, or both outside the grid
    for (int a = 0; a < 3; ++a) {
      const Vec3 up = p + h * Vec3::Unit(a), down = p - h * Vec3::Unit(a);
      slope[a] = (grid->at(up).distance - grid->at(down).distance) / (2 * h);
      smooth = smooth && (grid->at(up).normal - grid->at(down).normal).norm() < 1e-4;
    }
    if (!smooth) continue;
    EXPECT_LT((slope.normalized() - grid->at(p).normal).norm(), 1e-5);
  }
}

TEST(SdfGrid, LanesReadTheSameGrid) {
  const TriangleMesh mesh = sphereMesh(0.05, 16);
  const auto grid = built(mesh, 0.005);
  const auto shape = lowerShape<float>(shape::Mesh{std::make_shared<TriangleMesh>(mesh)}, grid.get());
  std::mt19937 random(5);
  std::uniform_real_distribution<float> coordinate(-0.05f, 0.05f);
  lanes::V3<lanes::Pack> p;
  for (int a = 0; a < 3; ++a)
    for (int lane = 0; lane < lanes::Pack::kLanes; ++lane) p[a].x[lane] = coordinate(random);
  const auto pack = signedDistance<lanes::Pack>(shape, p);
  for (int lane = 0; lane < lanes::Pack::kLanes; ++lane) {
    const auto exact = grid->at(Vec3(p.x[lane], p.y[lane], p.z[lane]));
    EXPECT_NEAR(pack.phi[lane], exact.distance, 1e-7);
    EXPECT_NEAR(pack.normal.z[lane], exact.normal.z(), 1e-4);
  }
}

TEST(SdfGrid, OverlappingPartsMakeOneSolidAndFlippedPartsAreSolidToo) {
  TriangleMesh mesh = boxMesh(Vec3(0.05, 0.05, 0.05));
  TriangleMesh flipped = boxMesh(Vec3(0.05, 0.05, 0.05), Vec3(0.3, 0, 0));
  for (Eigen::Vector3i& t : flipped.triangles) std::swap(t[1], t[2]);
  append(mesh, boxMesh(Vec3(0.05, 0.02, 0.02), Vec3(0.05, 0, 0)));
  append(mesh, flipped);
  const auto grid = built(mesh, 0.004);
  EXPECT_LT(grid->at(Vec3(0.03, 0, 0)).distance, 0);  // in both boxes
  EXPECT_LT(grid->at(Vec3(0.08, 0, 0)).distance, 0);  // in the second
  EXPECT_GT(grid->at(Vec3(0.08, 0.04, 0)).distance, 0);
  EXPECT_LT(grid->at(Vec3(0.3, 0, 0)).distance, 0);
  EXPECT_GT(grid->at(Vec3(0.2, 0, 0)).distance, 0);
}

TEST(SdfGrid, VerticesRepeatedInEveryTriangleAreMerged) {
  const TriangleMesh shared = boxMesh(Vec3(0.05, 0.05, 0.05));
  TriangleMesh soup;
  for (const Eigen::Vector3i& t : shared.triangles) {
    const int first = static_cast<int>(soup.vertices.size());
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(shared.vertices[static_cast<std::size_t>(t[k])]);
    soup.triangles.emplace_back(first, first + 1, first + 2);
  }
  EXPECT_EQ(built(soup, 0.01)->distance, built(shared, 0.01)->distance);
}

TEST(SdfGrid, RefusesWhatIsNoSolidAndSaysWhatToDo) {
  const auto refused = [](const TriangleMesh& mesh, const std::string& what, double spacing = 0) {
    const auto grid = SdfGrid::build(mesh, spacing);
    ASSERT_FALSE(grid.ok()) << what;
    EXPECT_THAT(grid.error().what, HasSubstr(what));
    EXPECT_EQ(grid.error().code, ErrorCode::InvalidValue);
    EXPECT_FALSE(grid.error().remedy.empty());
  };
  const TriangleMesh box = boxMesh(Vec3(0.05, 0.05, 0.05));
  refused({}, "has no triangles");
  TriangleMesh holed = box;
  holed.triangles.pop_back();
  refused(holed, "is not closed: 3 edges");
  EXPECT_EQ(SdfGrid::build(holed).error().where, "mesh 'box'");
  TriangleMesh broken = box;
  broken.vertices[3].y() = std::nan("");
  refused(broken, "vertex 3 is not a finite number");
  TriangleMesh dangling = box;
  dangling.triangles[2][1] = 8;
  refused(dangling, "triangle 2 names a vertex");
  TriangleMesh sheet;
  sheet.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  sheet.triangles = {{0, 1, 2}, {0, 2, 1}};
  refused(sheet, "encloses no volume");
  refused(box, "needs too many nodes", 1e-4);
  refused(box, "is not a length", -1);
  refused(box, "is not a length", std::nan(""));
}

}  // namespace
}  // namespace slipstick

#include "engine/geometry/mesh_polytope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

#include "engine/geometry/triangle_mesh.h"

namespace slipstick {
namespace {

constexpr std::size_t kMaxFaces = 240;
constexpr double kCoplanar = 1e-6;  // of the size, and of a right angle

struct FacePlane {
  HalfSpace plane;
  double area;
};

/// The planes of the triangles, each once. Triangles are sorted by area, so that slivers, whose normals are
/// poor, join the plane of a good neighbour.
std::vector<FacePlane> facePlanes(const TriangleMesh& mesh, double size) {
  std::vector<std::pair<double, std::size_t>> byArea;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    byArea.emplace_back(-areaVector(cornersOf(mesh, mesh.triangles[t])).norm(), t);
  std::sort(byArea.begin(), byArea.end());
  // Buckets of rounded normals: a neighbour may lie in the next one.
  std::map<std::array<int, 3>, std::vector<std::size_t>> buckets;
  std::vector<FacePlane> planes;
  for (const auto& [negativeArea, t] : byArea) {
    if (-negativeArea < 1e-12 * size * size) break;
    const Triangle corners = cornersOf(mesh, mesh.triangles[t]);
    const Vec3 n = areaVector(corners).normalized();
    const HalfSpace plane = {n, n.dot(corners[0])};
    const std::array<int, 3> key = {int(std::floor(n.x() * 64)), int(std::floor(n.y() * 64)),
                                    int(std::floor(n.z() * 64))};
    std::size_t found = planes.size();
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dz = -1; dz <= 1; ++dz) {
          const auto bucket = buckets.find({key[0] + dx, key[1] + dy, key[2] + dz});
          if (bucket == buckets.end()) continue;
          for (const std::size_t k : bucket->second)
            if ((planes[k].plane.normal - n).norm() < 1e3 * kCoplanar &&
                std::abs(planes[k].plane.offset - plane.offset) < kCoplanar * size)
              found = std::min(found, k);
        }
    if (found < planes.size()) {
      planes[found].area -= negativeArea;
    } else {
      buckets[key].push_back(planes.size());
      planes.push_back({plane, -negativeArea});
    }
  }
  return planes;
}

/// Vertices that lie farthest in directions spread over the sphere: if these are below a plane, most likely
/// all are.
std::vector<Vec3> extremes(const TriangleMesh& mesh) {
  std::vector<Vec3> points;
  for (std::size_t k = 0; k < 32; ++k) {
    const double z = 1 - (2 * double(k) + 1) / 32, r = std::sqrt(1 - z * z), a = double(k) * 2.399963;
    const Vec3 d(r * std::cos(a), r * std::sin(a), z);
    points.push_back(*std::max_element(mesh.vertices.begin(), mesh.vertices.end(),
                                       [&](const Vec3& p, const Vec3& q) { return p.dot(d) < q.dot(d); }));
  }
  return points;
}

bool allBelow(const std::vector<FacePlane>& planes, const std::vector<Vec3>& points, double tolerance) {
  return std::all_of(planes.begin(), planes.end(), [&](const FacePlane& f) {
    return std::all_of(points.begin(), points.end(),
                       [&](const Vec3& p) { return f.plane.height(p) <= tolerance; });
  });
}

/// The area vectors of a closed surface add up to zero, also where an edge meets a vertex in its middle.
bool closed(const TriangleMesh& mesh, double size) {
  Vec3 sum = Vec3::Zero();
  double area = 0;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const Vec3 a = areaVector(cornersOf(mesh, t));
    sum += a, area += a.norm();
  }
  return sum.norm() < 1e-6 * area && 2 * area > 1e-9 * size * size;
}

/// The polytope around a mesh with many faces.
std::vector<HalfSpace> fewerPlanes(const TriangleMesh& mesh, std::vector<FacePlane> planes) {
  std::sort(planes.begin(), planes.end(),
            [](const FacePlane& a, const FacePlane& b) { return a.area > b.area; });
  double total = 0;
  for (const FacePlane& f : planes) total += f.area;
  std::vector<HalfSpace> chosen;
  for (std::size_t k = 0; k < kMaxFaces / 2 && planes[k].area > 0.01 * total; ++k)
    chosen.push_back(planes[k].plane);
  const std::size_t directions = kMaxFaces - chosen.size();
  for (std::size_t k = 0; k < directions; ++k) {
    const double z = 1 - (2 * double(k) + 1) / double(directions), r = std::sqrt(1 - z * z);
    const double azimuth = double(k) * std::numbers::pi * (3 - std::sqrt(5.0));
    const Vec3 n(r * std::cos(azimuth), r * std::sin(azimuth), z);
    double offset = n.dot(mesh.vertices.front());
    for (const Vec3& v : mesh.vertices) offset = std::max(offset, n.dot(v));
    const bool near = std::any_of(chosen.begin(), chosen.end(),
                                  [&](const HalfSpace& h) { return (h.normal - n).norm() < 1e-3; });
    if (!near) chosen.push_back({n, offset});
  }
  return chosen;
}

}  // namespace

std::optional<Polytope> convexPolytope(const TriangleMesh& mesh) {
  const Aabb box = boundsOf(mesh);
  const Vec3 centre = (box.lower + box.upper) / 2;
  const double size = (box.upper - box.lower).norm();
  if (!closed(mesh, size) || !(6 * signedVolume(mesh) > 1e-9 * size * size * size)) return {};
  const double tolerance = 1e-5 * size;
  const std::vector<FacePlane> planes = facePlanes(mesh, size);
  if (planes.size() < 4 || !allBelow(planes, extremes(mesh), tolerance)) return {};
  // All vertices, or, of a mesh so fine that this would take long, as many as can be tried.
  std::vector<Vec3> tried;
  const std::size_t stride = 1 + planes.size() * mesh.vertices.size() / 200000000;
  for (std::size_t i = 0; i < mesh.vertices.size(); i += stride) tried.push_back(mesh.vertices[i]);
  if (!allBelow(planes, tried, tolerance)) return {};
  std::vector<HalfSpace> sides;
  if (planes.size() > kMaxFaces)
    sides = fewerPlanes(mesh, planes);
  else
    for (const FacePlane& f : planes) sides.push_back(f.plane);
  Polytope polytope = Polytope::fromHalfSpaces(sides, size + centre.norm());
  if (polytope.faces.empty()) return {};
  return polytope;
}

}  // namespace slipstick

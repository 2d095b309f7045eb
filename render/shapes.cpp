#include "render/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace slipstick::render {
namespace {

constexpr int kAround = 40;
constexpr int kQuarter = 7;

/// A point of a profile in the (radius, z) half-plane with its outward normal there.
struct ProfilePoint {
  double r = 0, z = 0, nr = 0, nz = 0;
};

/// Surface of revolution about z.
DrawMesh revolve(const std::vector<ProfilePoint>& profile) {
  DrawMesh mesh;
  for (const ProfilePoint& p : profile) {
    for (int i = 0; i <= kAround; ++i) {
      const double a = 2 * std::numbers::pi * i / kAround;
      DrawVertex v;
      v.position = Vec3(p.r * std::cos(a), p.r * std::sin(a), p.z).cast<float>();
      v.normal = Vec3(p.nr * std::cos(a), p.nr * std::sin(a), p.nz).cast<float>();
      mesh.vertices.push_back(v);
    }
  }
  const auto at = [](std::size_t ring, int i) {
    return static_cast<std::uint32_t>(ring * (kAround + 1)) + static_cast<std::uint32_t>(i);
  };
  for (std::size_t ring = 0; ring + 1 < profile.size(); ++ring)
    for (int i = 0; i < kAround; ++i)
      mesh.indices.insert(mesh.indices.end(), {at(ring, i), at(ring, i + 1), at(ring + 1, i + 1), at(ring, i),
                                               at(ring + 1, i + 1), at(ring + 1, i)});
  return mesh;
}

/// Arc of a profile around (r, z) from angle a to b, measured from the r axis towards +z.
void addArc(std::vector<ProfilePoint>& profile, Eigen::Vector2d center, double radius, double a, double b,
            int steps) {
  for (int i = 0; i <= steps; ++i) {
    const double t = a + (b - a) * i / steps;
    profile.push_back(
        {center.x() + radius * std::cos(t), center.y() + radius * std::sin(t), std::cos(t), std::sin(t)});
  }
}

constexpr double kUp = std::numbers::pi / 2;

DrawMesh build(const shape::Sphere& s) {
  std::vector<ProfilePoint> profile;
  addArc(profile, {0, 0}, s.radius, -kUp, kUp, 3 * kQuarter);
  return revolve(profile);
}

DrawMesh build(const shape::Ellipsoid& s) {
  DrawMesh mesh = build(shape::Sphere{1});
  const Eigen::Vector3f radii = s.radii.cast<float>();
  for (DrawVertex& v : mesh.vertices) {
    v.position = v.position.cwiseProduct(radii);
    v.normal = v.normal.cwiseQuotient(radii).normalized();
  }
  return mesh;
}

DrawMesh build(const shape::Capsule& s) {
  std::vector<ProfilePoint> profile;
  addArc(profile, {0, -s.length / 2}, s.radius, -kUp, 0, kQuarter);
  addArc(profile, {0, s.length / 2}, s.radius, 0, kUp, kQuarter);
  return revolve(profile);
}

DrawMesh build(const shape::Cylinder& s) {
  const double bevel = std::min({0.08 * s.radius, 0.08 * s.length, 0.004});
  std::vector<ProfilePoint> profile;
  profile.push_back({0, -s.length / 2, 0, -1});
  addArc(profile, {s.radius - bevel, -s.length / 2 + bevel}, bevel, -kUp, 0, 4);
  addArc(profile, {s.radius - bevel, s.length / 2 - bevel}, bevel, 0, kUp, 4);
  profile.push_back({0, s.length / 2, 0, 1});
  return revolve(profile);
}

DrawMesh build(const shape::Plane&) {
  DrawMesh mesh;
  for (const float x : {-20.f, 20.f})
    for (const float y : {-20.f, 20.f}) {
      DrawVertex v;
      v.position = {x, y, 0};
      mesh.vertices.push_back(v);
    }
  mesh.indices = {0, 2, 3, 0, 3, 1};
  return mesh;
}

/// Places across one direction of a box's side: which edge (±1), and how far the normal has turned towards
/// it.
std::vector<std::pair<double, double>> boxStops() {
  constexpr int kSteps = 3;
  std::vector<std::pair<double, double>> stops;
  for (int i = 0; i <= kSteps; ++i) stops.emplace_back(-1, std::numbers::pi / 4 * (kSteps - i) / kSteps);
  for (int i = 0; i <= kSteps; ++i) stops.emplace_back(1, std::numbers::pi / 4 * i / kSteps);
  return stops;
}

/// One side of a box as a grid over its face and its halves of the rounded edges and corners.
void addBoxSide(const Vec3& half, double bevel, int axis, double sign, DrawMesh& mesh) {
  const auto stops = boxStops();
  const auto n = static_cast<std::uint32_t>(stops.size());
  const int u = (axis + 1) % 3, w = (axis + 2) % 3;
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const auto& [edgeU, turnU] : stops) {
    for (const auto& [edgeW, turnW] : stops) {
      Vec3 normal, core;
      normal[axis] = sign;
      normal[u] = edgeU * std::tan(turnU);
      normal[w] = edgeW * std::tan(turnW);
      core[axis] = sign * (half[axis] - bevel);
      core[u] = edgeU * (half[u] - bevel);
      core[w] = edgeW * (half[w] - bevel);
      normal.normalize();
      DrawVertex v;
      v.position = (core + bevel * normal).cast<float>();
      v.normal = normal.cast<float>();
      mesh.vertices.push_back(v);
    }
  }
  for (std::uint32_t i = 0; i + 1 < n; ++i)
    for (std::uint32_t j = 0; j + 1 < n; ++j) {
      const std::uint32_t a = base + i * n + j, b = a + n, c = b + 1, d = a + 1;
      if (sign > 0)
        mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d});
      else
        mesh.indices.insert(mesh.indices.end(), {a, c, b, a, d, c});
    }
}

/// A box whose edges and corners are rounded by a few millimetres.
DrawMesh build(const shape::Box& s) {
  const double bevel = std::min(0.12 * s.halfExtents.minCoeff(), 0.004);
  DrawMesh mesh;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) addBoxSide(s.halfExtents, bevel, axis, sign, mesh);
  return mesh;
}

std::vector<Vec3> faceNormals(const TriangleMesh& mesh) {
  std::vector<Vec3> normals;
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const auto at = [&](int k) { return mesh.vertices[static_cast<std::size_t>(t[k])]; };
    normals.push_back(
        (at(1) - at(0)).cross(at(2) - at(0)));  // length = twice the area: the weight of the average
  }
  return normals;
}

/// Faces around one place, found by position, so that seams of duplicated vertices smooth as well.
std::vector<std::vector<std::size_t>> facesAroundVertices(const TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size()), place(mesh.vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto position = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const Vec3 p = position(a), q = position(b);
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  });
  int places = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && position(order[i]) != position(order[i - 1])) ++places;
    place[static_cast<std::size_t>(order[i])] = places;
  }
  std::vector<std::vector<std::size_t>> around(static_cast<std::size_t>(places) + 1),
      faces(mesh.vertices.size());
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f)
    for (int k = 0; k < 3; ++k)
      around[static_cast<std::size_t>(place[static_cast<std::size_t>(mesh.triangles[f][k])])].push_back(f);
  for (std::size_t i = 0; i < faces.size(); ++i) faces[i] = around[static_cast<std::size_t>(place[i])];
  return faces;
}

Vec3 creasedNormal(const std::vector<Vec3>& normals, const std::vector<std::size_t>& around, std::size_t face,
                   double c) {
  const Vec3 own = normals[face].normalized();
  Vec3 sum = Vec3::Zero();
  for (const std::size_t f : around)
    if (normals[f].normalized().dot(own) > c) sum += normals[f];
  return sum.norm() > 0 ? sum.normalized() : own;
}

DrawMesh build(const shape::Mesh& s, double creaseAngle) {
  DrawMesh out;
  if (!s.mesh) return out;
  const TriangleMesh& mesh = *s.mesh;
  const bool given = mesh.normals.size() == mesh.vertices.size() && !mesh.normals.empty();
  const bool colored = mesh.colors.size() == mesh.vertices.size();
  const bool finished = mesh.finishes.size() == mesh.vertices.size();
  const bool textured = !mesh.textured.empty() && mesh.uvs.size() == mesh.vertices.size();
  const std::vector<Vec3> normals = given ? std::vector<Vec3>{} : faceNormals(mesh);
  const auto around = given ? std::vector<std::vector<std::size_t>>{} : facesAroundVertices(mesh);
  for (std::size_t f = 0; f < mesh.triangles.size(); ++f) {
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(mesh.triangles[f][k]);
      DrawVertex v;
      v.position = mesh.vertices[i].cast<float>();
      v.normal = (given ? mesh.normals[i] : creasedNormal(normals, around[i], f, std::cos(creaseAngle)))
                     .cast<float>();
      if (colored) v.color = mesh.colors[i];
      if (finished) v.finish = mesh.finishes[i];
      if (textured) out.uvs.push_back(mesh.uvs[i]);
      out.indices.push_back(static_cast<std::uint32_t>(out.vertices.size()));
      out.vertices.push_back(v);
    }
  }
  return out;
}

}  // namespace

DrawMesh tessellate(const Shape& shape, double creaseAngle) {
  return std::visit(
      [creaseAngle](const auto& s) {
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, shape::Mesh>)
          return build(s, creaseAngle);
        else
          return build(s);
      },
      shape);
}

}  // namespace slipstick::render

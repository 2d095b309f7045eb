// The shapes that rigid things are made of.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick {

/// Axis-aligned box.
struct Aabb {
  Vec3 lower, upper;  ///< [m]
};

/// How a surface takes light.
struct Finish {
  float roughness = 0.5f;  ///< 0 mirror … 1 chalk
  float metallic = 0;      ///< 0 paint, plastic … 1 bare metal
};

/// Triangles with shared vertices. Closed and outward-facing (counter-clockwise) where it is used for
/// contact.
struct TriangleMesh {
  std::string name;
  std::vector<Vec3> vertices;              ///< [m]
  std::vector<Eigen::Vector3i> triangles;  ///< indices into vertices
  std::vector<Vec3> normals;               ///< per vertex, or empty
  std::vector<Eigen::Vector4f> colors;     ///< per vertex RGBA in 0…1, or empty
  std::vector<Finish> finishes;            ///< per vertex, or empty: that of the visual
};

namespace shape {
struct Plane {};  ///< half-space z ≤ 0 of the geometry frame
struct Sphere {
  double radius = 0;  ///< [m]
};
struct Box {
  Vec3 halfExtents = Vec3::Zero();  ///< [m]
};
struct Capsule {
  double radius = 0;
  double length = 0;  ///< straight part along z, centred [m]
};
struct Cylinder {
  double radius = 0;
  double length = 0;  ///< along z, centred [m]
};
struct Ellipsoid {
  Vec3 radii = Vec3::Zero();  ///< along the axes [m]
};
struct Mesh {
  std::shared_ptr<const TriangleMesh> mesh;  ///< already scaled, in the geometry frame
};
}  // namespace shape

using Shape = std::variant<shape::Plane, shape::Sphere, shape::Box, shape::Capsule, shape::Cylinder,
                           shape::Ellipsoid, shape::Mesh>;

}  // namespace slipstick

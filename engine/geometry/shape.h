// The shapes that rigid things are made of.
#pragma once

#include <cstddef>
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

/// An image that surfaces wear: 8-bit RGB, rows from the top.
struct TextureImage {
  std::string name;  ///< the file that it is from
  int width = 0, height = 0;
  bool srgb = true;  ///< colours, as displays take them; otherwise numbers: 255 is 1
  std::vector<std::uint8_t> rgb;
};

/// Images over a surface, repeated beyond their edges; each may be null.
struct SurfaceMaps {
  std::shared_ptr<const TextureImage> color;  ///< multiplies the colour
  /// Openness to the surroundings, roughness, metallic: the latter two multiply those of the Finish.
  std::shared_ptr<const TextureImage> finish;
  /// The normal's parts along u and against v, from −1 (0) over 0 (128) to 1 (255).
  std::shared_ptr<const TextureImage> normal;

  bool empty() const { return !color && !finish && !normal; }
  bool operator==(const SurfaceMaps&) const = default;
};

/// A run of a mesh's triangles that wear the same images.
struct TexturedPart {
  std::size_t firstTriangle = 0, triangleCount = 0;
  SurfaceMaps maps;
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
  /// Where vertices are in images, (0, 0) the upper left corner and (1, 1) the lower right; or empty.
  std::vector<Eigen::Vector2f> uvs;
  std::vector<TexturedPart> textured;  ///< by first triangle, disjoint; only with uvs
};

/// Closed convex meshes that fill about what one mesh does, which is not convex. They may overlap.
using ConvexParts = std::vector<TriangleMesh>;

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
  /// What stands for it where rigid things meet, in the same frame; null: the mesh itself does. Particles, masses and
  /// pictures are always of the mesh.
  std::shared_ptr<const ConvexParts> parts = {};
};
}  // namespace shape

using Shape = std::variant<shape::Plane, shape::Sphere, shape::Box, shape::Capsule, shape::Cylinder,
                           shape::Ellipsoid, shape::Mesh>;

}  // namespace slipstick

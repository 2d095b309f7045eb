// Triangles of the shapes that people see.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "engine/geometry/shape.h"

namespace slipstick::render {

struct DrawVertex {
  Eigen::Vector3f position = Eigen::Vector3f::Zero();  ///< [m]
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();   ///< unit
  Eigen::Vector4f color = Eigen::Vector4f::Ones();     ///< linear; multiplies the visual's colour
  Finish finish;
};

struct DrawMesh {
  std::vector<DrawVertex> vertices;
  std::vector<std::uint32_t> indices;  ///< triples, of a mesh one after the other as its triangles
  std::vector<Eigen::Vector2f> uvs;    ///< of vertices, as TriangleMesh::uvs; empty where nothing is textured
};

/// Boxes and cylinders get a small bevel, so that their edges catch light; a plane is a square of 40 m. A
/// mesh without normals is smoothed where neighbouring faces meet at less than `creaseAngle` [rad].
DrawMesh tessellate(const Shape& shape, double creaseAngle = 0.6);

}  // namespace slipstick::render

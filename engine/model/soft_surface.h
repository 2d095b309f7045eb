// What of a deformable is seen, written to files and described: vertices, triangles between them, normals, and numbers per
// vertex, whatever it is made of inside.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace slipstick {

struct Deformable;

/// What stays of it for a whole run; where its vertices are at a moment is a part of the arrays of that moment.
struct SoftSurface {
  std::size_t first = 0;        ///< its first vertex in arrays that have an entry per particle
  std::size_t vertexCount = 0;  ///< they follow each other there
  /// Indices of its vertices, from 0, counter-clockwise seen from the front. None: the vertices are points.
  std::span<const Eigen::Vector3i> triangles;
  bool isSheet = false;  ///< it has no inside, and both sides of its triangles are seen
  double spacing = 0;  ///< at rest: of points from each other, or the root of the mean area of triangles [m]

  /// The part of its vertices in an array that has an entry per particle: positions, or numbers.
  template <class Array>
  auto of(const Array& perParticle) const {
    return std::span(perParticle).subspan(first, vertexCount);
  }
};

/// Refers to the deformable, which must live as long.
SoftSurface surfaceOf(const Deformable& deformable);

/// Of each vertex, unit: the mean of the triangles around it, weighted by their areas; along z where they have none.
/// @param vertices  of the surface at one moment, in W [m]
std::vector<Eigen::Vector3f> normalsOf(const SoftSurface& surface, std::span<const Eigen::Vector3f> vertices);

}  // namespace slipstick

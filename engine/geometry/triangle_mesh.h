// What a mesh of triangles is like, and what is wrong with it.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"

namespace slipstick {

using Triangle = std::array<Vec3, 3>;

Triangle cornersOf(const TriangleMesh& mesh, const Eigen::Vector3i& triangle);

/// The area times the normal [m²].
Vec3 areaVector(const Triangle& triangle);

/// Whether the triangle has degenerated to a segment or a point.
bool isThin(const Triangle& triangle);

/// Of the vertices; there is at least one.
Aabb boundsOf(const TriangleMesh& mesh);

/// The mesh with equal vertices merged, as files repeat them in each triangle or for each normal, and without
/// the triangles that lost a corner so. Normals, colours and images go.
TriangleMesh welded(const TriangleMesh& mesh);

/// Edges of a welded mesh that are not passed as often in one direction as in the other; none on a closed,
/// consistently oriented surface.
std::size_t openEdges(const TriangleMesh& welded);

/// The volume that a closed mesh encloses, positive where its triangles face outwards [m³].
double signedVolume(const TriangleMesh& mesh);

/// An InvalidValue that names the mesh.
Error invalidMesh(const TriangleMesh& mesh, std::string what, std::string remedy);

/// Errors (InvalidValue): no triangles, an index out of range, a vertex that is not finite.
Result<void> checkTriangles(const std::vector<Vec3>& vertices, const std::vector<Eigen::Vector3i>& triangles);

/// checkTriangles, and no triangle with an area.
Result<void> checkMesh(const TriangleMesh& mesh);

/// Errors (InvalidValue) of a checked and welded mesh: open edges, no volume.
Result<void> checkSolid(const TriangleMesh& welded);

}  // namespace slipstick

// Bounded convex polytopes, with the cells of their depth field.
#pragma once

#include <vector>

#include "engine/foundation/math.h"
#include "engine/geometry/clip_polygon.h"

namespace slipstick {

/// A convex polytope as the intersection of half-spaces. The depth of a point, min_i (oᵢ − nᵢ·x) over its
/// faces, is a concave function; where face i is the nearest is a convex cell, so that the field needs no
/// tetrahedra.
struct Polytope {
  struct Face {
    HalfSpace plane;                     ///< outward unit normal
    Vec3 tangent = Vec3::UnitX();        ///< along its longest edge
    int vertexBegin = 0, vertexEnd = 0;  ///< corners, counter-clockwise from outside: into corners
    int cellBegin = 0, cellEnd = 0;      ///< into cellBounds
    int edgeBegin = 0, edgeEnd = 0;      ///< into edgeBounds

    double depth(const Vec3& p) const { return -plane.height(p); }
  };

  /// Where two faces meet.
  struct Edge {
    int from = 0, to = 0;     ///< into vertices; seen from outside, it runs counter-clockwise around `left`
    int left = 0, right = 0;  ///< into faces
  };

  std::vector<Face> faces;
  std::vector<Vec3> vertices;         ///< [m]
  std::vector<int> corners;           ///< indices into vertices, face by face
  std::vector<Edge> edges;            ///< each once
  std::vector<HalfSpace> cellBounds;  ///< dᵢ ≤ dₖ for the cells k that touch cell i; normals are not unit
  std::vector<HalfSpace> edgeBounds;  ///< the neighbouring faces' half-spaces: cut face i out of its plane
  double innerRadius = 0;             ///< largest depth [m]
  Vec3 centre = Vec3::Zero();         ///< of the bounding box
  Vec3 halfExtents = Vec3::Zero();    ///< of the bounding box
  double radius = 0;                  ///< of the vertices around the centre [m]
  bool isBox = false;                 ///< made by box()

  /// Half-spaces without effect are dropped. No faces when the intersection is empty or flat.
  /// @param reach  every point of the intersection is nearer than this to the origin [m]
  static Polytope fromHalfSpaces(const std::vector<HalfSpace>& halfSpaces, double reach);
  /// Centred; its faces are +x −x +y −y +z −z.
  static Polytope box(const Vec3& halfExtents);
  /// z ≤ 0: one face without corners, infinite radius.
  static const Polytope& halfSpace();

  bool bounded() const { return !vertices.empty(); }
};

}  // namespace slipstick

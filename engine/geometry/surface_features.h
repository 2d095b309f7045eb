// What of a triangle surface can touch another body, numbered.
#pragma once

#include <array>
#include <vector>

#include "engine/geometry/triangle_tree.h"

namespace slipstick {

/// Corners and edges that stand out, or bound an open surface, and planes of facets that are level with each other.
struct SurfaceFeatures {
  struct Edge {
    Vec3 from, to;  ///< [m]
  };
  std::vector<Vec3> vertices;  ///< ends of edges [m]
  std::vector<Edge> edges;
  std::vector<int> planes;  ///< per facet
  /// Per facet, −1 where there are fewer: those of its vertices and edges that no facet before it has.
  std::vector<std::array<int, 3>> ownVertices, ownEdges;
  int planeCount = 0;
  bool isOpen = false;  ///< some edge has one facet only

  /// @param facets  with an area; corners of equal coordinates are one
  static SurfaceFeatures of(const std::vector<Facet>& facets);

  int ofEdge(std::size_t edge) const { return static_cast<int>(vertices.size() + edge); }
  int ofPlane(std::size_t facet) const {
    return static_cast<int>(vertices.size() + edges.size()) + planes[facet];
  }
  int count() const { return static_cast<int>(vertices.size() + edges.size()) + planeCount; }
};

}  // namespace slipstick

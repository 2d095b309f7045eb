// How a surface cuts a cube whose corners lie inside or outside of it. The 256 cases are derived, not listed.
#pragma once

#include <array>
#include <cstdint>

namespace slipstick::render {

/// Corner c of the cube is at (c & 1, c >> 1 & 1, c >> 2). Edge e runs along axis e / 4 from the corner that
/// cubeEdgeStart(e) names.
constexpr int cubeEdgeStart(int edge) {
  const int axis = edge / 4, u = (axis + 1) % 3, w = (axis + 2) % 3;
  return (edge & 1) << u | (edge >> 1 & 1) << w;
}

/// Triangles of one case: triples of edges, counter-clockwise seen from outside.
struct CubeCase {
  int triangles = 0;
  std::array<std::uint8_t, 18> edges{};
};

/// @param inside  bit c is set where corner c lies inside
/// Neighbouring cubes agree on the face that they share, so the surface has no holes: on a face whose inside
/// corners lie across from each other, they stay apart.
const CubeCase& cubeCase(unsigned inside);

}  // namespace slipstick::render

#include "render/marching_cubes.h"

#include <algorithm>
#include <utility>

#include "engine/foundation/require.h"

namespace slipstick::render {
namespace {

constexpr int kEdges = 12;
/// Per edge that the surface crosses, the edge that follows on the rim of the surface; −1: not crossed.
using Rim = std::array<int, kEdges>;

int edgeBetween(int a, int b) {
  const int low = std::min(a, b), axis = (a ^ b) >> 1;  // 1, 2, 4 → 0, 1, 2
  const int u = (axis + 1) % 3, w = (axis + 2) % 3;
  return 4 * axis + (low >> u & 1) + 2 * (low >> w & 1);
}

/// Corners of a face, counter-clockwise seen from outside the cube.
std::array<int, 4> faceCorners(int axis, int side) {
  const int u = 1 << (axis + 1) % 3, w = 1 << (axis + 2) % 3, base = side << axis;
  if (side == 1) return {base, base + u, base + u + w, base + w};
  return {base, base + w, base + u + w, base + u};
}

/// On a face, the rim runs from where the walk around the face enters the inside to where it leaves it next.
void addFace(unsigned inside, const std::array<int, 4>& corners, Rim& next) {
  const auto isIn = [&](std::size_t i) { return (inside >> corners[i % 4] & 1u) != 0; };
  for (std::size_t i = 0; i < 4; ++i) {
    if (isIn(i) || !isIn(i + 1)) continue;
    std::size_t leave = i + 1;
    while (isIn(leave + 1)) ++leave;
    next[static_cast<std::size_t>(edgeBetween(corners[i], corners[(i + 1) % 4]))] =
        edgeBetween(corners[leave % 4], corners[(leave + 1) % 4]);
  }
}

CubeCase derive(unsigned inside) {
  Rim next;
  next.fill(-1);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) addFace(inside, faceCorners(axis, side), next);
  CubeCase made;
  const auto follow = [&next](int edge) { return std::exchange(next[static_cast<std::size_t>(edge)], -1); };
  for (int first = 0; first < kEdges; ++first) {
    if (next[static_cast<std::size_t>(first)] < 0) continue;
    int before = follow(first);
    for (int at = follow(before); at != first; at = follow(at)) {  // a fan around the first edge
      SIM_REQUIRE(made.triangles < 6, inside);
      const auto slot = static_cast<std::size_t>(3 * made.triangles++);
      made.edges[slot] = static_cast<std::uint8_t>(first);
      made.edges[slot + 1] = static_cast<std::uint8_t>(before);
      made.edges[slot + 2] = static_cast<std::uint8_t>(at);
      before = at;
    }
  }
  return made;
}

}  // namespace

const CubeCase& cubeCase(unsigned inside) {
  static const std::array<CubeCase, 256> cases = [] {
    std::array<CubeCase, 256> all;
    for (unsigned i = 0; i < 256; ++i) all[i] = derive(i);
    return all;
  }();
  return cases[inside];
}

}  // namespace slipstick::render

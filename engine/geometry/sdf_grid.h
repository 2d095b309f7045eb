// Signed distance of a closed triangle mesh on a narrow-band grid, built once at load.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/geometry/shape.h"
#include "engine/model/result.h"

namespace slipstick {

/// Distances at the nodes of a regular grid over the mesh's bounding box plus a margin: exact point–triangle distance
/// within the band, a safe bound beyond it; trilinear between nodes. Negative inside (generalized winding number).
class SdfGrid {
 public:
  Vec3 origin = Vec3::Zero();        ///< node (0,0,0), geometry frame [m]
  double spacing = 0;                ///< [m]
  std::array<int, 3> size = {0, 0, 0};  ///< nodes per axis
  std::vector<float> distance;       ///< z fastest [m]

  struct Sample {
    double distance;  ///< [m]
    Vec3 normal;      ///< gradient direction, unit
  };
  /// Trilinear value and normal; outside the grid the distance to the box plus the value at the nearest node.
  Sample at(const Vec3& p_G) const;

  /// @param spacing  0 = longest box edge / 64
  static Result<std::shared_ptr<const SdfGrid>> build(const TriangleMesh& mesh, double spacing = 0);
};

}  // namespace slipstick

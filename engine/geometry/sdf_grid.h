// Signed distance of a closed triangle mesh on a narrow-band grid, built once at load.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"

namespace slipstick {

/// Distances at the nodes of a regular grid over the mesh's bounding box plus a margin of three cells: the
/// exact distance to the nearest triangle at every node, trilinear between them. Negative where the winding
/// number of the mesh is not zero, so that overlapping closed parts make one solid and the orientation of the
/// triangles does not matter. Details thinner than the spacing are lost.
class SdfGrid {
 public:
  static constexpr std::size_t kMaxNodes = std::size_t{4} << 20;

  Vec3 origin = Vec3::Zero();           ///< node (0,0,0), geometry frame [m]
  double spacing = 0;                   ///< [m]
  std::array<int, 3> size = {0, 0, 0};  ///< nodes per axis
  std::vector<float> distance;          ///< z fastest [m]

  struct Sample {
    double distance;  ///< [m]
    Vec3 normal;      ///< gradient direction, unit
  };
  /// Trilinear value and normal; outside the grid the distance to the box plus the value at the nearest node.
  Sample at(const Vec3& p_G) const;

  /// Memory is 4 bytes per node, at most kMaxNodes; time some microseconds per node and core, on all cores.
  /// @param spacing  0 = longest box edge / 64
  /// Errors (InvalidValue): no triangles, an index out of range, a vertex that is not finite, a surface that
  /// is not closed or encloses no volume, a spacing that is negative or needs too many nodes. Cancelled.
  /// @param progress  asked whether to go on; null: nobody
  static Result<std::shared_ptr<const SdfGrid>> build(const TriangleMesh& mesh, double spacing = 0,
                                                      const LoadProgress* progress = nullptr);
};

}  // namespace slipstick

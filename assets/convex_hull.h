// Convex hulls of points, by Qhull.
#pragma once

#include <memory>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"

namespace slipstick::assets {

/// The surface of the smallest convex body around the points: closed, its triangles face outwards, its vertices are some
/// of the points. Error (InvalidValue): fewer than four points, or all in one plane.
Result<std::shared_ptr<const TriangleMesh>> convexHull(const std::vector<Vec3>& points);

}  // namespace slipstick::assets

// Particles that fill a shape.
#pragma once

#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/geometry/geometry_shape.h"
#include "engine/geometry/shape.h"
#include "engine/model/scene.h"

namespace slipstick {

struct SampledShape {
  std::vector<Vec3> points;      ///< in the shape's frame [m]
  double volumePerParticle = 0;  ///< so that the volumes sum to the shape's [m³]
};

/// Signed distance of a point in the geometry's frame, negative inside [m].
double signedDistance(const GeometryShape<double>& shape, const Vec3& p_G);

/// Lattice: cells of equal size whose centres lie inside the shape. Poisson: a blue-noise cloud (Bridson
/// 2007) with the wanted mean density, the same for the same seed. Errors: no volume (plane), an open mesh,
/// no particle, too many; Cancelled.
/// @param h  grid spacing, turns particles per cell into a density [m]
/// @param progress  asked whether to go on; null: nobody
Result<SampledShape> sampleShape(const Shape& shape, const SamplingSpec& spec, double h,
                                 const LoadProgress* progress = nullptr);

}  // namespace slipstick

// Volume, centre of mass and inertia of homogeneous shapes.
#pragma once

#include <vector>

#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"
#include "engine/model/scene.h"

namespace slipstick {

/// Of a solid of density 1 kg/m³; multiply by the density for masses and inertias.
struct MassProperties {
  double volume = 0;        ///< [m³]
  Vec3 com = Vec3::Zero();  ///< [m]
  /// About the centre of mass, axes of the frame that com is given in [m⁵].
  Mat3 inertiaPerDensity = Mat3::Zero();
};

/// Of one shape in its own frame. Meshes by the divergence theorem: closed, outward facing. An error for a
/// plane, which has no volume, and for a mesh whose volume is not positive.
Result<MassProperties> massProperties(const Shape& shape);

/// Of several shapes placed in one link; overlaps count twice.
Result<MassProperties> massProperties(const std::vector<LinkGeometry>& elements);

}  // namespace slipstick

// Round shapes as polytopes that contain them.
#pragma once

#include "engine/geometry/polytope.h"

namespace slipstick {

/// 32 sides around z, narrow ones (0.02 rad) about +x, wider ones (0.25 rad) elsewhere: turned about z so
/// that +x points at what it touches, the polytope rolls as the cylinder does.
Polytope cylinderPolytope(double radius, double halfLength);
/// @param halfLength  of the straight part
Polytope capsulePolytope(double radius, double halfLength);
Polytope ellipsoidPolytope(const Vec3& radii);

}  // namespace slipstick

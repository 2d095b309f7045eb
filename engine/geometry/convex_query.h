// Distances and extreme points of convex contact shapes.
#pragma once

#include "engine/geometry/contact_shape_data.h"

namespace slipstick {

/// Distance to a convex shape and its gradient, in the shape's frame.
struct ConvexDistance {
  double phi = 0;               ///< negative inside [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit, outward
};
/// Exact; of a mesh, exact for its polytope.
ConvexDistance convexDistance(const ContactGeometry& shape, const Vec3& p_G);

/// The farthest point in a direction, in the shape's frame. Not for half-spaces and surfaces.
Vec3 supportPoint(const ContactGeometry& shape, const Vec3& direction_G);

/// The part of a segment within a distance of a convex shape.
struct NearInterval {
  double begin = 0, end = 0;  ///< along the segment: middle + s · axis [m]
  double nearest = 0;         ///< where the distance is least
};
/// @param halfLength  of the segment around `middle` along the unit vector `axis`, all in the shape's frame
/// [m] False when all of the segment is farther than `reach`.
bool nearInterval(const ContactGeometry& shape, const Vec3& middle, const Vec3& axis, double halfLength,
                  double reach, NearInterval& interval);
/// Where the distance to a convex shape is least along a segment.
double nearestAlong(const ContactGeometry& shape, const Vec3& middle, const Vec3& axis, double halfLength);

}  // namespace slipstick

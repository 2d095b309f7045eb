// What contact keeps of a shape.
#pragma once

#include "engine/geometry/contact_shape.h"
#include "engine/geometry/geometry_shape.h"
#include "engine/geometry/polytope.h"

namespace slipstick {

/// How a shape takes part in contact.
enum class ContactKind {
  Plane,
  Sphere,
  Polytope,  ///< boxes, convex meshes
};

struct ContactShape::Data {
  SurfaceProperties properties;
  ContactKind kind = ContactKind::Plane;
  GeometryShape<double> analytic;  ///< type, radius, half length, half extents; no grid
  Polytope polytope;               ///< ContactKind::Polytope
  Vec3 centre = Vec3::Zero();      ///< of the bounding box, geometry frame [m]
  Vec3 halfExtents = Vec3::Zero();
};

}  // namespace slipstick

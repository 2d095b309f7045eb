// What contact keeps of a shape.
#pragma once

#include <memory>
#include <vector>

#include "engine/geometry/contact_shape.h"
#include "engine/geometry/geometry_shape.h"
#include "engine/geometry/polytope.h"
#include "engine/geometry/triangle_surface.h"

namespace slipstick {

/// How a shape takes part in contact. Of a pair, the first kind of this list decides what is done.
enum class ContactKind {
  Plane,
  Sphere,
  Capsule,
  Ellipsoid,
  Cylinder,
  Polytope,  ///< boxes, convex meshes
  Surface,   ///< other meshes
};

struct ContactGeometry {
  SurfaceProperties properties;
  ContactKind kind = ContactKind::Plane;
  GeometryShape<double> analytic;  ///< type, radius, half length, half extents; no grid
  Polytope polytope;  ///< of every bounded convex kind but spheres; round ones: see tessellation.h
  std::unique_ptr<const TriangleSurface> surface;  ///< ContactKind::Surface
  Vec3 centre = Vec3::Zero();                      ///< of the bounding box, geometry frame [m]
  Vec3 halfExtents = Vec3::Zero();
};
/// In W; infinite where the shape is.
Aabb boundsOf(const ContactGeometry& geometry, const Pose& X_WG);

struct ContactShape::Data {
  SurfaceProperties properties;  ///< that were asked for; a surface's own may differ
  std::vector<ContactGeometry>
      pieces;  ///< one, or the convex parts of a mesh: each meets what it meets by itself
};

}  // namespace slipstick

// Shapes as plain data that a kernel can take: no ownership, no virtual calls, the same layout for every
// compiler flag.
#pragma once

namespace slipstick {

enum class ShapeType : int { Plane, Sphere, Box, Capsule, Cylinder, Ellipsoid, Mesh };

/// A view of an SdfGrid's nodes (engine/geometry/sdf_grid.h); valid as long as the grid lives.
template <class Scalar>
struct SdfGridView {
  const float* distance = nullptr;  ///< z fastest [m]
  int size[3] = {0, 0, 0};          ///< nodes per axis, ≥ 2
  Scalar origin[3] = {0, 0, 0};     ///< node (0,0,0) in the geometry's frame [m]
  Scalar spacing = 1;               ///< [m]
};

/// One shape in its geometry frame. Scalar is double or float, uniform over the lanes of a Pack.
template <class Scalar>
struct GeometryShape {
  ShapeType type = ShapeType::Plane;
  Scalar halfExtents[3] = {0, 0, 0};  ///< box; radii of an ellipsoid [m]
  Scalar radius = 0;                  ///< sphere, capsule, cylinder [m]
  Scalar halfLength = 0;              ///< half of the straight part along z: capsule, cylinder [m]
  SdfGridView<Scalar> grid;           ///< mesh
};

}  // namespace slipstick

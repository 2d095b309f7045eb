// From the shapes that people author to the plain data that kernels take.
#pragma once

#include "engine/geometry/geometry_shape.h"
#include "engine/geometry/sdf_grid.h"
#include "engine/geometry/shape.h"

namespace slipstick {

/// The grid's nodes as a kernel reads them; valid as long as the grid lives. Instantiated for float and
/// double.
template <class Scalar>
SdfGridView<Scalar> viewOf(const SdfGrid& grid);

/// @param grid  the mesh's distances; required for shape::Mesh, unused otherwise. Must outlive the result.
/// Instantiated for float and double.
template <class Scalar>
GeometryShape<Scalar> lowerShape(const Shape& shape, const SdfGrid* grid = nullptr);

}  // namespace slipstick

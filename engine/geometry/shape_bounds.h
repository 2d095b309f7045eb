// Boxes around shapes.
#pragma once

#include "engine/geometry/shape.h"

namespace slipstick {

/// Bounds of a shape in its own frame [m], of a mesh those of a thousand of its vertices; empty for planes.
Eigen::AlignedBox3d roughBounds(const Shape& shape);

/// Bounds of that box in another frame A [m]; empty for planes. @param X_AS  of the shape's frame
Eigen::AlignedBox3d roughBounds(const Shape& shape, const Pose& X_AS);

}  // namespace slipstick

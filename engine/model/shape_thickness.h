// How thin a shape is.
#pragma once

#include <optional>

#include "engine/geometry/shape.h"

namespace slipstick {

/// Thickness of the shape's thinnest part [m]. Of a mesh: what a straight line that enters across a face has
/// to go to leave it again, so thin that a tenth of the surface is thinner (edges and corners are always
/// thin). Nothing for a half-space and for a mesh that encloses nothing.
std::optional<double> thinnestPart(const Shape& shape);

}  // namespace slipstick

// What a boundary leaves to the grid nodes inside it.
#pragma once

namespace slipstick {

enum class BoundaryKind {
  Sticky,    ///< what is inside moves with the boundary
  Slip,      ///< no velocity through the surface, either way
  Separate,  ///< no velocity into the surface
};

}  // namespace slipstick

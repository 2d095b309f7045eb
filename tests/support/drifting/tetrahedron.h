// What the method makes of a deformable: a tetrahedron within the box around its shape.
#pragma once

#include <memory>

#include "engine/model/discretization.h"

namespace slipstick::drifting {

/// Nodes of each deformable, all of them on its surface.
inline constexpr int kCorners = 4;

struct Tetrahedron final : Discretization {
  double size = 0;     ///< cube root of its volume at rest [m]
  double modulus = 0;  ///< E of its material [Pa]

  /// Of the spring that keeps others away [N/m].
  double stiffness() const { return modulus * size; }
  std::shared_ptr<const Discretization> with(const MaterialParameters& material) const override;
};

/// Errors: Unsupported: the shape is neither a box nor a mesh, or is a cloth's.
Result<DeformableNodes> asTetrahedron(Compilation& c, const DeformableSpec& spec,
                                      const MaterialParameters& material);

}  // namespace slipstick::drifting

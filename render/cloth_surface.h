// A cloth's two sides, its rim and its edges. Part of buildFrame().
#pragma once

#include <span>

#include "engine/model/cloth.h"
#include "render/frame.h"

namespace slipstick::render {

/// The middle surface with smooth normals, one vertex per vertex of the cloth, white. @param x  of the
/// cloth's vertices [m]
SoftMesh clothSurface(const ClothMesh& cloth, std::span<const Eigen::Vector3f> x);

/// Darkens the inside of folds and lightens their outside, by the mean curvature of the middle surface.
void shadeFolds(const ClothMesh& cloth, SoftMesh& mesh);

/// How the two sides of a cloth are drawn.
struct ClothSides {
  float thickness = 0;                                 ///< from front to back [m]
  Eigen::Vector3f backTint = Eigen::Vector3f::Ones();  ///< times the front's colour
};
/// Makes of the middle surface a front and a back, the same number of vertices after it, and closes its open
/// edges by bands in the colours of the vertices there.
void thickenCloth(const ClothMesh& cloth, const ClothSides& sides, SoftMesh& mesh);

/// Both ends of every edge of the cloth, each edge once.
std::vector<std::uint32_t> clothEdges(const ClothMesh& cloth);

}  // namespace slipstick::render

// A cloth's triangles, its rim and its edges. Part of buildFrame().
#pragma once

#include <span>

#include "engine/model/cloth.h"
#include "render/frame.h"

namespace slipstick::render {

/// The middle surface with smooth normals, one vertex per vertex of the cloth, white. @param x  of the
/// cloth's vertices [m]
SoftMesh clothSurface(const ClothMesh& cloth, std::span<const Eigen::Vector3f> x);

/// Closes the open edges by a band as high as the cloth is thick [m], in the colours of the vertices there.
void addClothRim(const ClothMesh& cloth, float thickness, SoftMesh& mesh);

/// Both ends of every edge of the cloth, each edge once.
std::vector<std::uint32_t> clothEdges(const ClothMesh& cloth);

}  // namespace slipstick::render

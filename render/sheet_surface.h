// Triangles that a deformable has of its own; of a sheet, such as a cloth, its two sides and its rim. Part of buildFrame().
#pragma once

#include <span>

#include "engine/model/soft_surface.h"
#include "render/frame.h"

namespace slipstick::render {

/// The middle surface with smooth normals, one vertex per vertex of the sheet, white; the same of a surface that closes.
/// @param x  of its vertices [m]
SoftMesh sheetSurface(const SoftSurface& sheet, std::span<const Eigen::Vector3f> x);

/// Darkens the inside of folds and lightens their outside, by the mean curvature of the middle surface.
void shadeFolds(const SoftSurface& sheet, SoftMesh& mesh);

/// How the two sides of a sheet are drawn.
struct SheetSides {
  float thickness = 0;                                 ///< from front to back [m]
  Eigen::Vector3f backTint = Eigen::Vector3f::Ones();  ///< times the front's colour
};
/// Makes of the middle surface a front and a back, the same number of vertices after it, and closes its open
/// edges by bands in the colours of the vertices there.
void thickenSheet(const SoftSurface& sheet, const SheetSides& sides, SoftMesh& mesh);

/// Both ends of every edge, each edge once.
std::vector<std::uint32_t> sheetEdges(const SoftSurface& sheet);

}  // namespace slipstick::render

// A mesh that is not convex as a few convex bodies, cut out of it by planes.
//
// The body is cut in two again and again, each time where the hulls of the two halves enclose least that the body does not
// fill; the hulls of the last pieces are the parts. So the parts cover the mesh, each lies in its own cell between the
// planes, and no two overlap. HACD, which joins triangles of the surface, was tried first: on the meshes of robots it leaves
// parts without volume, gaps inside and more parts than asked for, and takes half a minute for ten thousand triangles.
#pragma once

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"

namespace slipstick::assets {

struct ConvexSplit {
  ConvexParts parts;       ///< closed, facing outwards, each with kMaxPartVertices at most
  double volume = 0;       ///< that the mesh encloses; 0: it is not closed [m³]
  double partsVolume = 0;  ///< of all parts, which do not overlap [m³]
  double outside = 0;      ///< how far the parts reach beyond the mesh, as far as it was looked at [m]
};

/// More than these make contact slow and the fit no better.
inline constexpr std::size_t kMaxPartVertices = 120;

/// At most `most` parts; fewer where the mesh needs no more. The same mesh gives the same parts. Holes in the surface are
/// taken as they are: a sheet becomes parts around the sheet. Takes about a second; a large mesh is cut where a coarser one
/// of 32 cells on its longest side needs it.
/// Errors (InvalidValue): those of checkMesh(); a mesh of which no part has a volume, such as a flat sheet; more triangles
/// than limits.h allows; a size whose volume is no number. Cancelled.
/// @param most  ≥ 1
Result<ConvexSplit> splitIntoConvexParts(const TriangleMesh& mesh, int most,
                                         const LoadProgress* progress = nullptr);

}  // namespace slipstick::assets

// Meshes for contact: checked, and as polytopes where they are convex.
#pragma once

#include <optional>

#include "engine/foundation/result.h"
#include "engine/geometry/polytope.h"
#include "engine/geometry/shape.h"

namespace slipstick {

/// Errors (InvalidValue): no triangles, an index out of range, a vertex that is not finite, no triangle with
/// an area.
Result<void> checkContactMesh(const TriangleMesh& mesh);

/// The mesh as a polytope, if it is closed and convex; coplanar triangles become one face. A finely
/// tessellated one is replaced by the polytope around it with kMaxFaces faces at most: the largest of its
/// own, and others in directions all around.
std::optional<Polytope> convexPolytope(const TriangleMesh& mesh);

}  // namespace slipstick

// Convex meshes as polytopes.
#pragma once

#include <optional>

#include "engine/geometry/polytope.h"
#include "engine/geometry/shape.h"

namespace slipstick {

/// The checked mesh as a polytope, if it is closed and convex; coplanar triangles become one face. A finely
/// tessellated one is replaced by the polytope around it with kMaxFaces faces at most: the largest of its
/// own, and others in directions all around.
std::optional<Polytope> convexPolytope(const TriangleMesh& mesh);

}  // namespace slipstick

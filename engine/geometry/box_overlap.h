// Where two boxes overlap, and which of their faces can carry a part of the patch there.
#pragma once

#include "engine/foundation/math.h"

namespace slipstick {

/// Faces of a box are numbered as in Polytope::box(): +x −x +y −y +z −z; a set of them has a bit for each.
struct BoxOverlap {
  double depth = 0;  ///< the least by which a box passes a face of the other [m]; 0: the boxes are apart
  unsigned facesA = 0, facesB = 0;  ///< those that may be their box's nearest face somewhere in the overlap

  /// Separating axes: the face normals of both and the nine cross products of their edges (Gottschalk et al.
  /// 1996).
  /// @param halfA, halfB  half extents [m]; both boxes are centred in their frames
  static BoxOverlap of(const Vec3& halfA, const Vec3& halfB, const Pose& X_AB);
};

}  // namespace slipstick

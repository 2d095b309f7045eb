// Contact of one pair of shapes.
#pragma once

#include "engine/geometry/contact_shape.h"
#include "engine/geometry/manifold.h"
#include "engine/geometry/patch.h"
#include "engine/geometry/rigid_contact_set.h"

namespace slipstick {

/// Chooses how two shapes meet, and finds where. Its buffers keep their capacity.
class NarrowPhase {
 public:
  /// Appends the points and polygons of one pair; nothing when the shapes are apart.
  void find(const ContactShape& a, const Pose& X_WA, const ContactShape& b, const Pose& X_WB,
            RigidContactSet& contacts);

 private:
  using Data = ContactShape::Data;
  struct Side {
    const Data* data;
    Pose X_WG;
  };
  void patch(const Side& a, const Side& b, RigidContactSet& contacts);
  void sphere(const Side& sphere, const Side& other, bool sphereIsA, RigidContactSet& contacts);

  void points(const Side& a, const Side& b, RigidContactSet& contacts);
  void pointsOnPlane(const Side& plane, const Side& other, bool planeIsA, RigidContactSet& contacts);

  PatchFinder patches_;
  Manifold manifold_;
};

}  // namespace slipstick

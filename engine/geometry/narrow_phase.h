// Contact of one pair of shapes.
#pragma once

#include "engine/geometry/contact_shape_data.h"
#include "engine/geometry/manifold.h"
#include "engine/geometry/near_places.h"
#include "engine/geometry/patch.h"
#include "engine/geometry/rigid_contact_set.h"

namespace slipstick {

/// Chooses how two shapes meet, and finds where. Its buffers keep their capacity.
///
/// Patches: boxes, convex meshes and cylinders among each other and with triangles, boxes and convex meshes
/// with half-spaces, if one of the two has a field and none is a Point shape. Everything else meets in points,
/// and so do these where one is pressed in so far that its field has no patch with a rigid one.
class NarrowPhase {
 public:
  /// Whether a pair meets by distance grids: both are triangles that are not convex.
  static bool needsGrids(const ContactShape& a, const ContactShape& b);
  /// Makes them, before find() may be asked for such a pair: at load, for it takes long.
  static void makeGrids(const ContactShape& a, const ContactShape& b);

  /// Appends the points and polygons of one pair; nothing when the shapes are apart. Of shapes of several pieces each
  /// meets each.
  void find(const ContactShape& a, const Pose& X_WA, const ContactShape& b, const Pose& X_WB,
            RigidContactSet& contacts);
  /// Appends the places of one pair whose gap is below `margin` [m], see NearPlaces: in points whatever the representations are.
  void findNear(const ContactShape& a, const Pose& X_WA, const ContactShape& b, const Pose& X_WB,
                double margin, RigidContactSet& contacts);

 private:
  struct Side {
    const ContactGeometry* data;
    Pose X_WG;
  };

  void meet(Side a, Side b, RigidContactSet& contacts);
  void meetNear(Side a, Side b, double margin, RigidContactSet& contacts);
  // In all of these the normals point out of the first, into the second shape.
  void onPlane(const Side& plane, const Side& other, RigidContactSet& contacts);
  void capsuleOnPlane(const Side& plane, const Side& capsule, const PointLaw& law,
                      RigidContactSet& contacts) const;
  void ellipsoidOnPlane(const Side& plane, const Side& ellipsoid, const PointLaw& law,
                        RigidContactSet& contacts) const;
  void cylinderOnPlane(const Side& plane, const Side& cylinder, const PointLaw& law,
                       RigidContactSet& contacts) const;
  void verticesOnPlane(const Side& plane, const Side& other, const PointLaw& law, RigidContactSet& contacts);
  void sphereOnConvex(const Side& sphere, const Side& other, const PointLaw& law,
                      RigidContactSet& contacts) const;
  void sphereOnSurface(const Side& sphere, const Side& surface, const PointLaw& law,
                       RigidContactSet& contacts);
  void capsuleOnConvex(const Side& capsule, const Side& other, const PointLaw& law,
                       RigidContactSet& contacts) const;
  void ellipsoids(const Side& a, const Side& b, const PointLaw& law, RigidContactSet& contacts) const;
  void ellipsoidOnPolytope(const Side& ellipsoid, const Side& other, const PointLaw& law,
                           RigidContactSet& contacts) const;
  bool patch(const Side& a, const Side& b, RigidContactSet& contacts);
  void polytopes(Side a, Side b, RigidContactSet& contacts);
  void polytopeOnSurface(const Side& polytope, const Side& surface, RigidContactSet& contacts);
  void surfaces(const Side& a, const Side& b, const PointLaw& law, RigidContactSet& contacts);

  PatchFinder patches_;
  Manifold manifold_;
  NearPlaces near_;
  std::vector<RigidContactPoint> places_;
  struct Nearest {
    Vec3 point;
    const Facet* facet;
  };
  std::vector<Nearest> nearest_;
};

}  // namespace slipstick

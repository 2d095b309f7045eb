// Places where two shapes touch or come near, with signed gaps and features that last.
#pragma once

#include <vector>

#include "engine/geometry/contact_shape_data.h"
#include "engine/geometry/polytope_gap.h"
#include "engine/geometry/rigid_contact_set.h"
#include "engine/geometry/round_gap.h"
#include "engine/geometry/surface_gap.h"

namespace slipstick {

/// Exact are, apart and overlapping: half-spaces with everything bounded (all corners of a polytope or a mesh, both ends of a
/// capsule, the lowest point and four others of each rim of a cylinder), spheres and capsules with everything convex (the nearest
/// point of a capsule's axis, and its ends; deep inside a box or cylinder the nearest face counts). Boxes and convex meshes among
/// each other: see PolytopeGap; ellipsoids and cylinders: RoundGap; meshes that are not convex: SurfaceGap. `a` is of a kind that
/// is not after that of `b`.
class NearPlaces {
 public:
  /// Appends the places of a pair with a gap below `margin` [m]; normals point out of A, into B.
  void find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
            double margin, std::vector<RigidContactPoint>& places);
  /// One more than the largest feature of a shape.
  static int featureCount(const ContactGeometry& shape);

 private:
  void onPlane(const ContactGeometry& other, const Pose& X_WO);
  void rimsOnPlane(const ContactGeometry& cylinder, const Pose& X_WC);
  void onSphere(const ContactGeometry& sphere, const Pose& X_WS, const ContactGeometry& other,
                const Pose& X_WO);
  void onCapsule(const ContactGeometry& capsule, const Pose& X_WC, const ContactGeometry& other,
                 const Pose& X_WO);
  double addOverPlane(const Vec3& p_W, int feature, double radius = 0);

  PolytopeGap polytopes_;
  RoundGap rounds_;
  SurfaceGap surfaces_;
  double margin_ = 0;
  const Pose* X_WPlane_ = nullptr;
  std::vector<RigidContactPoint>* places_ = nullptr;
};

}  // namespace slipstick

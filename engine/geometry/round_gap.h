// The signed gap between an ellipsoid or a cylinder and another of these or a polytope, with the places where it is small.
#pragma once

#include <vector>

#include "engine/geometry/contact_shape_data.h"
#include "engine/geometry/convex_gap.h"
#include "engine/geometry/convex_query.h"
#include "engine/geometry/rigid_contact_set.h"

namespace slipstick {

/// The nearest place, or the deepest one, is that of ConvexGap. An ellipsoid has it alone. Where a cap or a face lies before the
/// other shape there are as many as it takes to stand on it, with heights over its plane: four points of a rim that are fixed to
/// the cylinder, the lowest one, corners, the ends of what is cut off beside it, and where outlines cross. Where the side of a
/// cylinder alone is near, the ends of that line are places, with their distance from the other shape.
///
/// Overlapping, faces and caps decide unless another direction is clearly less deep, as in PolytopeGap. So that features last,
/// one of A also decides where it is up to a thousandth of the smaller body deeper than the best of B.
///
/// Features of an ellipsoid: 0. Of a cylinder: what stands in round_gap.cpp. Of a polytope: those of PolytopeGap.
class RoundGap {
 public:
  static constexpr int kFeatures = 20;  ///< of a cylinder

  /// Appends places with a gap below `margin` [m]; normals point out of A, into B. Allocates nothing once its buffers have grown.
  void find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
            double margin, std::vector<RigidContactPoint>& places);

 private:
  struct Solid {
    const ContactGeometry* geometry = nullptr;
    Pose X_WG;

    bool isRound() const { return geometry->kind == ContactKind::Cylinder; }
    Vec3 axis() const { return X_WG.R.col(2); }
    double radius() const { return geometry->analytic.radius; }
    Vec3 cap(int end) const { return X_WG.p + (end == 0 ? -1 : 1) * geometry->analytic.halfLength * axis(); }
    Vec3 rim(int end, int k) const { return cap(end) + (k < 2 ? radius() : -radius()) * X_WG.R.col(k % 2); }
    Vec3 support(const Vec3& direction_W) const;
    ConvexDistance distance(const Vec3& p_W) const;
  };
  /// A face of a polytope or a cap of a cylinder.
  struct Flat {
    const Solid* solid = nullptr;
    int index = -1;  ///< of the face, or the end
    Vec3 normal, point;
    double gap = 0;  ///< of the other shape over its plane [m]

    int corners() const;
    int corner(int k) const;  ///< into vertices
    Vec3 cornerAt(int k) const;
    int edge(int k) const;  ///< feature of the side from corner k to the next one
    int feature() const;
    double beside(const Vec3& p) const;
    bool cut(const Vec3& p, const Vec3& q, double& begin, double& end) const;
  };

  static int flatCount(const Solid& solid);
  static Flat flatOf(const Solid& solid, int index);
  static Flat bestFlat(const Solid& own, const Solid& other);
  static Flat opposedFlat(const Solid& solid, const Vec3& normal);
  double manifold(const Flat& flat, const Solid& other, bool isApart);
  bool rims(const Solid& cylinder);
  void line(const Solid& cylinder, const Vec3& down);
  void outlineOver(const Flat& incident);
  void outlineUnder(const Flat& incident, bool hasAllRim);
  template <class Add>
  void sidesOfFace(const Flat& face, const Flat& cap, Add add) const;
  void circles(const Flat& incident);
  void addOver(const Vec3& p, int feature, int referenceFeature);
  void addUnder(const Flat& incident, const Vec3& p, int feature, int incidentFeature);
  void addPlace(const Vec3& p, double gap, int referenceFeature, int otherFeature);
  bool isBefore(const Flat& flat, const Vec3& p) const;
  double lines(const Vec3& normal);
  int lineEnds(const Solid& own, const Solid& other, const Vec3& outOfOwn, double& least);
  int cornersAtLine(const Solid& own, const Solid& other, const Vec3& outOfOwn, double& least);
  bool addPoint(const Vec3& p, const Solid& own, const Solid& other, const Vec3& outOfOwn, int feature,
                int otherFeature, double& least);
  void addNearest(const ConvexGap::Result& nearest);

  ConvexGap gap_;
  Solid a_, b_;
  double size_ = 0;    ///< of the smaller one [m]
  double margin_ = 0;  ///< [m]
  Flat flat_;          ///< that the manifold lies on
  double lowest_ = 0;  ///< what is below that over its plane is behind it [m]
  double least_ = 0;   ///< gap of the manifold's places [m]
  std::vector<RigidContactPoint>* places_ = nullptr;
};

}  // namespace slipstick

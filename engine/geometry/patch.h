// The surface where the pressures of two convex bodies balance, as polygons and as contact points.
#pragma once

#include <limits>
#include <vector>

#include "engine/geometry/polytope.h"
#include "engine/geometry/rigid_contact_set.h"
#include "engine/geometry/triangle_surface.h"

namespace slipstick {

/// One of the two bodies of a patch. Its pressure is slope · depth; a rigid body's is not defined, and the
/// surface is then its boundary.
struct PatchBody {
  static constexpr double kRigid = std::numeric_limits<double>::infinity();

  const Polytope* polytope = nullptr;
  const Pose* X_WG = nullptr;
  double slope = kRigid;   ///< E / L [Pa/m]
  double dissipation = 0;  ///< [s/m]

  bool rigid() const { return slope == kRigid; }
};

/// What all points of a patch have in common.
struct PatchLaw {
  double dissipation = 0;  ///< [s/m]
  /// Pressure by the depth that both bodies are pressed in together, straight below their faces [Pa/m]. Along the normal
  /// of a polygon that lies across it the pressure rises less, and what is as deep there is deeper than the bodies overlap.
  double slope = 0;
};

/// Finds the patch of two bodies (Masterjohn et al. 2022, with pressure fields that are the minimum of the
/// depths below the faces). Where face i of A and face j of B are nearest, both pressures are affine and
/// balance in a plane; the patch is the part of that plane within both cells.
class PatchFinder {
 public:
  /// A part of the patch in one pair of cells, with coordinates in its plane.
  struct Polygon {
    PlaneFrame plane_W;  ///< normal out of A, into B
    PolygonMoments moments;
    double p0 = 0, pu = 0, pv = 0;        ///< pressure p0 + x pu + y pv [Pa]
    double gradientA = 0, gradientB = 0;  ///< fall of A's and rise of B's pressure along the normal [Pa/m]
    double weight = 1;                    ///< fades slivers out
    int begin = 0, end = 0;               ///< into corners()
    int face = 0;                         ///< of the body that has a field: its cell

    double pressure(double x, double y) const { return p0 + x * pu + y * pv; }
    double force() const { return moments.area * pressure(moments.x, moments.y); }
  };

  /// At least one of the bodies is bounded, at least one is not rigid.
  const std::vector<Polygon>& find(const PatchBody& a, const PatchBody& b);
  /// The patch of a body that is not rigid, A, with the rigid surface B.
  const std::vector<Polygon>& findFacets(const PatchBody& a, const TriangleSurface& b, const Pose& X_WB);
  const ClipPolygon::Point* corners() const { return corners_.data(); }

  /// Appends the patch that find() found: four points per polygon that have its area, centroid and second
  /// moments, so that force and moment of the pressure are exact; fewer where it is narrow.
  void append(const PatchBody& a, const PatchBody& b, RigidContactSet& contacts);

 private:
  /// The face of a body that the other one passes least deep.
  struct Slab {
    int face = -1;
    double depth = std::numeric_limits<double>::infinity();
  };
  static Slab leastDepth(const Polytope& own, const Polytope& other, const Pose& X_OwnOther);
  static void selectOpposed(const Polytope& box, const Vec3& normal, std::vector<int>& selected);
  bool selectFaces();
  bool selectBoxFaces();
  void selectNear(const Polytope& own, const Slab& ownSlab, const HalfSpace* otherFace, double depth,
                  std::vector<int>& selected);
  void cut(int i, int j);
  bool mayMatter(double cosine) const;
  bool placePlane(int i, int j, Polygon& polygon, PlaneFrame& plane_A) const;
  bool clip(int i, int j, const PlaneFrame& plane_A, const PlaneFrame& plane_B);
  void fadeSlivers();
  void cutFacet(const Facet& facet_A);
  void cutFacetByCells(const PlaneFrame& plane_A);
  void keep(int face, const PlaneFrame& plane_A, Polygon& polygon);
  const std::vector<Polygon>& mergeCoplanar();
  void appendGroups(const std::vector<Polygon>& polygons, const PatchLaw& law, RigidContactSet& contacts);

  const PatchBody *a_ = nullptr, *b_ = nullptr;
  Pose X_AB_, X_BA_;
  double slabDepth_ = 0;               // no point of the overlap is deeper in either body
  double mainForce_ = 0, widest_ = 0;  // [N]; see mayMatter
  std::vector<int> facesA_, facesB_;
  std::vector<double> heights_, ownDepths_;
  std::vector<Polygon> polygons_;
  std::vector<Polygon> merged_;  // coplanar ones of a cell are one for the quadrature
  std::vector<ClipPolygon::Point> corners_, facet_;
  std::vector<double> least_;
  std::vector<Vec3> normalsB_;  // of facesB_, in A
  struct Group {
    const Polygon* first;
    Vec3 seed;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    double sum = 0, stiffness = 0, pressure = 0;
  };
  std::vector<Group> groups_;
  ClipPolygon clip_;
};

}  // namespace slipstick

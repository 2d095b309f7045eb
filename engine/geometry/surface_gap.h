// Signed gaps between a mesh that is not convex and other bounded shapes.
#pragma once

#include <vector>

#include "engine/geometry/contact_shape_data.h"
#include "engine/geometry/rigid_contact_set.h"

namespace slipstick {

/// With a convex shape: of the mesh, corners and edges that stand out, with their distance from the shape (of an edge where it is
/// nearest, if that is nearer than its ends); of the shape, what is foremost towards a facet and straight before it (all corners of
/// a polytope, both ends of a capsule, four points and the lowest one of each rim of a cylinder), with its height over that. Apart,
/// the nearest of these is exact (a convex shape is nearest to a triangle at its inside, an edge or a corner: Ericson 2005,
/// "Real-Time Collision Detection", 5.1). Behind a facet lies what no other facet is nearer to.
///
/// Two meshes that are not convex: corners of each that stand out and are straight before a facet of the other. It misses edges that
/// cross edges, and corners that are beside all facets.
///
/// Missed by both: what has passed through a surface that is not closed, or is so deep that the nearest way out is through
/// another side. Facets face outwards, counter-clockwise. Features of a mesh: see SurfaceFeatures.
class SurfaceGap {
 public:
  /// Appends places with a gap below `margin` [m]; normals point out of A, into B, the mesh. Not of half-spaces. Allocates nothing.
  void find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
            double margin, std::vector<RigidContactPoint>& places);

 private:
  /// A mesh and the shape that meets it; what is computed is in the mesh's frame.
  struct Meeting {
    const ContactGeometry* shape = nullptr;
    const TriangleSurface* surface = nullptr;
    Pose X_WS;  ///< of the surface
    Pose X_SG;  ///< of the shape
    Pose X_GS;  ///< its inverse
    bool surfaceIsB = true;
  };

  void cornerOnShape(const Meeting& meeting, int vertex);
  void edgeOnShape(const Meeting& meeting, std::size_t edge);
  void meetFacet(const Meeting& meeting, const Facet& facet);
  template <class Visit>
  void searchNear(const Meeting& meeting, Visit visit) const;
  void shapeOnFacet(const Meeting& meeting, const Facet& facet);
  void rimsOnFacet(const Meeting& meeting, const Facet& facet);
  void shapeThroughFacets(const Meeting& meeting);
  void cornersOnFacets(const Meeting& meeting);
  void cornerOnFacets(const Meeting& meeting, const Vec3& p_G, int vertex);
  void addOnShape(const Meeting& meeting, const Vec3& p_G, double phi, const Vec3& normal_G, int feature);
  void addOnFacet(const Meeting& meeting, const Facet& facet, const Vec3& p, int feature);
  void addBehindFacet(const Meeting& meeting, const Facet& facet, const Vec3& p, int feature);
  static int planeOf(const Meeting& meeting, const Facet& facet);
  bool isThere(const Meeting& meeting, const Facet& facet, int feature) const;
  void add(const Meeting& meeting, const Vec3& p, const Vec3& outOfShape, double gap, int shapeFeature,
           int surfaceFeature);

  double margin_ = 0;      ///< [m]
  std::size_t first_ = 0;  ///< of the pair's places
  std::vector<RigidContactPoint>* places_ = nullptr;
};

}  // namespace slipstick

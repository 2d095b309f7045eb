// The signed gap between two convex polytopes, with the places where it is small.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/geometry/contact_shape_data.h"
#include "engine/geometry/rigid_contact_set.h"

namespace slipstick {

/// Apart, the nearest place is exact: its gap is the distance of the two. Where a face of one faces the other, the corners of
/// the part that both share are places, too, with their distance from that face's plane; a corner beside the face by less than a
/// thousandth of the smaller body counts as before it. Overlapping, the gap is the least depth below a face, or between two
/// edges that cross where these are clearly less deep (Gottschalk et al. 1996, separating axes; Gregorius 2013, edges by the
/// arcs between the normals beside them). Edges that cannot count are passed over; the others are looked at pair by pair.
///
/// Features number the corners of a polytope, then its edges, then its faces.
class PolytopeGap {
 public:
  /// Appends places with a gap below `margin` [m]; normals point out of A, into B. Of A and B: boxes and convex meshes.
  /// Allocates nothing once its buffers have grown.
  void find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
            double margin, std::vector<RigidContactPoint>& places);

  /// How many features a polytope has.
  static int featureCount(const Polytope& polytope) {
    return static_cast<int>(polytope.vertices.size() + polytope.edges.size() + polytope.faces.size());
  }
  /// How many pairs of edges the last search looked at.
  long edgePairs() const { return edgePairs_; }

 private:
  /// One of the two, in the frame of A.
  struct Hull {
    const ContactGeometry* geometry = nullptr;
    Pose X_AG;
    std::vector<Vec3> vertices;
    std::vector<HalfSpace> planes;  ///< of the faces
    std::vector<int> nearest;       ///< corners of the other one, per face: the nearest to its plane
    std::vector<double> behind;     ///< per corner, along the axis towards the other one [m]
    double reach = 0;               ///< of the foremost corner [m]

    void measure(const Vec3& axis);
    double behindEdge(std::size_t edge) const {
      const Polytope::Edge& e = polytope().edges[edge];
      return std::min(behind[static_cast<std::size_t>(e.from)], behind[static_cast<std::size_t>(e.to)]);
    }
    const Polytope& polytope() const { return geometry->polytope; }
    int ofEdge(std::size_t edge) const { return static_cast<int>(vertices.size() + edge); }
    int ofFace(int face) const { return static_cast<int>(vertices.size() + polytope().edges.size()) + face; }
  };
  /// The face whose plane keeps the other one farthest off.
  struct FaceAxis {
    int face = -1;
    int vertex = -1;  ///< of the other one, the nearest to the plane
    double gap = 0;
  };
  struct EdgeAxis {
    std::size_t a = 0, b = 0;
    Vec3 normal = Vec3::UnitZ();
    double gap = 0;
    bool isFound = false;
  };
  struct Nearest {
    Vec3 onA, onB;
    double distance = 0;
    int featureA = -1, featureB = -1;
  };
  /// Of the polygon that is cut out of a face: where it is, what it is of, and what its side to the next one is of.
  struct Corner {
    Vec3 p;
    int incident, reference;
    int side;  ///< feature of the incident face's edge, or place of the reference face's
    bool isReferencesSide;
  };

  static void place(Hull& hull, const ContactGeometry& geometry, const Pose& X_AG);
  static FaceAxis faceAxis(Hull& own, const Hull& other);
  EdgeAxis edgeAxis(double least);
  static void edgesAbove(double least, const Hull& own, const Hull& other, std::vector<std::size_t>& edges);
  void tryEdges(std::size_t a, std::size_t b, EdgeAxis& best) const;
  Vec3 outOfA(bool isA, const FaceAxis& axis) const;
  Nearest nearest(const Vec3& axis);
  void nearestOfCorners(const Hull& own, const Hull& other, bool ownIsA, Nearest& best) const;
  static void edgesBefore(double distance, const Hull& own, std::vector<std::size_t>& edges);
  void nearestOfEdges(Nearest& best);
  void nearestOfEdges(std::size_t a, std::size_t b, Nearest& best);
  double faceManifold(bool ofA, const FaceAxis& axis, double lowest, double margin);
  void startIncident(const Hull& incident, const Vec3& normal, int referenceFace);
  void cutBySide(const Hull& reference, int face, int side);
  Corner crossing(const Corner& from, const Corner& to, double share, const Hull& reference, int face,
                  int side) const;
  void addFace(bool ofA, const HalfSpace& plane, const Corner& corner, double gap);
  void addEdges(const EdgeAxis& axis);
  void addNearest(const Nearest& nearest, std::size_t first);
  void moveToWorld(const Pose& X_WA, std::size_t first) const;

  Hull a_, b_;
  double size_ = 0;  ///< of the smaller one [m]
  std::vector<Corner> polygon_, cut_;
  std::vector<double> heights_;
  std::vector<std::size_t> edgesA_, edgesB_;
  long edgePairs_ = 0;
  std::vector<RigidContactPoint>* places_ = nullptr;
};

}  // namespace slipstick

// The signed gap between two bounded convex shapes of any kind, from their extreme points.
#pragma once

#include <array>
#include <vector>

#include "engine/geometry/contact_shape_data.h"

namespace slipstick {

/// Expands a polytope within the difference A − B until its face that is nearest to the origin lies on the boundary (van den
/// Bergen 2001, "Proximity queries and penetration depth computation on 3D game objects"). The difference is rounded by a ball
/// larger than the margin, so that the origin is within it for shapes apart, too: one search finds the distance of these and the
/// least depth of those that overlap.
///
/// The gap along the normal is exact; the most of all directions, which is the gap of the shapes, is above it by no more than
/// `kAccuracy` of the smaller shape, and much less where round parts meet, by Newton's method. Where a circle of directions or
/// more is about as good, as for balls within each other, the search ends before that: `error` tells.
class ConvexGap {
 public:
  static constexpr double kAccuracy = 1e-7;  ///< of the smaller shape's largest half extent

  struct Result {
    Vec3 normal_W = Vec3::UnitZ();                    ///< unit, out of A, into B
    Vec3 onA_W = Vec3::Zero(), onB_W = Vec3::Zero();  ///< where the two come nearest, or are deepest
    double gap = 0;                                   ///< along the normal [m]
    double error = 0;                                 ///< the gap of the shapes is above `gap` by no more [m]
  };

  /// Not of half-spaces and surfaces. Allocates nothing once its buffers have grown.
  /// @return false where the gap is `margin` or more [m]; `result` then is not to be used
  bool find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
            double margin, Result& result);
  /// How many extreme points the last search took.
  int supportCount() const { return supports_; }

 private:
  /// Of the rounded difference, with the points of both that it is the difference of; all in the frame of A.
  struct Vertex {
    Vec3 w, onA, onB;
  };
  struct Face {
    std::array<int, 3> corners;                ///< counter-clockwise from outside
    std::array<int, 3> beside = {-1, -1, -1};  ///< the face over the edge that begins at each corner
    Vec3 normal = Vec3::Zero();                ///< unit; zero: the face has no area
    double offset = 0;                         ///< of its plane from the origin [m]
    bool isAlive = true;
  };
  struct Edge {
    int face, corner;
  };

  Vertex support(const Vec3& n);
  double gapAt(const Vertex& vertex, const Vec3& n) const { return rounding_ - n.dot(vertex.w); }
  bool start(const Vec3& towardsB, double margin);
  bool addStart(const Vec3& n, double margin);
  bool addFarther(const Vec3& direction, double margin);
  void close();
  int nearestFace() const;
  Face faceOf(int a, int b, int c) const;
  bool sees(const Vec3& w, const Face& face) const;
  void findHorizon(const Vec3& w, int face, int corner);
  int cornerBeside(int face, int corner) const;
  bool closeHorizon();
  bool expand(int face, const Vertex& vertex);
  void take(const Vec3& n, const Vertex& vertex, double gap);
  Vec3 sharesOf(const Face& face) const;
  void spread(const Face& nearest);
  void sharpen();
  Eigen::Matrix2d bendAt(const Vec3& n, const Vec3& u, const Vec3& v, const Vertex& here);

  const ContactGeometry *a_ = nullptr, *b_ = nullptr;
  Pose X_AB_;
  double rounding_ = 0;  ///< radius of the ball [m]
  double size_ = 0;      ///< of the smaller shape [m]
  int supports_ = 0;
  std::vector<Vertex> vertices_;
  std::vector<Face> faces_;
  std::vector<Edge> horizon_;
  Vec3 normal_;  ///< the best so far
  Vec3 onA_, onB_;
  double gap_ = 0, error_ = 0;
};

}  // namespace slipstick

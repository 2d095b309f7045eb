// Convex polygons in a plane of space, cut by half-spaces.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/foundation/math.h"

namespace slipstick {

/// {x : normal·x ≤ offset}.
struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;  ///< [m] where the normal is a unit vector

  double height(const Vec3& p) const { return normal.dot(p) - offset; }
};

/// Coordinates (x, y) in a plane: origin + x u + y v.
struct PlaneFrame {
  Vec3 origin = Vec3::Zero();
  Vec3 u = Vec3::UnitX(), v = Vec3::UnitY(), normal = Vec3::UnitZ();  ///< right-handed, orthonormal

  /// @param normal  unit
  /// @param along   u points along it where it does not stand on the plane
  static PlaneFrame make(const Vec3& origin, const Vec3& normal, const Vec3& along);
  Vec3 at(double x, double y) const { return origin + x * u + y * v; }
  PlaneFrame inFrame(const Pose& X_AB) const {
    return {X_AB * origin, X_AB.R.lazyProduct(u), X_AB.R.lazyProduct(v), X_AB.R.lazyProduct(normal)};
  }
};

/// A convex polygon, counter-clockwise. Its buffers keep their capacity.
class ClipPolygon {
 public:
  struct Point {
    double x, y;
  };

  void startSquare(double halfExtent);
  void start(const Point* points, int count);
  /// Keeps a x + b y ≤ c; false when nothing is left.
  bool keep(double a, double b, double c);
  /// Keeps the part of the plane within a half-space given in the frame's own coordinates.
  bool keep(const HalfSpace& h, const PlaneFrame& plane) {
    const Line line = lineOf(h, plane);
    return keep(line.a, line.b, line.c);
  }
  /// Starts with the part of the plane within four half-spaces that follow each other around it. False, and
  /// nothing is changed, where that is not a quadrangle with four clear corners.
  /// @param clockwise  how they follow each other, seen against the plane's normal
  bool startWithin(const HalfSpace* h, bool clockwise, const PlaneFrame& plane);

  int size() const { return size_; }
  const Point& operator[](int i) const { return data()[i]; }
  const Point* data() const { return points_[now_].data(); }

 private:
  struct Line {
    double a, b, c;  ///< a x + b y ≤ c
  };
  static Line lineOf(const HalfSpace& h, const PlaneFrame& plane) {
    return {h.normal.dot(plane.u), h.normal.dot(plane.v), h.offset - h.normal.dot(plane.origin)};
  }
  void makeRoom(std::size_t corners);
  void cross(int inner, int outer, Point& target) const;
  int cutOnce(int n, std::uint64_t outside, int count);
  int cutAnywhere(int n);

  int size_ = 0;
  std::size_t now_ = 0;  // where the polygon is; a cut writes into the other one
  std::array<std::vector<Point>, 2> points_;
  std::vector<double> side_;
};

/// Area, centroid and central second moments per area of a polygon.
struct PolygonMoments {
  double area = 0;
  double x = 0, y = 0;
  double xx = 0, xy = 0, yy = 0;  ///< ∫ (r − c)(r − c)ᵀ dA / area [m²]

  static PolygonMoments of(const ClipPolygon::Point* points, int count);
  /// Of two areas together, in the same coordinates.
  static PolygonMoments sum(const PolygonMoments& a, const PolygonMoments& b);
  double largest() const { return mean() + spread(); }  ///< larger eigenvalue of the second moments
  double smallest() const { return mean() - spread(); }

 private:
  double mean() const { return (xx + yy) / 2; }
  double spread() const;
};

}  // namespace slipstick

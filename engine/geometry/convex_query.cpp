#include "engine/geometry/convex_query.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/geometry/signed_distance.h"

namespace slipstick {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Nearest point of a face to p.
Vec3 nearestOfFace(const Polytope& polytope, const Polytope::Face& face, const Vec3& p) {
  const int n = face.vertexEnd - face.vertexBegin;
  bool inside = true;
  Vec3 best = p;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < n; ++k) {
    const Vec3& a = polytope.vertices[at(polytope.corners[at(face.vertexBegin + k)])];
    const Vec3& b = polytope.vertices[at(polytope.corners[at(face.vertexBegin + (k + 1) % n)])];
    const Vec3 edge = b - a, r = p - a;
    if (face.plane.normal.cross(edge).dot(r) >= 0) continue;
    inside = false;
    const Vec3 q = a + std::clamp(r.dot(edge) / edge.squaredNorm(), 0.0, 1.0) * edge;
    if ((q - p).squaredNorm() < least) least = (q - p).squaredNorm(), best = q;
  }
  return inside ? Vec3(p - face.plane.height(p) * face.plane.normal) : best;
}

ConvexDistance polytopeDistance(const Polytope& polytope, const Vec3& p) {
  double highest = -std::numeric_limits<double>::infinity();
  const Polytope::Face* top = nullptr;
  for (const Polytope::Face& face : polytope.faces)
    if (const double h = face.plane.height(p); h > highest) highest = h, top = &face;
  if (highest <= 0) return {highest, top->plane.normal};
  double least = std::numeric_limits<double>::infinity();
  Vec3 best = p;
  for (const Polytope::Face& face : polytope.faces) {
    const double h = face.plane.height(p);
    if (h <= 0 || h * h >= least) continue;
    const Vec3 q = nearestOfFace(polytope, face, p);
    if ((p - q).squaredNorm() < least) least = (p - q).squaredNorm(), best = q;
  }
  const double phi = std::sqrt(least);
  return {phi, phi > 0 ? Vec3((p - best) / phi) : top->plane.normal};
}

Vec3 signs(const Vec3& d) {
  return d.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
}

}  // namespace

ConvexDistance convexDistance(const ContactGeometry& shape, const Vec3& p) {
  if (shape.analytic.type == ShapeType::Mesh) return polytopeDistance(shape.polytope, p);
  const auto d = signedDistance<double>(shape.analytic, lanes::V3<double>{p.x(), p.y(), p.z()});
  return {d.phi, Vec3(d.normal.x, d.normal.y, d.normal.z)};
}

Vec3 supportPoint(const ContactGeometry& shape, const Vec3& d) {
  const GeometryShape<double>& s = shape.analytic;
  const Vec3 h(s.halfExtents[0], s.halfExtents[1], s.halfExtents[2]);
  const Vec3 end(0, 0, d.z() < 0 ? -s.halfLength : s.halfLength);
  switch (s.type) {
    case ShapeType::Box:
      return signs(d).cwiseProduct(h);
    case ShapeType::Ellipsoid: {
      const Vec3 scaled = d.cwiseProduct(h);
      return scaled.cwiseProduct(h) / std::max(scaled.norm(), 1e-300);
    }
    case ShapeType::Cylinder: {
      const double r = std::hypot(d.x(), d.y());
      return r > 0 ? Vec3(end + s.radius / r * Vec3(d.x(), d.y(), 0)) : end;
    }
    case ShapeType::Sphere:
    case ShapeType::Capsule:
      return end + s.radius / std::max(d.norm(), 1e-300) * d;
    default:
      return *std::max_element(shape.polytope.vertices.begin(), shape.polytope.vertices.end(),
                               [&](const Vec3& a, const Vec3& b) { return a.dot(d) < b.dot(d); });
  }
}

double nearestAlong(const ContactGeometry& shape, const Vec3& middle, const Vec3& axis, double halfLength) {
  // The distance to a convex shape is convex along a line: golden section, whose 24 steps leave 1e-5 of the
  // length (the distance, flat at its least, is much better than that).
  constexpr double kGolden = 0.6180339887498949;
  const auto distance = [&](double s) { return convexDistance(shape, middle + s * axis).phi; };
  double low = -halfLength, high = halfLength;
  double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
  double fa = distance(a), fb = distance(b);
  for (int step = 0; step < 24; ++step) {
    if (fa <= fb) {
      high = b, b = a, fb = fa;
      a = high - kGolden * (high - low), fa = distance(a);
    } else {
      low = a, a = b, fa = fb;
      b = low + kGolden * (high - low), fb = distance(b);
    }
  }
  double best = fa <= fb ? a : b, least = std::min(fa, fb);
  for (const double end : {-halfLength, halfLength})
    if (const double f = distance(end); f < least) least = f, best = end;
  return best;
}

bool nearInterval(const ContactGeometry& shape, const Vec3& middle, const Vec3& axis, double halfLength,
                  double reach, NearInterval& interval) {
  const auto excess = [&](double s) { return convexDistance(shape, middle + s * axis).phi - reach; };
  if (excess(0) > halfLength) return false;  // the distance changes no faster than the place
  interval.nearest = nearestAlong(shape, middle, axis, halfLength);
  if (excess(interval.nearest) >= 0) return false;
  const auto boundary = [&](double outer) {
    if (excess(outer) <= 0) return outer;
    double inner = interval.nearest;
    for (int step = 0; step < 40; ++step) {
      const double half = (inner + outer) / 2;
      (excess(half) <= 0 ? inner : outer) = half;
    }
    return inner;
  };
  interval.begin = boundary(-halfLength), interval.end = boundary(halfLength);
  return true;
}

}  // namespace slipstick

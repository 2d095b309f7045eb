#include "engine/geometry/near_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/geometry/convex_query.h"

namespace slipstick {
namespace {

constexpr double kEqual = 1e-9;  // of a radius: gaps that differ by less are equal
constexpr int kAxisFeature = 0, kFirstEnd = 1, kRimPoints = 4;

}  // namespace

int NearPlaces::featureCount(const ContactGeometry& shape) {
  if (shape.surface) return shape.surface->features().count();
  return std::max(PolytopeGap::featureCount(shape.polytope), RoundGap::kFeatures);
}

void NearPlaces::find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
                      double margin, std::vector<RigidContactPoint>& places) {
  margin_ = margin, places_ = &places;
  if (a.kind == ContactKind::Plane) {
    X_WPlane_ = &X_WA;
    onPlane(b, X_WB);
  } else if (b.kind == ContactKind::Surface) {
    surfaces_.find(a, X_WA, b, X_WB, margin, places);
  } else if (a.kind == ContactKind::Sphere) {
    onSphere(a, X_WA, b, X_WB);
  } else if (a.kind == ContactKind::Capsule) {
    onCapsule(a, X_WA, b, X_WB);
  } else if (a.kind == ContactKind::Polytope) {
    polytopes_.find(a, X_WA, b, X_WB, margin, places);
  } else {
    rounds_.find(a, X_WA, b, X_WB, margin, places);
  }
}

/// Of a point, or of a ball around it. @return its gap
double NearPlaces::addOverPlane(const Vec3& p_W, int feature, double radius) {
  const Vec3 up = X_WPlane_->R.col(2);
  const double gap = up.dot(p_W - X_WPlane_->p) - radius;
  if (gap < margin_)
    places_->push_back({.p_W = p_W - (radius + gap / 2) * up,
                        .normal_W = up,
                        .gap = gap,
                        .featureA = 0,
                        .featureB = feature});
  return gap;
}

void NearPlaces::onPlane(const ContactGeometry& other, const Pose& X_WO) {
  const double radius = other.analytic.radius;
  switch (other.kind) {
    case ContactKind::Sphere:
      addOverPlane(X_WO.p, kAxisFeature, radius);
      return;
    case ContactKind::Capsule:
      for (const int end : {0, 1})
        addOverPlane(X_WO.p + (end == 0 ? -1 : 1) * other.analytic.halfLength * X_WO.R.col(2),
                     kFirstEnd + end, radius);
      return;
    case ContactKind::Ellipsoid:
      addOverPlane(X_WO * supportPoint(other, -(X_WO.R.transpose() * X_WPlane_->R.col(2))), kAxisFeature);
      return;
    case ContactKind::Cylinder:
      return rimsOnPlane(other, X_WO);
    case ContactKind::Polytope:
      for (std::size_t v = 0; v < other.polytope.vertices.size(); ++v)
        addOverPlane(X_WO * other.polytope.vertices[v], static_cast<int>(v));
      return;
    case ContactKind::Surface:
      for (std::size_t v = 0; v < other.surface->features().vertices.size(); ++v)
        addOverPlane(X_WO * other.surface->features().vertices[v], static_cast<int>(v));
      return;
    case ContactKind::Plane:
      return;
  }
}

/// Four points of each rim that are fixed to the cylinder, and the lowest one where it is lower than these.
void NearPlaces::rimsOnPlane(const ContactGeometry& cylinder, const Pose& X_WC) {
  const Vec3 axis = X_WC.R.col(2), up = X_WPlane_->R.col(2);
  const double radius = cylinder.analytic.radius;
  const Vec3 across = -up + up.dot(axis) * axis;
  for (const int end : {0, 1}) {
    const Vec3 cap = X_WC.p + (end == 0 ? -1 : 1) * cylinder.analytic.halfLength * axis;
    const int first = kFirstEnd + end * (kRimPoints + 1);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kRimPoints; ++k) {
      const Vec3 rim = (k < 2 ? radius : -radius) * X_WC.R.col(k % 2);
      least = std::min(least, addOverPlane(cap + rim, first + k));
    }
    if (!(across.norm() > kEqual)) continue;
    const Vec3 lowest = cap + radius / across.norm() * across;
    if (up.dot(lowest - X_WPlane_->p) < least - kEqual * radius) addOverPlane(lowest, first + kRimPoints);
  }
}

void NearPlaces::onSphere(const ContactGeometry& sphere, const Pose& X_WS, const ContactGeometry& other,
                          const Pose& X_WO) {
  const double radius = sphere.analytic.radius;
  const ConvexDistance d = convexDistance(other, X_WO.R.transpose() * (X_WS.p - X_WO.p));
  if (d.phi - radius >= margin_) return;
  const Vec3 outward = X_WO.R * d.normal;
  places_->push_back({.p_W = X_WS.p - (radius + d.phi) / 2 * outward,
                      .normal_W = -outward,
                      .gap = d.phi - radius,
                      .featureA = kAxisFeature,
                      .featureB = kAxisFeature});
}

/// Both ends, and the nearest point between where it is nearer than they are.
void NearPlaces::onCapsule(const ContactGeometry& capsule, const Pose& X_WC, const ContactGeometry& other,
                           const Pose& X_WO) {
  const double radius = capsule.analytic.radius, halfLength = capsule.analytic.halfLength;
  const Vec3 middle = X_WO.R.transpose() * (X_WC.p - X_WO.p), axis = X_WO.R.transpose() * X_WC.R.col(2);
  if (convexDistance(other, middle).phi - radius >= margin_ + halfLength) return;
  double least = std::numeric_limits<double>::infinity();
  const auto add = [&](double s, int feature) {
    const Vec3 p = middle + s * axis;
    const ConvexDistance d = convexDistance(other, p);
    const double gap = d.phi - radius;
    if (gap >= margin_ || gap >= least - kEqual * radius) return;
    const Vec3 outward = X_WO.R * d.normal;
    places_->push_back({.p_W = X_WO * p - (radius + gap / 2) * outward,
                        .normal_W = -outward,
                        .gap = gap,
                        .featureA = feature,
                        .featureB = kAxisFeature});
  };
  add(-halfLength, kFirstEnd), add(halfLength, kFirstEnd + 1);
  for (const double end : {-halfLength, halfLength})
    least = std::min(least, convexDistance(other, middle + end * axis).phi - radius);
  add(nearestAlong(other, middle, axis, halfLength), kAxisFeature);
}

}  // namespace slipstick

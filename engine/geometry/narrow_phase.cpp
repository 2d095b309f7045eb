#include "engine/geometry/narrow_phase.h"

#include <algorithm>
#include <cmath>

#include "engine/geometry/convex_query.h"
#include "engine/geometry/point_contact.h"

namespace slipstick {
namespace {

constexpr double kHalfSpaceDepth = 0.1;  // over which a compliant half-space reaches its modulus [m]

bool compliant(const ContactGeometry& shape) {
  return shape.properties.representation == ContactRepresentation::Compliant;
}
bool isPoint(const ContactGeometry& shape) {
  return shape.properties.representation == ContactRepresentation::Point;
}
bool meetInPatch(const ContactGeometry& a, const ContactGeometry& b) {
  return !isPoint(a) && !isPoint(b) && (compliant(a) || compliant(b));
}

PatchBody bodyOf(const ContactGeometry& shape, const Pose& X_WG, bool otherRigid) {
  const bool plane = shape.kind == ContactKind::Plane;
  PatchBody body;
  body.polytope = plane ? &Polytope::halfSpace() : &shape.polytope;
  body.X_WG = &X_WG;
  body.dissipation = shape.properties.dissipation;
  // A half-space has a field only towards rigid bodies.
  if (compliant(shape) && (!plane || otherRigid))
    body.slope = shape.properties.modulus / (plane ? kHalfSpaceDepth : body.polytope->innerRadius);
  return body;
}

bool overlap(const Aabb& a, const Aabb& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

/// A point in the frame of a shape.
Vec3 inFrame(const Pose& X_WG, const Vec3& p_W) {
  return X_WG.R.transpose() * (p_W - X_WG.p);
}

/// Outward normal of `other` where it is nearest to the axis of a cylinder, in W.
Vec3 normalTowardsAxis(const ContactGeometry& other, const Pose& X_WO, const ContactGeometry& cylinder,
                       const Pose& X_WC) {
  const Vec3 middle = inFrame(X_WO, X_WC.p), axis = X_WO.R.transpose() * X_WC.R.col(2);
  const double halfLength = cylinder.analytic.halfLength;
  if (other.analytic.type != ShapeType::Mesh) {
    const double s = nearestAlong(other, middle, axis, halfLength);
    return X_WO.R * convexDistance(other, middle + s * axis).normal;
  }
  // The face that keeps the cylinder farthest off.
  double highest = -1e300;
  Vec3 normal = Vec3::UnitZ();
  for (const Polytope::Face& face : other.polytope.faces) {
    const double h = face.plane.height(middle) - halfLength * std::abs(face.plane.normal.dot(axis));
    if (h > highest) highest = h, normal = face.plane.normal;
  }
  return X_WO.R * normal;
}

/// Turns a cylinder about its axis so that the finely cut part of its polytope faces the other shape. One
/// that stands on its cap keeps its own orientation.
Pose turnedTowards(const ContactGeometry& cylinder, const Pose& X_WC, const ContactGeometry& other,
                   const Pose& X_WO) {
  const Vec3 d = -(X_WC.R.transpose() * normalTowardsAxis(other, X_WO, cylinder, X_WC));
  const double across = std::hypot(d.x(), d.y());
  if (across < 0.1) return X_WC;
  Mat3 turn = Mat3::Identity();
  turn.topLeftCorner<2, 2>() << d.x() / across, -d.y() / across, d.y() / across, d.x() / across;
  return {X_WC.R * turn, X_WC.p};
}

// Points that stand for a line or a disc on a plane have its even pressure's force, moment of any tilt and, where it spins,
// torque of friction: weights and places have the integrals of 1, r and r² over it. Its ends and its rim are among them, so
// that it tips where it should, and alone bear what stands on them. With a share a of the pressure there and the rest at
// the share s of the way out,
//   a line: a + (1 − a) s = 1/2, a + (1 − a) s² = 1/3 give s = 1/3, a = 1/4 (Simpson's rule of 3/8);
//   a disc: a + (1 − a) s = 2/3, a + (1 − a) s² = 1/2 give s = 1/2, a = 1/3.
constexpr double kLineInside = 1.0 / 3, kLineShare = 3;  // as stiff as so many points at an end
constexpr double kDiscInside = 1.0 / 2, kDiscShare = 2;  // … on the rim

PointLaw times(double share, const PointLaw& law) {
  return {share * law.stiffness, law.dissipation};
}

}  // namespace

bool NarrowPhase::needsGrids(const ContactShape& a, const ContactShape& b) {
  return a.isSurface() && b.isSurface();
}

void NarrowPhase::makeGrids(const ContactShape& a, const ContactShape& b) {
  for (const ContactShape* shape : {&a, &b})
    for (const ContactGeometry& piece : shape->data_->pieces)
      if (piece.surface) piece.surface->prepareGrid();
}

void NarrowPhase::find(const ContactShape& shapeA, const Pose& X_WA, const ContactShape& shapeB,
                       const Pose& X_WB, RigidContactSet& contacts) {
  const auto &ofA = shapeA.data_->pieces, &ofB = shapeB.data_->pieces;
  if (ofA.size() == 1 && ofB.size() == 1) return meet({&ofA[0], X_WA}, {&ofB[0], X_WB}, contacts);
  for (const ContactGeometry& a : ofA) {
    const Aabb boxA = boundsOf(a, X_WA);
    for (const ContactGeometry& b : ofB)
      if (overlap(boxA, boundsOf(b, X_WB))) meet({&a, X_WA}, {&b, X_WB}, contacts);
  }
}

/// Features of a piece follow those of the pieces before it.
void NarrowPhase::findNear(const ContactShape& shapeA, const Pose& X_WA, const ContactShape& shapeB,
                           const Pose& X_WB, double margin, RigidContactSet& contacts) {
  const bool isOne = shapeA.data_->pieces.size() == 1 && shapeB.data_->pieces.size() == 1;
  int ofA = 0;
  for (const ContactGeometry& a : shapeA.data_->pieces) {
    Aabb boxA = boundsOf(a, X_WA);
    boxA.lower.array() -= margin, boxA.upper.array() += margin;
    int ofB = 0;
    for (const ContactGeometry& b : shapeB.data_->pieces) {
      const std::size_t first = contacts.points.size();
      if (isOne || overlap(boxA, boundsOf(b, X_WB))) meetNear({&a, X_WA}, {&b, X_WB}, margin, contacts);
      for (std::size_t i = first; i < contacts.points.size(); ++i) {
        RigidContactPoint& place = contacts.points[i];
        if (place.featureA >= 0) place.featureA += ofA;
        if (place.featureB >= 0) place.featureB += ofB;
      }
      ofB += NearPlaces::featureCount(b);
    }
    ofA += NearPlaces::featureCount(a);
  }
}

void NarrowPhase::meetNear(Side a, Side b, double margin, RigidContactSet& contacts) {
  const bool swapped = b.data->kind < a.data->kind;
  if (swapped) std::swap(a, b);
  const PointLaw law = PointLaw::combined(a.data->properties, b.data->properties);
  places_.clear();
  near_.find(*a.data, a.X_WG, *b.data, b.X_WG, margin, places_);
  for (RigidContactPoint& place : places_) {
    if (swapped) place.normal_W *= -1, std::swap(place.featureA, place.featureB);
    law.add(place, contacts);
  }
}

void NarrowPhase::meet(Side a, Side b, RigidContactSet& contacts) {
  const bool swapped = b.data->kind < a.data->kind;
  if (swapped) std::swap(a, b);
  const ContactKind other = b.data->kind;
  const PointLaw law = PointLaw::combined(a.data->properties, b.data->properties);
  const std::size_t first = contacts.points.size();
  switch (a.data->kind) {
    case ContactKind::Plane:
      onPlane(a, b, contacts);
      break;
    case ContactKind::Sphere:
      other == ContactKind::Surface ? sphereOnSurface(a, b, law, contacts)
                                    : sphereOnConvex(a, b, law, contacts);
      break;
    case ContactKind::Capsule:
      other == ContactKind::Surface ? polytopeOnSurface(a, b, contacts)
                                    : capsuleOnConvex(a, b, law, contacts);
      break;
    case ContactKind::Ellipsoid:
      if (other == ContactKind::Ellipsoid)
        ellipsoids(a, b, law, contacts);
      else if (other == ContactKind::Surface)
        polytopeOnSurface(a, b, contacts);
      else
        ellipsoidOnPolytope(a, b, law, contacts);
      break;
    case ContactKind::Cylinder:
    case ContactKind::Polytope:
      other == ContactKind::Surface ? polytopeOnSurface(a, b, contacts) : polytopes(a, b, contacts);
      break;
    case ContactKind::Surface:
      surfaces(a, b, law, contacts);
      break;
  }
  if (swapped)
    for (std::size_t i = first; i < contacts.points.size(); ++i) contacts.points[i].normal_W *= -1;
}

void NarrowPhase::onPlane(const Side& plane, const Side& other, RigidContactSet& contacts) {
  if (other.data->kind == ContactKind::Plane) return;
  const Vec3 up = plane.X_WG.R.col(2);
  const double reach = (other.X_WG.R.transpose() * up).cwiseAbs().dot(other.data->halfExtents);
  if (up.dot(other.X_WG * other.data->centre - plane.X_WG.p) > reach) return;
  const PointLaw law = PointLaw::combined(plane.data->properties, other.data->properties);
  switch (other.data->kind) {
    case ContactKind::Plane:
      return;
    case ContactKind::Sphere: {
      const double depth = other.data->analytic.radius - up.dot(other.X_WG.p - plane.X_WG.p);
      if (depth > 0)
        law.add(other.X_WG.p - (other.data->analytic.radius - depth / 2) * up, up, depth, contacts);
      return;
    }
    case ContactKind::Capsule:
      return capsuleOnPlane(plane, other, law, contacts);
    case ContactKind::Ellipsoid:
      return ellipsoidOnPlane(plane, other, law, contacts);
    case ContactKind::Cylinder:
      return cylinderOnPlane(plane, other, law, contacts);
    case ContactKind::Polytope:
      if (meetInPatch(*plane.data, *other.data) && patch(plane, other, contacts)) return;
      [[fallthrough]];
    case ContactKind::Surface:
      return verticesOnPlane(plane, other, law, contacts);
  }
}

/// Below each end, and below the line between them.
void NarrowPhase::capsuleOnPlane(const Side& plane, const Side& capsule, const PointLaw& law,
                                 RigidContactSet& contacts) const {
  const Vec3 up = plane.X_WG.R.col(2), half = capsule.data->analytic.halfLength * capsule.X_WG.R.col(2);
  const double radius = capsule.data->analytic.radius;
  const auto add = [&](double along, double share) {
    const Vec3 centre = capsule.X_WG.p + along * half;
    const double depth = radius - up.dot(centre - plane.X_WG.p);
    if (depth > 0) times(share, law).add(centre - (radius - depth / 2) * up, up, depth, contacts);
  };
  for (const double end : {-1.0, 1.0}) add(end, 1), add(kLineInside * end, kLineShare);
}

void NarrowPhase::ellipsoidOnPlane(const Side& plane, const Side& ellipsoid, const PointLaw& law,
                                   RigidContactSet& contacts) const {
  const Vec3 up = plane.X_WG.R.col(2);
  const Vec3 lowest = ellipsoid.X_WG * supportPoint(*ellipsoid.data, ellipsoid.X_WG.R.transpose() * -up);
  const double depth = -up.dot(lowest - plane.X_WG.p);
  if (depth > 0) law.add(lowest + depth / 2 * up, up, depth, contacts);
}

/// On its side: the lowest point of both rims, and the line between. On a cap: the lowest point of the lower rim, the one
/// across and two between, and within the rim.
void NarrowPhase::cylinderOnPlane(const Side& plane, const Side& cylinder, const PointLaw& law,
                                  RigidContactSet& contacts) const {
  const Vec3 up = plane.X_WG.R.col(2);
  const double radius = cylinder.data->analytic.radius, halfLength = cylinder.data->analytic.halfLength;
  const double along = up.dot(cylinder.X_WG.R.col(2));
  const Vec3 toLowerCap = (along > 0 ? -halfLength : halfLength) * cylinder.X_WG.R.col(2);
  const Vec3 across = -up + along * cylinder.X_WG.R.col(2);
  const double sine = across.norm();
  const double capDepth = -up.dot(cylinder.X_WG.p + toLowerCap - plane.X_WG.p);
  // The lowest point of a level cap is anywhere: as long as the rim is level compared with the depth, the
  // points stay where they are on the body.
  const bool level = radius * sine < 0.01 * capDepth || sine < 1e-12;
  const Vec3 down = level ? Vec3(cylinder.X_WG.R.col(0)) : Vec3(across / sine);
  const Vec3 beside = cylinder.X_WG.R.col(2).cross(down);
  const auto add = [&](const Vec3& r, double share) {
    const Vec3 p = cylinder.X_WG.p + r;
    const double depth = -up.dot(p - plane.X_WG.p);
    if (depth > 0) times(share, law).add(p + depth / 2 * up, up, depth, contacts);
  };
  for (const Vec3& rim : {down, Vec3(-down), beside, Vec3(-beside)}) {
    add(toLowerCap + radius * rim, 1);
    add(toLowerCap + kDiscInside * radius * rim, kDiscShare);
  }
  add(-toLowerCap + radius * down, 1);
  for (const double side : {-1.0, 1.0}) add(side * kLineInside * toLowerCap + radius * down, kLineShare);
}

void NarrowPhase::verticesOnPlane(const Side& plane, const Side& other, const PointLaw& law,
                                  RigidContactSet& contacts) {
  const Vec3 up = plane.X_WG.R.col(2);
  const Pose X_PO = plane.X_WG.inverse() * other.X_WG;
  manifold_.clear();
  const auto add = [&](const Vec3& v) {
    const Vec3 p = other.X_WG * v;
    const double height = up.dot(p - plane.X_WG.p);
    if (height < 0) manifold_.add(p - height / 2 * up, up, -height);
  };
  if (other.data->surface) {
    const auto below = [&](const Vec3& centre, const Vec3& half) {
      return (X_PO * centre).z() - X_PO.R.row(2).cwiseAbs().dot(half) < 0;
    };
    other.data->surface->search(below, [&](const Facet& f) {
      for (const Vec3& v : f.corners) add(v);
    });
  } else {
    for (const Vec3& v : other.data->polytope.vertices) add(v);
  }
  manifold_.append(0.02 * other.data->halfExtents.norm(), law, Manifold::kMaxPoints, contacts);
}

void NarrowPhase::sphereOnConvex(const Side& sphere, const Side& other, const PointLaw& law,
                                 RigidContactSet& contacts) const {
  const double radius = sphere.data->analytic.radius;
  const ConvexDistance d = convexDistance(*other.data, inFrame(other.X_WG, sphere.X_WG.p));
  if (d.phi >= radius) return;
  const Vec3 outward = other.X_WG.R * d.normal;
  law.add(sphere.X_WG.p - (radius + d.phi) / 2 * outward, -outward, radius - d.phi, contacts);
}

/// Facets whose nearest point is nearest among the facets that share it: others only continue the surface.
void NarrowPhase::sphereOnSurface(const Side& sphere, const Side& surface, const PointLaw& law,
                                  RigidContactSet& contacts) {
  const double radius = sphere.data->analytic.radius;
  const Vec3 centre = inFrame(surface.X_WG, sphere.X_WG.p);
  const auto near = [&](const Vec3& c, const Vec3& half) {
    return ((c - centre).cwiseAbs() - half).cwiseMax(0.0).squaredNorm() < radius * radius;
  };
  nearest_.clear();
  surface.data->surface->search(near, [&](const Facet& f) {
    const Vec3 q = nearestPoint(f, centre);
    if ((q - centre).squaredNorm() < radius * radius && f.normal.dot(centre - q) > 0)
      nearest_.push_back({q, &f});
  });
  manifold_.clear();
  const double same = 1e-9 * radius * radius;
  for (const Nearest& n : nearest_) {
    const double distance = (centre - n.point).norm();
    const bool local = std::all_of(nearest_.begin(), nearest_.end(), [&](const Nearest& o) {
      return (nearestPoint(*o.facet, n.point) - n.point).squaredNorm() > same ||
             (centre - o.point).norm() >= distance * (1 - 1e-9);
    });
    if (!local || !(distance > 0)) continue;
    const Vec3 outward = surface.X_WG.R * ((centre - n.point) / distance);
    const double depth = radius - distance;
    manifold_.add(surface.X_WG * n.point - depth / 2 * outward, -outward, depth);
  }
  manifold_.append(0.01 * radius, law, Manifold::kMaxPoints, contacts);
}

/// Gauss points of the part of the axis that is near enough: two for a capsule that lies on a face, equally
/// deep; both in the same place, that is one, for one that touches with a short part.
void NarrowPhase::capsuleOnConvex(const Side& capsule, const Side& other, const PointLaw& law,
                                  RigidContactSet& contacts) const {
  const double radius = capsule.data->analytic.radius, halfLength = capsule.data->analytic.halfLength;
  const Vec3 middle = inFrame(other.X_WG, capsule.X_WG.p);
  const Vec3 axis = other.X_WG.R.transpose() * capsule.X_WG.R.col(2);
  NearInterval near;
  if (!nearInterval(*other.data, middle, axis, halfLength, radius, near)) return;
  const auto add = [&](double s, double share) {
    const Vec3 p = middle + s * axis;
    const ConvexDistance d = convexDistance(*other.data, p);
    const double depth = radius - d.phi;
    if (!(depth > 0)) return;
    const Vec3 outward = other.X_WG.R * d.normal;
    const PointLaw part = {share * law.stiffness, law.dissipation};
    part.add(other.X_WG * p - (radius - depth / 2) * outward, -outward, depth, contacts);
  };
  // From one point with k to two with k each as the part grows from 0.4 to one radius.
  const double half = (near.end - near.begin) / 2, centre = (near.end + near.begin) / 2;
  const double apart = std::clamp((half / radius - 0.2) / 0.3, 0.0, 1.0);
  if (apart == 0) return add(near.nearest, 1);
  const double from = near.nearest + apart * (centre - near.nearest), offset = apart * half / std::sqrt(3.0);
  for (const double side : {-1.0, 1.0}) add(from + side * offset, (1 + apart) / 2);
}

/// The direction in which the two overlap least, by descent: the overlap's gradient is the distance between
/// the two extreme points.
void NarrowPhase::ellipsoids(const Side& a, const Side& b, const PointLaw& law,
                             RigidContactSet& contacts) const {
  const auto curvature = [](const Side& s) {
    const Vec3 h = s.data->halfExtents;
    return h.maxCoeff() * h.maxCoeff() / h.minCoeff();
  };
  const double step = 1 / (curvature(a) + curvature(b));
  Vec3 n = b.X_WG.p - a.X_WG.p, pA, pB;
  n = n.norm() > 0 ? Vec3(n.normalized()) : Vec3(Vec3::UnitZ());
  double depth = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    pA = a.X_WG * supportPoint(*a.data, a.X_WG.R.transpose() * n);
    pB = b.X_WG * supportPoint(*b.data, b.X_WG.R.transpose() * -n);
    depth = n.dot(pA - pB);
    if (depth <= 0) return;
    const Vec3 slope = (pA - pB) - depth * n;
    if (slope.norm() < 1e-12 * (1 + depth)) break;
    n = (n - step * slope).normalized();
  }
  law.add((pA + pB) / 2, n, depth, contacts);
}

/// One point: of the ellipsoid, the extreme one below a face, where it lies over the face; otherwise of the
/// polytope, the deepest one of that face's edges.
void NarrowPhase::ellipsoidOnPolytope(const Side& ellipsoid, const Side& other, const PointLaw& law,
                                      RigidContactSet& contacts) const {
  const Pose X_WO = other.data->kind == ContactKind::Cylinder
                        ? turnedTowards(*other.data, other.X_WG, *ellipsoid.data, ellipsoid.X_WG)
                        : other.X_WG;
  const Polytope& polytope = other.data->polytope;
  const Pose X_OE = X_WO.inverse() * ellipsoid.X_WG;
  double highest = -1e300;
  Vec3 lowest = Vec3::Zero();
  const Polytope::Face* best = nullptr;
  for (const Polytope::Face& face : polytope.faces) {
    const Vec3 p = X_OE * supportPoint(*ellipsoid.data, X_OE.R.transpose() * -face.plane.normal);
    if (const double h = face.plane.height(p); h > highest) highest = h, lowest = p, best = &face;
  }
  if (highest >= 0) return;
  const bool over =
      std::all_of(polytope.edgeBounds.begin() + best->edgeBegin, polytope.edgeBounds.begin() + best->edgeEnd,
                  [&](const HalfSpace& h) { return h.height(lowest) <= 0; });
  if (over) {
    const Vec3 n = X_WO.R * best->plane.normal;
    law.add(X_WO * lowest - highest / 2 * n, -n, -highest, contacts);
    return;
  }
  ConvexDistance deepest;
  Vec3 at_E = Vec3::Zero();
  const int n = best->vertexEnd - best->vertexBegin;
  for (int k = 0; k < n; ++k) {
    const auto corner = [&](int c) -> Vec3 {
      const int vertex = polytope.corners[static_cast<std::size_t>(best->vertexBegin + c % n)];
      return inFrame(X_OE, polytope.vertices[static_cast<std::size_t>(vertex)]);
    };
    const Vec3 from = corner(k), to = corner(k + 1), middle = (from + to) / 2,
               axis = (to - from).normalized();
    const double half = (to - from).norm() / 2;
    if (convexDistance(*ellipsoid.data, middle).phi > half + deepest.phi) continue;
    const Vec3 p = middle + nearestAlong(*ellipsoid.data, middle, axis, half) * axis;
    if (const ConvexDistance d = convexDistance(*ellipsoid.data, p); d.phi < deepest.phi)
      deepest = d, at_E = p;
  }
  if (deepest.phi >= 0) return;
  const Vec3 outward = ellipsoid.X_WG.R * deepest.normal;
  law.add(ellipsoid.X_WG * at_E - deepest.phi / 2 * outward, outward, -deepest.phi, contacts);
}

/// @return whether there is one. Of a thin body that a step took into a rigid one by more than half its thickness, all faces
/// that oppose the motion may lie too deep for its field: it has no patch, and would fall through if nothing else held it.
bool NarrowPhase::patch(const Side& a, const Side& b, RigidContactSet& contacts) {
  const PatchBody A = bodyOf(*a.data, a.X_WG, !compliant(*b.data)),
                  B = bodyOf(*b.data, b.X_WG, !compliant(*a.data));
  patches_.find(A, B);
  const std::size_t before = contacts.points.size();
  patches_.append(A, B, contacts);
  return contacts.points.size() > before;
}

void NarrowPhase::polytopes(Side a, Side b, RigidContactSet& contacts) {
  const Pose X_WA = a.X_WG;
  if (a.data->kind == ContactKind::Cylinder) a.X_WG = turnedTowards(*a.data, a.X_WG, *b.data, b.X_WG);
  if (b.data->kind == ContactKind::Cylinder) b.X_WG = turnedTowards(*b.data, b.X_WG, *a.data, X_WA);
  if (meetInPatch(*a.data, *b.data))
    // Two fields always balance somewhere.
    if (patch(a, b, contacts) || compliant(*a.data) == compliant(*b.data)) return;
  appendPolytopeManifold(a.data->polytope, a.X_WG, b.data->polytope, b.X_WG,
                         PointLaw::combined(a.data->properties, b.data->properties), patches_, manifold_,
                         contacts);
}

void NarrowPhase::polytopeOnSurface(const Side& polytope, const Side& surface, RigidContactSet& contacts) {
  if (meetInPatch(*polytope.data, *surface.data)) {
    const PatchBody A = bodyOf(*polytope.data, polytope.X_WG, true);
    patches_.findFacets(A, *surface.data->surface, surface.X_WG);
    return patches_.append(A, PatchBody(), contacts);
  }
  appendFacetManifold(polytope.data->polytope, polytope.X_WG, *surface.data->surface, surface.X_WG,
                      PointLaw::combined(polytope.data->properties, surface.data->properties), patches_,
                      manifold_, contacts);
}

/// Vertices of each within the other one. Surfaces that are not closed have no inside and do not meet.
void NarrowPhase::surfaces(const Side& a, const Side& b, const PointLaw& law, RigidContactSet& contacts) {
  manifold_.clear();
  const auto collect = [&](const Side& own, const Side& other, double sign) {
    const SdfGrid* grid = other.data->surface->grid();
    if (grid == nullptr) return;
    const Pose X_OtherOwn = other.X_WG.inverse() * own.X_WG;
    const Mat3 reach = X_OtherOwn.R.cwiseAbs();
    const auto meets = [&](const Vec3& centre, const Vec3& half) {
      return (((X_OtherOwn * centre - other.data->centre).cwiseAbs() - reach * half - other.data->halfExtents)
                  .array() <= 0)
          .all();
    };
    own.data->surface->search(meets, [&](const Facet& f) {
      for (const Vec3& v : f.corners) {
        const SdfGrid::Sample sample = grid->at(X_OtherOwn * v);
        if (sample.distance >= 0) continue;
        const Vec3 outward = other.X_WG.R * sample.normal;  // of the other one
        manifold_.add(own.X_WG * v - sample.distance / 2 * outward, sign * outward, -sample.distance);
      }
    });
  };
  collect(a, b, -1), collect(b, a, 1);
  const double size = std::min(a.data->halfExtents.norm(), b.data->halfExtents.norm());
  manifold_.append(0.02 * size, law, 2 * Manifold::kMaxPoints, contacts);
}

}  // namespace slipstick

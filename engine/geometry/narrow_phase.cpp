#include "engine/geometry/narrow_phase.h"

#include <algorithm>
#include <cmath>

#include "engine/geometry/contact_shape_data.h"
#include "engine/geometry/point_contact.h"
#include "engine/geometry/signed_distance.h"

namespace slipstick {
namespace {

constexpr double kHalfSpaceDepth = 0.1;  // over which a compliant half-space reaches its modulus [m]

/// The face axes of both boxes and the nine cross products of their edges (Gottschalk et al. 1996).
bool boxesApart(const Polytope& a, const Pose& X_WA, const Polytope& b, const Pose& X_WB) {
  const Mat3 R = X_WA.R.transpose() * X_WB.R;
  const Vec3 t = X_WA.R.transpose() * (X_WB.p - X_WA.p);
  const Mat3 Q = R.cwiseAbs();
  const Vec3 &ha = a.halfExtents, &hb = b.halfExtents;
  for (int i = 0; i < 3; ++i)
    if (std::abs(t[i]) > ha[i] + Q.row(i).dot(hb)) return true;
  for (int j = 0; j < 3; ++j)
    if (std::abs(R.col(j).dot(t)) > Q.col(j).dot(ha) + hb[j]) return true;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double reach = ha[i1] * Q(i2, j) + ha[i2] * Q(i1, j) + hb[j1] * Q(i, j2) + hb[j2] * Q(i, j1);
      if (std::abs(t[i2] * R(i1, j) - t[i1] * R(i2, j)) > reach) return true;
    }
  }
  return false;
}

SignedDistance<double> distanceTo(const GeometryShape<double>& shape, const Vec3& p) {
  return signedDistance<double>(shape, mpm::V3<double>{p.x(), p.y(), p.z()});
}

}  // namespace

void NarrowPhase::patch(const Side& a, const Side& b, RigidContactSet& contacts) {
  const auto bodyOf = [](const Side& side, bool otherRigid) {
    const SurfaceProperties& surface = side.data->properties;
    const bool plane = side.data->kind == ContactKind::Plane;
    PatchBody body;
    body.polytope = plane ? &Polytope::halfSpace() : &side.data->polytope;
    body.X_WG = &side.X_WG;
    body.dissipation = surface.dissipation;
    const bool compliant =
        surface.representation == ContactRepresentation::Compliant && (!plane || otherRigid);
    if (compliant) body.slope = surface.modulus / (plane ? kHalfSpaceDepth : body.polytope->innerRadius);
    return body;
  };
  const auto rigid = [](const Side& s) {
    return s.data->properties.representation != ContactRepresentation::Compliant;
  };
  const PatchBody A = bodyOf(a, rigid(b)), B = bodyOf(b, rigid(a));
  patches_.find(A, B);
  patches_.append(A, B, contacts);
}

void NarrowPhase::points(const Side& a, const Side& b, RigidContactSet& contacts) {
  if (a.data->kind == ContactKind::Plane) return pointsOnPlane(a, b, true, contacts);
  if (b.data->kind == ContactKind::Plane) return pointsOnPlane(b, a, false, contacts);
  const PointLaw law = PointLaw::combined(a.data->properties, b.data->properties);
  appendPolytopeManifold(a.data->polytope, a.X_WG, b.data->polytope, b.X_WG, law, patches_, manifold_,
                         contacts.points);
}

void NarrowPhase::pointsOnPlane(const Side& plane, const Side& other, bool planeIsA,
                                RigidContactSet& contacts) {
  const Polytope& polytope = other.data->polytope;
  const Vec3 up = plane.X_WG.R.col(2);
  manifold_.clear();
  for (const Vec3& v : polytope.vertices) {
    const Vec3 p = other.X_WG * v;
    const double height = up.dot(p - plane.X_WG.p);
    if (height < 0) manifold_.add(p - height / 2 * up, -height);
  }
  const PointLaw law = PointLaw::combined(plane.data->properties, other.data->properties);
  manifold_.append(planeIsA ? up : Vec3(-up), 0.01 * polytope.radius, law, Manifold::kMaxPoints,
                   contacts.points);
}

/// The distance of the sphere's centre from the other surface decides.
void NarrowPhase::sphere(const Side& sphere, const Side& other, bool sphereIsA, RigidContactSet& contacts) {
  const double radius = sphere.data->analytic.radius;
  const Vec3 p = other.X_WG.R.transpose() * (sphere.X_WG.p - other.X_WG.p);
  const SignedDistance<double> d = distanceTo(other.data->analytic, p);
  if (d.phi >= radius) return;
  const Vec3 outward = other.X_WG.R * Vec3(d.normal.x, d.normal.y, d.normal.z);
  const PointLaw law = PointLaw::combined(sphere.data->properties, other.data->properties);
  // Between the two surfaces, at the centre of the overlap.
  const Vec3 p_W = sphere.X_WG.p - (radius + d.phi) / 2 * outward;
  contacts.points.push_back(law.point(p_W, sphereIsA ? Vec3(-outward) : outward, radius - d.phi));
}

void NarrowPhase::find(const ContactShape& shapeA, const Pose& X_WA, const ContactShape& shapeB,
                       const Pose& X_WB, RigidContactSet& contacts) {
  const Side a = {shapeA.data_.get(), X_WA}, b = {shapeB.data_.get(), X_WB};
  const ContactKind kindA = a.data->kind, kindB = b.data->kind;
  if (kindA == ContactKind::Sphere) return sphere(a, b, true, contacts);
  if (kindB == ContactKind::Sphere) return sphere(b, a, false, contacts);
  const bool boxes = a.data->analytic.type == ShapeType::Box && b.data->analytic.type == ShapeType::Box;
  if (boxes && boxesApart(a.data->polytope, X_WA, b.data->polytope, X_WB)) return;
  const ContactRepresentation ofA = a.data->properties.representation,
                              ofB = b.data->properties.representation;
  const bool point = ofA == ContactRepresentation::Point || ofB == ContactRepresentation::Point;
  // A half-space has a field only towards rigid bodies.
  const bool fieldA = ofA == ContactRepresentation::Compliant,
             fieldB = ofB == ContactRepresentation::Compliant;
  if (point || !(fieldA || fieldB)) return points(a, b, contacts);
  patch(a, b, contacts);
}

}  // namespace slipstick

#include "engine/geometry/surface_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/geometry/convex_query.h"

namespace slipstick {
namespace {

constexpr double kEqual = 1e-9;    // of the shape's size: gaps that differ by less are equal
constexpr double kBeside = 1e-3;   // of a facet's side: what is so little beside it is before it
constexpr double kBehind = 0.5;    // cosine to the facet's normal of a way out that begins behind it
constexpr double kNearest = 1e-6;  // of a depth: as near as this is nearest
// Features of what is not a polytope, as in NearPlaces: all of it, the first end or rim, points of a rim.
constexpr int kWhole = 0, kFirstEnd = 1, kRimPoints = 4;

/// Whether a point lies straight before or behind a facet.
bool isStraight(const Facet& facet, const Vec3& p) {
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 edge = facet.corners[(k + 1) % 3] - facet.corners[k];
    if (facet.normal.cross(edge).dot(p - facet.corners[k]) < -kBeside * edge.squaredNorm()) return false;
  }
  return true;
}

std::size_t indexOf(const TriangleSurface& surface, const Facet& facet) {
  return static_cast<std::size_t>(&facet - surface.facets().data());
}

double heightOver(const Facet& facet, const Vec3& p) {
  return facet.normal.dot(p - facet.corners[0]);
}

}  // namespace

void SurfaceGap::find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
                      double margin, std::vector<RigidContactPoint>& places) {
  margin_ = margin, first_ = places.size(), places_ = &places;
  const Pose X_BA = X_WB.inverse() * X_WA;
  const Meeting meeting{&a, b.surface.get(), X_WB, X_BA, X_BA.inverse(), true};
  if (a.surface) {
    cornersOnFacets(meeting);
    return cornersOnFacets({&b, a.surface.get(), X_WA, X_BA.inverse(), X_BA, false});
  }
  searchNear(meeting, [&](const Facet& facet) { meetFacet(meeting, facet); });
  if (places.size() == first_) shapeThroughFacets(meeting);
}

/// @param p,outOfShape  in the surface's frame
void SurfaceGap::add(const Meeting& meeting, const Vec3& p, const Vec3& outOfShape, double gap,
                     int shapeFeature, int surfaceFeature) {
  const Vec3 normal = meeting.X_WS.R * outOfShape;
  places_->push_back({.p_W = meeting.X_WS * p,
                      .normal_W = meeting.surfaceIsB ? normal : Vec3(-normal),
                      .gap = gap,
                      .featureA = meeting.surfaceIsB ? shapeFeature : surfaceFeature,
                      .featureB = meeting.surfaceIsB ? surfaceFeature : shapeFeature});
}

void SurfaceGap::addOnShape(const Meeting& meeting, const Vec3& p_G, double phi, const Vec3& normal_G,
                            int feature) {
  const Vec3 outward = meeting.X_SG.R * normal_G;
  add(meeting, meeting.X_SG * p_G - phi / 2 * outward, outward, phi, kWhole, feature);
}

void SurfaceGap::cornerOnShape(const Meeting& meeting, int vertex) {
  const Vec3 p = meeting.X_GS * meeting.surface->features().vertices[static_cast<std::size_t>(vertex)];
  const ConvexDistance d = convexDistance(*meeting.shape, p);
  if (d.phi < margin_) addOnShape(meeting, p, d.phi, d.normal, vertex);
}

/// Where an edge is nearest, if its ends are farther.
void SurfaceGap::edgeOnShape(const Meeting& meeting, std::size_t edge) {
  const ContactGeometry& shape = *meeting.shape;
  const SurfaceFeatures& features = meeting.surface->features();
  const Vec3 from = meeting.X_GS * features.edges[edge].from, to = meeting.X_GS * features.edges[edge].to;
  const double half = (to - from).norm() / 2;
  const Vec3 middle = (from + to) / 2, axis = (to - from) / (2 * half);
  if (convexDistance(shape, middle).phi >= margin_ + half) return;
  const Vec3 p = middle + nearestAlong(shape, middle, axis, half) * axis;
  const ConvexDistance d = convexDistance(shape, p);
  const double ends = std::min(convexDistance(shape, from).phi, convexDistance(shape, to).phi);
  if (d.phi < margin_ && d.phi < ends - kEqual * shape.halfExtents.norm())
    addOnShape(meeting, p, d.phi, d.normal, features.ofEdge(edge));
}

/// Visits the facets near a shape.
template <class Visit>
void SurfaceGap::searchNear(const Meeting& meeting, Visit visit) const {
  const Vec3 centre = meeting.X_SG * meeting.shape->centre;
  const Vec3 reach = (meeting.X_SG.R.cwiseAbs() * meeting.shape->halfExtents).array() + margin_;
  const auto meets = [&](const Vec3& c, const Vec3& half) {
    return ((c - centre).cwiseAbs() - half - reach).maxCoeff() <= 0;
  };
  meeting.surface->search(meets, visit);
}

/// Both ways, of a facet with what is its own.
void SurfaceGap::meetFacet(const Meeting& meeting, const Facet& facet) {
  const SurfaceFeatures& features = meeting.surface->features();
  const std::size_t f = indexOf(*meeting.surface, facet);
  for (const int v : features.ownVertices[f])
    if (v >= 0) cornerOnShape(meeting, v);
  for (const int e : features.ownEdges[f])
    if (e >= 0) edgeOnShape(meeting, static_cast<std::size_t>(e));
  shapeOnFacet(meeting, facet);
}

void SurfaceGap::shapeOnFacet(const Meeting& meeting, const Facet& facet) {
  const ContactGeometry& shape = *meeting.shape;
  const Pose& X_SG = meeting.X_SG;
  const auto foremost = [&] { return X_SG * supportPoint(shape, -(X_SG.R.transpose() * facet.normal)); };
  if (shape.kind == ContactKind::Cylinder) return rimsOnFacet(meeting, facet);
  if (shape.kind == ContactKind::Capsule) {
    for (const int end : {0, 1}) {
      const Vec3 middle = X_SG.p + (end == 0 ? -1 : 1) * shape.analytic.halfLength * X_SG.R.col(2);
      addOnFacet(meeting, facet, middle - shape.analytic.radius * facet.normal, kFirstEnd + end);
    }
    return;
  }
  if (shape.kind != ContactKind::Polytope) return addOnFacet(meeting, facet, foremost(), kWhole);
  if (heightOver(facet, foremost()) >= margin_) return;
  const std::vector<Vec3>& vertices = shape.polytope.vertices;
  for (std::size_t v = 0; v < vertices.size(); ++v)
    addOnFacet(meeting, facet, X_SG * vertices[v], static_cast<int>(v));
}

/// Four points of each rim, and the lowest one where it is lower than these.
void SurfaceGap::rimsOnFacet(const Meeting& meeting, const Facet& facet) {
  const Mat3& R = meeting.X_SG.R;
  const double radius = meeting.shape->analytic.radius, sine = facet.normal.dot(R.col(2));
  const Vec3 across = -facet.normal + sine * R.col(2);
  for (const int end : {0, 1}) {
    const int first = kFirstEnd + end * (kRimPoints + 1);
    const Vec3 cap = meeting.X_SG.p + (end == 0 ? -1 : 1) * meeting.shape->analytic.halfLength * R.col(2);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kRimPoints; ++k) {
      const Vec3 p = cap + (k < 2 ? radius : -radius) * R.col(k % 2);
      least = std::min(least, heightOver(facet, p));
      addOnFacet(meeting, facet, p, first + k);
    }
    if (!(across.norm() > kEqual)) continue;
    const Vec3 lowest = cap + radius / across.norm() * across;
    if (heightOver(facet, lowest) < least - kEqual * radius)
      addOnFacet(meeting, facet, lowest, first + kRimPoints);
  }
}

/// Of a point of the shape that is straight before a facet, or behind it and no nearer to another.
void SurfaceGap::addOnFacet(const Meeting& meeting, const Facet& facet, const Vec3& p, int feature) {
  const double height = heightOver(facet, p);
  if (height >= margin_) return;
  const bool straight = isStraight(facet, p);
  if (height < 0 && (straight || !meeting.surface->features().isOpen))
    return addBehindFacet(meeting, facet, p, feature);
  if (height >= 0 && straight && !isThere(meeting, facet, feature))
    add(meeting, p - height / 2 * facet.normal, -facet.normal, height, feature, planeOf(meeting, facet));
}

/// Of a point in the solid, the shortest way out: through a facet, or through an edge that is hollow from outside.
void SurfaceGap::addBehindFacet(const Meeting& meeting, const Facet& facet, const Vec3& p, int feature) {
  const Vec3 out = nearestPoint(facet, p) - p;
  const double depth = out.norm(), nearer = depth * (1 - kNearest);
  if (!(-heightOver(facet, p) >= kBehind * depth)) return;
  if (meeting.surface->distance(p, nearer) < nearer || isThere(meeting, facet, feature)) return;
  const auto begin = places_->begin() + static_cast<std::ptrdiff_t>(first_);
  const bool isSameWay = std::any_of(begin, places_->end(), [&](const RigidContactPoint& place) {
    return (meeting.surfaceIsB ? place.featureA : place.featureB) == feature && place.gap == -depth;
  });
  if (isSameWay && !isStraight(facet, p)) return;
  const Vec3 normal = depth > 0 ? Vec3(out / depth) : facet.normal;
  add(meeting, p + out / 2, -normal, -depth, feature, planeOf(meeting, facet));
}

int SurfaceGap::planeOf(const Meeting& meeting, const Facet& facet) {
  return meeting.surface->features().ofPlane(indexOf(*meeting.surface, facet));
}

/// Whether a feature of the shape has a place on a facet that is level with this one.
bool SurfaceGap::isThere(const Meeting& meeting, const Facet& facet, int feature) const {
  const int plane = planeOf(meeting, facet);
  const auto begin = places_->begin() + static_cast<std::ptrdiff_t>(first_);
  return std::any_of(begin, places_->end(), [&](const RigidContactPoint& place) {
    return (meeting.surfaceIsB ? place.featureA : place.featureB) == feature &&
           (meeting.surfaceIsB ? place.featureB : place.featureA) == plane;
  });
}

/// Of a shape through whose inside a facet passes, while what is foremost has come out on the other side: the facet that it is
/// least deep behind.
void SurfaceGap::shapeThroughFacets(const Meeting& meeting) {
  const ContactGeometry& shape = *meeting.shape;
  const Vec3 centre = meeting.X_SG * shape.centre;
  const Facet* best = nullptr;
  double highest = -std::numeric_limits<double>::infinity();
  searchNear(meeting, [&](const Facet& facet) {
    if (convexDistance(shape, meeting.X_GS * nearestPoint(facet, centre)).phi >= 0) return;
    const Vec3 foremost = meeting.X_SG * supportPoint(shape, -(meeting.X_GS.R * facet.normal));
    if (const double h = heightOver(facet, foremost); h > highest) highest = h, best = &facet;
  });
  if (best != nullptr)
    add(meeting, nearestPoint(*best, centre), -best->normal, highest, kWhole, planeOf(meeting, *best));
}

/// Of the other mesh, whose corners alone are looked at.
void SurfaceGap::cornersOnFacets(const Meeting& meeting) {
  const TriangleSurface& own = *meeting.shape->surface;
  const Vec3 centre = meeting.X_GS * Vec3((meeting.surface->lower() + meeting.surface->upper()) / 2);
  const Vec3 half = (meeting.surface->upper() - meeting.surface->lower()) / 2;
  const Vec3 reach = (meeting.X_GS.R.cwiseAbs() * half).array() + margin_;
  const auto meets = [&](const Vec3& c, const Vec3& h) {
    return ((c - centre).cwiseAbs() - h - reach).maxCoeff() <= 0;
  };
  own.search(meets, [&](const Facet& facet) {
    for (const int v : own.features().ownVertices[indexOf(own, facet)])
      if (v >= 0) cornerOnFacets(meeting, own.features().vertices[static_cast<std::size_t>(v)], v);
  });
}

void SurfaceGap::cornerOnFacets(const Meeting& meeting, const Vec3& p_G, int vertex) {
  const Vec3 p = meeting.X_SG * p_G;
  const double size = (meeting.surface->upper() - meeting.surface->lower()).norm();
  const double reach = std::max(margin_, (1 + kNearest) * meeting.surface->distance(p, size + margin_));
  const auto meets = [&](const Vec3& c, const Vec3& half) {
    return ((c - p).cwiseAbs() - half).cwiseMax(0.0).norm() <= reach;
  };
  meeting.surface->search(meets, [&](const Facet& facet) { addOnFacet(meeting, facet, p, vertex); });
}

}  // namespace slipstick

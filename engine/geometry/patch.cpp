#include "engine/geometry/patch.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/geometry/box_overlap.h"

namespace slipstick {
namespace {

// Polygons that carry less than this part of the largest one's force are dropped, and fade in up to twice of
// it, so that the total force stays continuous.
constexpr double kSliver = 1e-3;
// Where the pressure hardly changes along the normal, as on a side face along a normal that it contains,
// pressing harder meets no more resistance: such polygons fade out below this cosine.
constexpr double kFadingCosine = 0.05;
// Between two fields the normal lies between two faces that oppose each other: 22° from either where an edge
// meets a face, 30° where edges cross. A face with another's side makes 45°; such polygons carry next to
// nothing until bodies overlap deeply, and would then twist them apart. They fade out between these cosines.
constexpr double kFadeFrom = 0.80, kFadeTo = 0.72;
// Polygons narrower than this part of the patch need no points across.
constexpr double kNarrow = 0.02;

// More polygons than these get one point per group of similar ones.
constexpr std::size_t kManyPolygons = 24;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Of two springs in series [Pa/m].
double seriesSlope(double a, double b) {
  return std::isinf(a) ? b : (std::isinf(b) ? a : a * b / (a + b));
}

}  // namespace

PatchFinder::Slab PatchFinder::leastDepth(const Polytope& own, const Polytope& other,
                                          const Pose& X_OwnOther) {
  Slab slab;
  if (!other.bounded()) return slab;
  for (std::size_t i = 0; i < own.faces.size(); ++i) {
    const HalfSpace& plane = own.faces[i].plane;
    const Vec3 n = X_OwnOther.R.transpose() * plane.normal;
    double lowest = std::numeric_limits<double>::infinity();
    if (other.isBox)
      lowest = n.dot(other.centre) - n.cwiseAbs().dot(other.halfExtents);
    else
      for (const Vec3& v : other.vertices) lowest = std::min(lowest, n.dot(v));
    const double depth = plane.offset - plane.normal.dot(X_OwnOther.p) - lowest;
    if (depth < slab.depth) slab = {static_cast<int>(i), depth};
    if (depth <= 0) break;
  }
  return slab;
}

// A point of cell i at depth d projects into face i, at a distance of d. In the overlap d ≤ depth; so the
// face must come as near to the other's face, and to the own one where the overlap is.
void PatchFinder::selectNear(const Polytope& own, const Slab& ownSlab, const HalfSpace* otherFace,
                             double depth, std::vector<int>& selected) {
  selected.clear();
  if (!own.bounded()) {
    selected.push_back(0);
    return;
  }
  const std::size_t count = own.vertices.size();
  if (heights_.size() < count) heights_.resize(count), ownDepths_.resize(count);
  for (std::size_t v = 0; v < count; ++v) {
    heights_[v] = otherFace != nullptr ? otherFace->height(own.vertices[v]) - depth : -1;
    ownDepths_[v] =
        ownSlab.face >= 0 ? own.faces[at(ownSlab.face)].depth(own.vertices[v]) - ownSlab.depth - depth : -1;
  }
  for (std::size_t i = 0; i < own.faces.size(); ++i) {
    const Polytope::Face& face = own.faces[i];
    bool near = false, nearOwn = false;
    for (int c = face.vertexBegin; c < face.vertexEnd; ++c) {
      const std::size_t v = at(own.corners[at(c)]);
      near |= heights_[v] <= 0;
      nearOwn |= ownDepths_[v] <= 0;
    }
    if (near && nearOwn) selected.push_back(static_cast<int>(i));
  }
}

/// Against a half-space: the faces that oppose it. Of six, mayMatter() leaves no more than distances would.
void PatchFinder::selectOpposed(const Polytope& box, const Vec3& normal, std::vector<int>& selected) {
  selected.clear();
  for (std::size_t i = 0; i < box.faces.size(); ++i)
    if (box.faces[i].plane.normal.dot(normal) < 0) selected.push_back(static_cast<int>(i));
}

/// The faces that may carry a part of the patch. @return false: the bodies are apart
bool PatchFinder::selectFaces() {
  const Polytope &A = *a_->polytope, &B = *b_->polytope;
  const Slab slabA = leastDepth(A, B, X_AB_);
  if (slabA.depth <= 0) return false;
  const Slab slabB = leastDepth(B, A, X_BA_);
  if (slabB.depth <= 0) return false;
  slabDepth_ = std::min(slabA.depth, slabB.depth);
  const auto inFrame = [](const HalfSpace& h, const Pose& X) {
    const Vec3 n = X.R * h.normal;
    return HalfSpace{n, h.offset + n.dot(X.p)};
  };
  HalfSpace faceB_A, faceA_B;
  if (slabB.face >= 0) faceB_A = inFrame(B.faces[at(slabB.face)].plane, X_AB_);
  if (slabA.face >= 0) faceA_B = inFrame(A.faces[at(slabA.face)].plane, X_BA_);
  if (A.isBox && !B.bounded())
    selectOpposed(A, faceB_A.normal, facesA_);
  else
    selectNear(A, slabA, slabB.face >= 0 ? &faceB_A : nullptr, slabDepth_, facesA_);
  if (B.isBox && !A.bounded())
    selectOpposed(B, faceA_B.normal, facesB_);
  else
    selectNear(B, slabB, slabA.face >= 0 ? &faceA_B : nullptr, slabDepth_, facesB_);
  return true;
}

bool PatchFinder::selectBoxFaces() {
  const BoxOverlap overlap = BoxOverlap::of(a_->polytope->halfExtents, b_->polytope->halfExtents, X_AB_);
  slabDepth_ = overlap.depth;
  const auto list = [](unsigned faces, std::vector<int>& selected) {
    selected.clear();
    for (; faces != 0; faces &= faces - 1) selected.push_back(std::countr_zero(faces));
  };
  list(overlap.facesA, facesA_), list(overlap.facesB, facesB_);
  return overlap.depth > 0;
}

/// The plane of equal pressure of faces i and j, around the middle of the smaller body.
bool PatchFinder::placePlane(int i, int j, Polygon& polygon, PlaneFrame& plane_A) const {
  const Polytope &A = *a_->polytope, &B = *b_->polytope;
  const Polytope::Face &faceA = A.faces[at(i)], &faceB = B.faces[at(j)];
  const Vec3 nB = X_AB_.R * faceB.plane.normal;
  const double oB = faceB.plane.offset + nB.dot(X_AB_.p);
  Vec3 m;
  double w;
  if (a_->rigid()) {
    m = faceA.plane.normal, w = faceA.plane.offset;
  } else if (b_->rigid()) {
    m = -nB, w = -oB;
  } else {
    m = a_->slope * faceA.plane.normal - b_->slope * nB;
    const double length = m.norm();
    if (!(length > 1e-6 * (a_->slope + b_->slope))) return false;
    m /= length, w = (a_->slope * faceA.plane.offset - b_->slope * oB) / length;
  }
  const double cosA = faceA.plane.normal.dot(m), cosB = -nB.dot(m);
  if (!(cosA > 0 && cosB > 0)) return false;
  const double least = std::min(cosA, cosB);
  polygon.weight = a_->rigid() || b_->rigid()
                       ? std::min(least / kFadingCosine, 1.0)
                       : std::clamp((least - kFadeTo) / (kFadeFrom - kFadeTo), 0.0, 1.0);
  if (polygon.weight == 0) return false;
  polygon.gradientA = a_->slope * cosA, polygon.gradientB = b_->slope * cosB;  // infinite of a rigid one
  const bool aroundA = A.radius <= B.radius;
  const Vec3 centre = aroundA ? A.centre : X_AB_ * B.centre;
  const double distance = w - m.dot(centre);
  if (std::abs(distance) > (aroundA ? A.radius : B.radius)) return false;
  plane_A =
      PlaneFrame::make(centre + distance * m, m, aroundA ? faceA.tangent : Vec3(X_AB_.R * faceB.tangent));
  return true;
}

bool PatchFinder::clip(int i, int j, const PlaneFrame& plane_A, const PlaneFrame& plane_B) {
  struct Bounds {
    const HalfSpace* first;
    int count;
  };
  const auto boundsOf = [](const PatchBody& body, int f) -> Bounds {
    const Polytope& P = *body.polytope;
    const Polytope::Face& face = P.faces[at(f)];
    return body.rigid() ? Bounds{P.edgeBounds.data() + face.edgeBegin, face.edgeEnd - face.edgeBegin}
                        : Bounds{P.cellBounds.data() + face.cellBegin, face.cellEnd - face.cellBegin};
  };
  const auto cutBy = [this](const Bounds& bounds, const PlaneFrame& plane) {
    for (int k = 0; k < bounds.count; ++k)
      if (!clip_.keep(bounds.first[k], plane)) return false;
    return true;
  };
  // Both depths are positive where one is: the pressures are equal.
  const auto cutByFace = [&] {
    return a_->rigid() ? clip_.keep(b_->polytope->faces[at(j)].plane, plane_B)
                       : clip_.keep(a_->polytope->faces[at(i)].plane, plane_A);
  };
  // Bounds run counter-clockwise seen from outside of their body; the plane's normal points out of A, into B.
  const Bounds boundsA = boundsOf(*a_, i), boundsB = boundsOf(*b_, j);
  if (boundsA.count == 4 && clip_.startWithin(boundsA.first, false, plane_A))
    return cutByFace() && cutBy(boundsB, plane_B);
  if (boundsB.count == 4 && clip_.startWithin(boundsB.first, true, plane_B))
    return cutByFace() && cutBy(boundsA, plane_A);
  clip_.startSquare(std::min(a_->polytope->radius, b_->polytope->radius));
  return cutByFace() && cutBy(boundsA, plane_A) && cutBy(boundsB, plane_B);
}

/// Whether two faces, given the cosine between their outward normals, may carry more than a sliver's force.
/// The depths of a point of the overlap below both bodies' surfaces are no more than its thickness together:
/// this limits the pressure p. It rises from zero by the gradient's part g in the polygon's plane, so that the
/// polygon lies in a strip of width p / g, and its force is at most p² / 2g by the strip's length.
bool PatchFinder::mayMatter(double cosine) const {
  // The lesser cosine of a gradient and the polygon's normal is least / √whole.
  double least = -cosine, whole = 1;
  if (!a_->rigid() && !b_->rigid()) {
    const double sA = a_->slope, sB = b_->slope;
    least = std::min(sA - sB * cosine, sB - sA * cosine);
    whole = sA * sA + sB * sB - 2 * sA * sB * cosine;
    if (least * least <= kFadeTo * kFadeTo * whole) return false;
  }
  const double sliver = kSliver * mainForce_;
  return least > 0 && widest_ * widest_ * whole > (whole - least * least) * sliver * sliver;
}

void PatchFinder::cut(int i, int j) {
  Polygon polygon;
  PlaneFrame plane_A;
  if (!placePlane(i, j, polygon, plane_A)) return;
  const PlaneFrame plane_B = plane_A.inFrame(X_BA_);
  if (!clip(i, j, plane_A, plane_B)) return;
  const bool ofA = !a_->rigid();
  const HalfSpace& face = ofA ? a_->polytope->faces[at(i)].plane : b_->polytope->faces[at(j)].plane;
  const PlaneFrame& plane = ofA ? plane_A : plane_B;
  const double slope = ofA ? a_->slope : b_->slope;
  polygon.p0 = -slope * face.height(plane.origin);
  polygon.pu = -slope * face.normal.dot(plane.u), polygon.pv = -slope * face.normal.dot(plane.v);
  keep(ofA ? i : j, plane_A, polygon);
}

/// Stores what clip_ holds, if the pressure there is positive.
void PatchFinder::keep(int face, const PlaneFrame& plane_A, Polygon& polygon) {
  polygon.moments = PolygonMoments::of(clip_.data(), clip_.size());
  if (!(polygon.moments.area > 0) || !(polygon.force() > 0)) return;
  polygon.face = face;
  polygon.plane_W = plane_A.inFrame(*a_->X_WG);
  polygon.begin = static_cast<int>(corners_.size());
  corners_.insert(corners_.end(), clip_.data(), clip_.data() + clip_.size());
  polygon.end = static_cast<int>(corners_.size());
  polygons_.push_back(polygon);
}

void PatchFinder::fadeSlivers() {
  double largest = 0;
  for (const Polygon& polygon : polygons_) largest = std::max(largest, polygon.force());
  for (Polygon& polygon : polygons_)
    polygon.weight *= std::clamp(polygon.force() / (kSliver * largest) - 1, 0.0, 1.0);
  std::erase_if(polygons_, [](const Polygon& polygon) { return polygon.weight == 0; });
}

const std::vector<PatchFinder::Polygon>& PatchFinder::find(const PatchBody& a, const PatchBody& b) {
  a_ = &a, b_ = &b;
  polygons_.clear(), corners_.clear();
  X_AB_ = a.X_WG->inverse() * *b.X_WG, X_BA_ = X_AB_.inverse();
  const Polytope &A = *a.polytope, &B = *b.polytope;
  if (!(A.isBox && B.isBox ? selectBoxFaces() : selectFaces())) return polygons_;

  // The most opposed faces first: they carry the most, and tell what the others need to matter.
  normalsB_.clear();
  for (const int j : facesB_) normalsB_.push_back(X_AB_.R * B.faces[at(j)].plane.normal);
  int mainA = -1, mainB = -1;
  double least = 2;
  for (const int i : facesA_)
    for (std::size_t k = 0; k < facesB_.size(); ++k) {
      const double cosine = A.faces[at(i)].plane.normal.dot(normalsB_[k]);
      if (cosine < least) least = cosine, mainA = i, mainB = facesB_[k];
    }
  if (mainA < 0) return polygons_;
  mainForce_ = 0;
  const double highest = slabDepth_ * seriesSlope(a.slope, b.slope);
  widest_ = highest * highest / std::min(a.slope, b.slope) * std::min(A.radius, B.radius);
  cut(mainA, mainB);
  if (!polygons_.empty()) mainForce_ = polygons_.front().force();
  for (const int i : facesA_)
    for (std::size_t k = 0; k < facesB_.size(); ++k) {
      const int j = facesB_[k];
      if (i == mainA && j == mainB) continue;
      if (mayMatter(A.faces[at(i)].plane.normal.dot(normalsB_[k]))) cut(i, j);
    }
  fadeSlivers();
  return polygons_;
}

const std::vector<PatchFinder::Polygon>& PatchFinder::findFacets(const PatchBody& a, const TriangleSurface& b,
                                                                 const Pose& X_WB) {
  a_ = &a;
  polygons_.clear(), corners_.clear();
  X_AB_ = a.X_WG->inverse() * X_WB;
  const Polytope& A = *a.polytope;
  const Mat3 reach = X_AB_.R.cwiseAbs();
  const auto meets = [&](const Vec3& centre, const Vec3& half) {
    return (((X_AB_ * centre - A.centre).cwiseAbs() - reach * half - A.halfExtents).array() <= 0).all();
  };
  b.search(meets, [&](const Facet& f) {
    cutFacet({{X_AB_ * f.corners[0], X_AB_ * f.corners[1], X_AB_ * f.corners[2]}, X_AB_.R * f.normal});
  });
  return polygons_;
}

/// The part of a triangle within A, then of that the part within each cell.
void PatchFinder::cutFacet(const Facet& facet) {
  const Polytope& A = *a_->polytope;
  // The plane's frame depends on the plane only: coplanar triangles share it, up to rounding.
  const Vec3 normal = -facet.normal;
  const double distance = normal.dot(facet.corners[0] - A.centre);
  if (std::abs(distance) > A.radius) return;
  const PlaneFrame plane = PlaneFrame::make(A.centre + distance * normal, normal, A.faces.front().tangent);
  ClipPolygon::Point corners[3];
  for (int k = 0; k < 3; ++k) {  // seen from inside the mesh the triangle runs clockwise
    const Vec3 r = facet.corners[2 - k] - plane.origin;
    corners[k] = {plane.u.dot(r), plane.v.dot(r)};
  }
  clip_.start(corners, 3);
  for (const Polytope::Face& face : A.faces)
    if (!clip_.keep(face.plane, plane)) return;
  cutFacetByCells(plane);
}

void PatchFinder::cutFacetByCells(const PlaneFrame& plane) {
  const Polytope& A = *a_->polytope;
  facet_.assign(clip_.data(), clip_.data() + clip_.size());
  least_.resize(A.faces.size());
  double bound = std::numeric_limits<double>::infinity();  // of the depth within the polygon
  for (std::size_t i = 0; i < A.faces.size(); ++i) {
    double least = bound, most = 0;
    for (std::size_t k = 0; k < facet_.size(); ++k) {
      const double depth = A.faces[i].depth(plane.at(facet_[k].x, facet_[k].y));
      least = k == 0 ? depth : std::min(least, depth), most = std::max(most, depth);
    }
    least_[i] = least, bound = std::min(bound, most);
  }
  for (std::size_t i = 0; i < A.faces.size(); ++i) {
    const Polytope::Face& face = A.faces[i];
    const double cosine = face.plane.normal.dot(plane.normal);
    if (least_[i] > bound || !(cosine > 0)) continue;
    clip_.start(facet_.data(), static_cast<int>(facet_.size()));
    bool left = true;
    for (int k = face.cellBegin; left && k < face.cellEnd; ++k) left = clip_.keep(A.cellBounds[at(k)], plane);
    if (!left) continue;
    Polygon polygon;
    polygon.weight = std::min(cosine / kFadingCosine, 1.0);
    polygon.gradientA = a_->slope * cosine;
    polygon.gradientB = PatchBody::kRigid;
    polygon.p0 = a_->slope * face.depth(plane.origin);
    polygon.pu = -a_->slope * face.plane.normal.dot(plane.u),
    polygon.pv = -a_->slope * face.plane.normal.dot(plane.v);
    keep(static_cast<int>(i), plane, polygon);
  }
}

/// In one cell and one plane the pressure is one affine function: its polygons are one area for the
/// quadrature. They come one soon after the other, as the search tree finds neighbours together.
const std::vector<PatchFinder::Polygon>& PatchFinder::mergeCoplanar() {
  constexpr std::size_t kWindow = 32;
  merged_.clear();
  for (const Polygon& polygon : polygons_) {
    const auto begin = merged_.end() - static_cast<std::ptrdiff_t>(std::min(kWindow, merged_.size()));
    const auto same = std::find_if(begin, merged_.end(), [&](const Polygon& m) {
      return m.face == polygon.face && (m.plane_W.normal - polygon.plane_W.normal).norm() < 1e-9 &&
             (m.plane_W.origin - polygon.plane_W.origin).norm() < 1e-9 * (1 + m.plane_W.origin.norm());
    });
    if (same == merged_.end()) {
      merged_.push_back(polygon);
      continue;
    }
    PolygonMoments part = polygon.moments;
    part.area *= polygon.weight / same->weight;
    same->moments = PolygonMoments::sum(same->moments, part);
  }
  return merged_;
}

/// Many small polygons, as on finely curved surfaces, become one point for each group of near ones with
/// similar normals: with the sum of their forces, at the centre of their pressure.
void PatchFinder::appendGroups(const std::vector<Polygon>& polygons, const PatchLaw& law,
                               RigidContactSet& contacts) {
  constexpr double kSimilar = 0.95, kNear = 0.3;  // cosine of the normals; part of the patch's extent
  const auto centreOf = [](const Polygon& polygon) {
    return polygon.plane_W.at(polygon.moments.x, polygon.moments.y);
  };
  double extent = 0;
  for (const Polygon& polygon : polygons)
    extent = std::max(extent, (centreOf(polygon) - centreOf(polygons.front())).squaredNorm());
  groups_.clear();
  for (const Polygon& polygon : polygons) {
    const Vec3 p = centreOf(polygon);
    const double force = polygon.weight * polygon.force();
    const double stiffness =
        polygon.weight * polygon.moments.area * seriesSlope(polygon.gradientA, polygon.gradientB);
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) {
      return g.first->plane_W.normal.dot(polygon.plane_W.normal) > kSimilar &&
             (g.seed - p).squaredNorm() < kNear * kNear * extent;
    });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{&polygon, p});
    group->force += force * polygon.plane_W.normal;
    group->moment += force * (p - group->seed);
    group->sum += force, group->stiffness += stiffness;
    group->pressure += force * polygon.pressure(polygon.moments.x, polygon.moments.y);
  }
  for (const Group& g : groups_) {
    if (!(g.sum > 0 && g.stiffness > 0)) continue;
    RigidContactPoint point;
    point.p_W = g.seed + g.moment / g.sum;
    point.normal_W = g.force.normalized();
    point.pressure = g.pressure / g.sum;
    point.gap = -(point.pressure / law.slope);
    contacts.add(point, {.force = g.force.norm(), .stiffness = g.stiffness, .dissipation = law.dissipation});
  }
}

namespace {

/// Writes the points of one polygon.
class Quadrature {
 public:
  Quadrature(const PatchFinder::Polygon& polygon, const PatchLaw& law, RigidContactSet& contacts)
      : polygon_(polygon),
        law_(law),
        contacts_(contacts),
        gradient_(seriesSlope(polygon.gradientA, polygon.gradientB)) {}

  /// @param size  squared length that counts as long [m²]
  void add(double size) {
    const PolygonMoments& m = polygon_.moments;
    const double longest = m.largest(), narrow = kNarrow * kNarrow * size;
    if (longest < narrow) {
      point(0, 0, 1);
    } else if (m.smallest() < kNarrow * kNarrow * std::max(longest, size)) {
      const bool alongX = m.xx >= m.yy;
      double ex = alongX ? longest - m.yy : m.xy, ey = alongX ? m.xy : longest - m.xx;
      const double scale = std::sqrt(longest) / std::hypot(ex, ey);
      ex *= scale, ey *= scale;
      point(ex, ey, 0.5), point(-ex, -ey, 0.5);
    } else {
      // Any root R of the second moments R Rᵀ would do; the symmetric one is continuous and, where the
      // polygon is as long as wide, keeps the directions of the body's edges.
      const double s = std::sqrt(std::max(m.xx * m.yy - m.xy * m.xy, 0.0));
      const double t = std::sqrt(m.xx + m.yy + 2 * s);
      const double rxx = (m.xx + s) / t, rxy = m.xy / t, ryy = (m.yy + s) / t;
      for (const double u : {-1.0, 1.0})
        for (const double v : {-1.0, 1.0}) point(rxx * u + rxy * v, rxy * u + ryy * v, 0.25);
    }
  }

 private:
  void point(double dx, double dy, double share) {
    const double x = polygon_.moments.x + dx, y = polygon_.moments.y + dy;
    const double area = share * polygon_.weight * polygon_.moments.area;
    RigidContactPoint point;
    point.p_W = polygon_.plane_W.at(x, y);
    point.normal_W = polygon_.plane_W.normal;
    point.pressure = std::max(polygon_.pressure(x, y), 0.0);
    point.gap = -(point.pressure / law_.slope);
    contacts_.add(
        point,
        {.force = area * point.pressure, .stiffness = area * gradient_, .dissipation = law_.dissipation});
  }

  const PatchFinder::Polygon& polygon_;
  const PatchLaw& law_;
  RigidContactSet& contacts_;
  double gradient_;
};

/// The softer side deforms more and so damps more.
double combinedDissipation(const PatchBody& a, const PatchBody& b) {
  if (a.rigid()) return b.dissipation;
  if (b.rigid()) return a.dissipation;
  return (b.slope * a.dissipation + a.slope * b.dissipation) / (a.slope + b.slope);
}

}  // namespace

void PatchFinder::append(const PatchBody& a, const PatchBody& b, RigidContactSet& contacts) {
  if (polygons_.empty()) return;
  const PatchLaw law{combinedDissipation(a, b), seriesSlope(a.slope, b.slope)};
  double radius = a.polytope->radius;
  if (b.polytope != nullptr) radius = std::min(radius, b.polytope->radius);
  double size = std::pow(0.05 * radius, 2);
  // Only triangles make several polygons in one cell and one plane.
  const std::vector<Polygon>& areas = b.polytope != nullptr ? polygons_ : mergeCoplanar();
  for (const Polygon& polygon : areas) size = std::max(size, polygon.moments.largest());
  if (areas.size() > kManyPolygons)
    appendGroups(areas, law, contacts);
  else
    for (const Polygon& polygon : areas) Quadrature(polygon, law, contacts).add(size);
  for (const Polygon& polygon : polygons_) {
    for (int c = polygon.begin; c < polygon.end; ++c) {
      const ClipPolygon::Point& corner = corners_[at(c)];
      contacts.vertices.push_back({polygon.plane_W.at(corner.x, corner.y).cast<float>(),
                                   static_cast<float>(std::max(polygon.pressure(corner.x, corner.y), 0.0))});
    }
    contacts.polygonEnds.push_back(static_cast<int>(contacts.vertices.size()));
  }
}

}  // namespace slipstick

#include "engine/geometry/round_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/geometry/polytope_gap.h"

namespace slipstick {
namespace {

// Features of a cylinder: the nearest place; of each end four rim points and the lowest one; caps; the ends of a line that is cut
// off; crossings with a cap's outline, two of each; its side, where corners are near.
constexpr int kNearest = 0, kFirstRim = 1, kRimPoints = 4, kLowest = 4, kPerEnd = 5;
constexpr int kFirstCap = 11, kFirstCut = 13, kFirstCrossing = 15, kSide = 19;

// As in PolytopeGap, parts of the smaller body's size.
constexpr double kAsGood = 1e-3, kBeside = 1e-3, kLonger = 1e-6, kEqual = 1e-9;
constexpr double kClearlyLess = 0.95;
// Cosines: of flats that face each other; of the axis of a cylinder that lies on a plane, or whose side alone is near; of normals
// that agree.
constexpr double kFacing = 0.9, kLying = 0.5, kAcross = 0.1, kAgree = 0.9;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

int rimFeature(int end, int k) {
  return kFirstRim + kPerEnd * end + k;
}

}  // namespace

Vec3 RoundGap::Solid::support(const Vec3& direction) const {
  return X_WG * supportPoint(*geometry, X_WG.R.transpose() * direction);
}

ConvexDistance RoundGap::Solid::distance(const Vec3& p) const {
  const ConvexDistance d = convexDistance(*geometry, X_WG.R.transpose() * (p - X_WG.p));
  return {d.phi, X_WG.R * d.normal};
}

int RoundGap::Flat::corners() const {
  if (solid->isRound()) return 0;
  const Polytope::Face& face = solid->geometry->polytope.faces[at(index)];
  return face.vertexEnd - face.vertexBegin;
}

int RoundGap::Flat::corner(int k) const {
  const Polytope& polytope = solid->geometry->polytope;
  return polytope.corners[at(polytope.faces[at(index)].vertexBegin + k % corners())];
}

Vec3 RoundGap::Flat::cornerAt(int k) const {
  return solid->X_WG * solid->geometry->polytope.vertices[at(corner(k))];
}

int RoundGap::Flat::edge(int k) const {
  const Polytope& polytope = solid->geometry->polytope;
  const int from = corner(k), to = corner(k + 1);
  const auto edge = std::find_if(polytope.edges.begin(), polytope.edges.end(), [&](const Polytope::Edge& e) {
    return std::minmax(e.from, e.to) == std::minmax(from, to);
  });
  return static_cast<int>(polytope.vertices.size()) + static_cast<int>(edge - polytope.edges.begin());
}

int RoundGap::Flat::feature() const {
  const Polytope& polytope = solid->geometry->polytope;
  return solid->isRound() ? kFirstCap + index
                          : static_cast<int>(polytope.vertices.size() + polytope.edges.size()) + index;
}

/// How far a point is beside the flat's outline, seen along its normal; negative inside [m].
double RoundGap::Flat::beside(const Vec3& p) const {
  const Vec3 r = p - point;
  if (solid->isRound()) return (r - r.dot(normal) * normal).norm() - solid->radius();
  double farthest = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < corners(); ++k) {
    const Vec3 from = cornerAt(k);
    farthest = std::max(farthest, (cornerAt(k + 1) - from).cross(normal).normalized().dot(p - from));
  }
  return farthest;
}

/// The shares 0 … 1 of the segment from p to q between which it lies within the flat's outline.
bool RoundGap::Flat::cut(const Vec3& p, const Vec3& q, double& begin, double& end) const {
  begin = 0, end = 1;
  if (solid->isRound()) {
    const Vec3 along = q - p - (q - p).dot(normal) * normal, r = p - point - (p - point).dot(normal) * normal;
    const double aa = along.squaredNorm(), ar = along.dot(r);
    const double root = ar * ar - aa * (r.squaredNorm() - solid->radius() * solid->radius());
    if (!(aa > 0 && root > 0)) return false;
    begin = std::max(begin, (-ar - std::sqrt(root)) / aa), end = std::min(end, (-ar + std::sqrt(root)) / aa);
    return begin < end;
  }
  for (int k = 0; k < corners(); ++k) {
    const Vec3 from = cornerAt(k), out = (cornerAt(k + 1) - from).cross(normal);
    const double h = out.dot(p - from), next = out.dot(q - from);
    if (h > 0 && next > 0) return false;
    if (h > 0) begin = std::max(begin, h / (h - next));
    if (next > 0) end = std::min(end, h / (h - next));
  }
  return begin < end;
}

int RoundGap::flatCount(const Solid& solid) {
  return solid.isRound() ? 2 : static_cast<int>(solid.geometry->polytope.faces.size());
}

RoundGap::Flat RoundGap::flatOf(const Solid& solid, int index) {
  Flat flat;
  flat.solid = &solid, flat.index = index;
  if (solid.isRound()) {
    flat.normal = (index == 0 ? -1 : 1) * solid.axis(), flat.point = solid.cap(index);
    return flat;
  }
  const HalfSpace& plane = solid.geometry->polytope.faces[at(index)].plane;
  flat.normal = solid.X_WG.R * plane.normal;
  flat.point = solid.X_WG * Vec3(plane.offset * plane.normal);
  return flat;
}

/// The flat that keeps the other one farthest off.
RoundGap::Flat RoundGap::bestFlat(const Solid& own, const Solid& other) {
  Flat best;
  best.gap = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < flatCount(own); ++i) {
    Flat flat = flatOf(own, i);
    flat.gap = flat.normal.dot(other.support(-flat.normal) - flat.point);
    if (flat.gap > best.gap) best = flat;
  }
  return best;
}

RoundGap::Flat RoundGap::opposedFlat(const Solid& solid, const Vec3& normal) {
  Flat best = flatOf(solid, 0);
  for (int i = 1; i < flatCount(solid); ++i)
    if (const Flat flat = flatOf(solid, i); flat.normal.dot(normal) < best.normal.dot(normal)) best = flat;
  return best;
}

void RoundGap::find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
                    double margin, std::vector<RigidContactPoint>& places) {
  ConvexGap::Result nearest;
  if (!gap_.find(a, X_WA, b, X_WB, margin, nearest)) return;
  a_ = {&a, X_WA}, b_ = {&b, X_WB}, margin_ = margin, places_ = &places;
  size_ = std::min(a.halfExtents.maxCoeff(), b.halfExtents.maxCoeff());
  if (a.kind == ContactKind::Ellipsoid || b.kind == ContactKind::Ellipsoid) return addNearest(nearest);
  const Flat ofA = bestFlat(a_, b_), ofB = bestFlat(b_, a_);
  const bool isA = ofA.gap >= ofB.gap - kAsGood * size_;
  const double highest = std::max(ofA.gap, ofB.gap);
  double least = std::numeric_limits<double>::infinity();
  const bool isApart = nearest.gap > 0;
  if (isApart || !(nearest.gap > kClearlyLess * highest))
    least = isA ? manifold(ofA, b_, isApart) : manifold(ofB, a_, isApart);
  const double enough = nearest.gap + std::max(kLonger * size_, nearest.error);
  if (least > enough && std::min(least, lines(nearest.normal_W)) > enough) addNearest(nearest);
}

void RoundGap::addNearest(const ConvexGap::Result& nearest) {
  places_->push_back({.p_W = (nearest.onA_W + nearest.onB_W) / 2,
                      .normal_W = nearest.normal_W,
                      .gap = nearest.gap,
                      .featureA = kNearest,
                      .featureB = kNearest});
}

/// The parts of the other shape that lie straight before a flat. @return the least gap of their places
double RoundGap::manifold(const Flat& flat, const Solid& other, bool isApart) {
  flat_ = flat, lowest_ = (isApart ? 0 : flat.gap) - kLonger * size_;
  least_ = std::numeric_limits<double>::infinity();
  const Flat incident = opposedFlat(other, flat.normal);
  const bool hasAllRim = other.isRound() && rims(other);
  if (!other.isRound()) outlineOver(incident);
  if (flat.normal.dot(incident.normal) < -kFacing) outlineUnder(incident, hasAllRim);
  return least_;
}

bool RoundGap::isBefore(const Flat& flat, const Vec3& p) const {
  return flat.beside(p) <= kBeside * size_;
}

/// Of a point at a height over the flat; the place is half-way between.
void RoundGap::addPlace(const Vec3& p, double gap, int referenceFeature, int otherFeature) {
  if (gap < lowest_ || gap >= margin_) return;
  const bool ofA = flat_.solid == &a_;
  least_ = std::min(least_, gap);
  places_->push_back({.p_W = p,
                      .normal_W = ofA ? flat_.normal : Vec3(-flat_.normal),
                      .gap = gap,
                      .featureA = ofA ? referenceFeature : otherFeature,
                      .featureB = ofA ? otherFeature : referenceFeature});
}

/// Of a point of the other shape.
void RoundGap::addOver(const Vec3& p, int feature, int referenceFeature) {
  const double gap = flat_.normal.dot(p - flat_.point);
  addPlace(p - gap / 2 * flat_.normal, gap, referenceFeature, feature);
}

/// Of a point of the flat, below the other shape's.
void RoundGap::addUnder(const Flat& incident, const Vec3& p, int feature, int incidentFeature) {
  const double gap = incident.normal.dot(incident.point - p) / incident.normal.dot(flat_.normal);
  addPlace(p + gap / 2 * flat_.normal, gap, feature, incidentFeature);
}

/// Four points of each rim, and the lowest one where it is lower than these; where that line is cut off, its ends.
/// @return whether all four of one rim are before the flat
bool RoundGap::rims(const Solid& cylinder) {
  const Vec3 axis = cylinder.axis(), &up = flat_.normal;
  const Vec3 across = -up + up.dot(axis) * axis;
  bool hasAll = false;
  for (const int end : {0, 1}) {
    int before = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kRimPoints; ++k) {
      const Vec3 p = cylinder.rim(end, k);
      least = std::min(least, up.dot(p - flat_.point));
      if (!isBefore(flat_, p)) continue;
      ++before, addOver(p, rimFeature(end, k), flat_.feature());
    }
    hasAll = hasAll || (before == kRimPoints && least < margin_);
    if (!(across.norm() > kEqual)) continue;
    const Vec3 lowest = cylinder.cap(end) + cylinder.radius() / across.norm() * across;
    if (up.dot(lowest - flat_.point) < least - kEqual * cylinder.radius() && isBefore(flat_, lowest))
      addOver(lowest, rimFeature(end, kLowest), flat_.feature());
  }
  if (std::abs(up.dot(axis)) < kLying) line(cylinder, cylinder.radius() / across.norm() * across);
  return hasAll;
}

/// The ends of the lowest line where it reaches beyond the flat.
/// @param down  from the axis
void RoundGap::line(const Solid& cylinder, const Vec3& down) {
  const Vec3 p = cylinder.cap(0) + down, q = cylinder.cap(1) + down;
  double begin, end;
  if (!flat_.cut(p, q, begin, end)) return;
  if (!isBefore(flat_, p)) addOver(p + begin * (q - p), kFirstCut, flat_.feature());
  if (!isBefore(flat_, q)) addOver(p + end * (q - p), kFirstCut + 1, flat_.feature());
}

/// Corners of a face before a cap, and where its sides leave that.
void RoundGap::outlineOver(const Flat& incident) {
  for (int k = 0; k < incident.corners(); ++k)
    if (const Vec3 p = incident.cornerAt(k); isBefore(flat_, p))
      addOver(p, incident.corner(k), flat_.feature());
  sidesOfFace(incident, flat_, [&](const Vec3& p, int side, int crossing) { addOver(p, side, crossing); });
}

/// What of the flat's outline is below the other shape's opposed flat.
void RoundGap::outlineUnder(const Flat& incident, bool hasAllRim) {
  const auto add = [&](const Vec3& p, int feature) {
    if (isBefore(incident, p)) addUnder(incident, p, feature, incident.feature());
  };
  for (int k = 0; k < flat_.corners(); ++k) add(flat_.cornerAt(k), flat_.corner(k));
  if (flat_.solid->isRound() && !hasAllRim)
    for (int k = 0; k < kRimPoints; ++k) add(flat_.solid->rim(flat_.index, k), rimFeature(flat_.index, k));
  if (!flat_.solid->isRound())
    sidesOfFace(flat_, incident,
                [&](const Vec3& p, int side, int crossing) { addUnder(incident, p, side, crossing); });
  else if (incident.solid->isRound())
    circles(incident);
}

/// Where the sides of a face cross the outline of a cap, more than barely.
template <class Add>
void RoundGap::sidesOfFace(const Flat& face, const Flat& cap, Add add) const {
  const int crossing = kFirstCrossing + 2 * cap.index;
  for (int k = 0; k < face.corners(); ++k) {
    const Vec3 p = face.cornerAt(k), q = face.cornerAt(k + 1);
    double begin, end;
    if (!cap.cut(p, q, begin, end) || !(cap.beside(p + (begin + end) / 2 * (q - p)) < -kBeside * size_))
      continue;
    if (!isBefore(cap, p)) add(p + begin * (q - p), face.edge(k), crossing);
    if (!isBefore(cap, q)) add(p + end * (q - p), face.edge(k), crossing + 1);
  }
}

/// Where the outlines of two caps cross.
void RoundGap::circles(const Flat& incident) {
  const Vec3 r = incident.point - flat_.point, shift = r - r.dot(flat_.normal) * flat_.normal;
  const double own = flat_.solid->radius(), other = incident.solid->radius(), d = shift.norm();
  if (!(d > std::abs(own - other) + kBeside * size_ && d < own + other)) return;
  const double along = (d * d + own * own - other * other) / (2 * d);
  const double aside = std::sqrt(std::max(own * own - along * along, 0.0));
  for (const int side : {0, 1}) {
    const Vec3 across = (side == 0 ? -1 : 1) * flat_.normal.cross(shift) / d;
    addUnder(incident, flat_.point + along / d * shift + aside * across,
             kFirstCrossing + 2 * flat_.index + side, kFirstCrossing + 2 * incident.index + side);
  }
}

/// The ends of the lines where sides of cylinders are near. @return the least of their gaps
double RoundGap::lines(const Vec3& normal) {
  double least = std::numeric_limits<double>::infinity();
  if (lineEnds(a_, b_, normal, least) < 2) lineEnds(b_, a_, -normal, least);
  return least;
}

/// Straight from the axis to the other shape, where that is about along the normal. @return how many there are
int RoundGap::lineEnds(const Solid& own, const Solid& other, const Vec3& outOfOwn, double& least) {
  if (!own.isRound()) return cornersAtLine(own, other, outOfOwn, least);
  const Vec3 axis = own.axis();
  if (std::abs(outOfOwn.dot(axis)) > kAcross) return 0;
  int count = 0;
  for (const int end : {0, 1}) {
    const Vec3 straight = -other.distance(own.cap(end)).normal;
    const Vec3& n = straight.dot(outOfOwn) > kAgree ? straight : outOfOwn;
    const Vec3 across = (n - n.dot(axis) * axis).normalized();
    count += addPoint(own.cap(end) + own.radius() * across, own, other, outOfOwn, rimFeature(end, kLowest),
                      kNearest, least);
  }
  return count;
}

/// Corners of a polytope at the side of a cylinder.
int RoundGap::cornersAtLine(const Solid& own, const Solid& other, const Vec3& outOfOwn, double& least) {
  if (std::abs(outOfOwn.dot(other.axis())) > kAcross) return 0;
  int count = 0;
  const std::vector<Vec3>& vertices = own.geometry->polytope.vertices;
  for (std::size_t v = 0; v < vertices.size(); ++v)
    count += addPoint(own.X_WG * vertices[v], own, other, outOfOwn, static_cast<int>(v), kSide, least);
  return count;
}

/// A point of the one with its distance from the other. @return whether it is near, in about the same direction
bool RoundGap::addPoint(const Vec3& p, const Solid& own, const Solid& other, const Vec3& outOfOwn,
                        int feature, int otherFeature, double& least) {
  const ConvexDistance d = other.distance(p);
  const Vec3& outward = d.normal;
  if (d.phi >= margin_ || outward.dot(outOfOwn) > -kAgree) return false;
  const bool ofA = &own == &a_;
  least = std::min(least, d.phi);
  places_->push_back({.p_W = p - d.phi / 2 * outward,
                      .normal_W = ofA ? Vec3(-outward) : outward,
                      .gap = d.phi,
                      .featureA = ofA ? feature : otherFeature,
                      .featureB = ofA ? otherFeature : feature});
  return true;
}

}  // namespace slipstick

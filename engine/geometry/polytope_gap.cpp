#include "engine/geometry/polytope_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/geometry/convex_query.h"

namespace slipstick {
namespace {

// Parts of the smaller body's size. Faces that keep the bodies apart nearly as far are as good: the first one's is taken, so
// that its features last. Corners beside a face by no more are before it: what lies flush on it keeps them as it moves a little.
constexpr double kAsGood = 1e-3, kBeside = 1e-3;
constexpr double kLonger = 1e-6, kEqual = 1e-9;  // gaps that differ by less are the same, by rounding
// Edges that cross less deep than this part of the depth below a face decide.
constexpr double kClearlyLess = 0.95;
constexpr double kParallel = 1e-8;  // sine between two edges

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Where two segments from p along d and from q along e come nearest; shares 0 … 1 of d and e.
struct SegmentShares {
  double s, t;
  bool isInside;  ///< of both
};

SegmentShares nearestShares(const Vec3& p, const Vec3& d, const Vec3& q, const Vec3& e) {
  const Vec3 r = p - q;
  const double dd = d.squaredNorm(), ee = e.squaredNorm(), de = d.dot(e), dr = d.dot(r), er = e.dot(r);
  const double denominator = dd * ee - de * de;
  if (!(denominator > kParallel * kParallel * dd * ee)) return {0, 0, false};
  const double s = (de * er - ee * dr) / denominator, t = (dd * er - de * dr) / denominator;
  return {s, t, s > 0 && s < 1 && t > 0 && t < 1};
}

}  // namespace

void PolytopeGap::place(Hull& hull, const ContactGeometry& geometry, const Pose& X_AG) {
  hull.geometry = &geometry, hull.X_AG = X_AG;
  hull.vertices.clear(), hull.planes.clear();
  for (const Vec3& v : geometry.polytope.vertices) hull.vertices.push_back(X_AG * v);
  for (const Polytope::Face& face : geometry.polytope.faces) {
    const Vec3 n = X_AG.R * face.plane.normal;
    hull.planes.push_back({n, face.plane.offset + n.dot(X_AG.p)});
  }
}

void PolytopeGap::find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
                       double margin, std::vector<RigidContactPoint>& places) {
  place(a_, a, Pose()), place(b_, b, X_WA.inverse() * X_WB);
  size_ = std::min(a.polytope.radius, b.polytope.radius);
  places_ = &places;
  edgePairs_ = 0;
  const std::size_t first = places.size();
  const FaceAxis ofA = faceAxis(a_, b_), ofB = faceAxis(b_, a_);
  const bool isA = ofA.gap >= ofB.gap - kAsGood * size_;
  const FaceAxis& face = isA ? ofA : ofB;
  if (std::max(ofA.gap, ofB.gap) >= margin) return;
  const EdgeAxis edges = edgeAxis(std::max(ofA.gap, ofB.gap));
  if (edges.gap >= margin) return;
  if (edges.gap > 0) {
    const Nearest least = nearest(edges.isFound ? edges.normal : outOfA(isA, face));
    if (least.distance >= margin) return;
    if (faceManifold(isA, face, 0, margin) > least.distance + kLonger * size_) addNearest(least, first);
  } else if (edges.isFound && edges.gap > kClearlyLess * std::max(ofA.gap, ofB.gap)) {
    addEdges(edges);
  } else if (faceManifold(isA, face, face.gap, margin) > face.gap + kLonger * size_) {
    const Hull &reference = isA ? a_ : b_, &other = isA ? b_ : a_;
    addFace(isA, reference.planes[at(face.face)],
            {other.vertices[at(face.vertex)], face.vertex, reference.ofFace(face.face), 0, false}, face.gap);
  }
  moveToWorld(X_WA, first);
}

PolytopeGap::FaceAxis PolytopeGap::faceAxis(Hull& own, const Hull& other) {
  FaceAxis best;
  own.nearest.clear();
  best.gap = -std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < own.planes.size(); ++f) {
    FaceAxis axis{static_cast<int>(f), -1, std::numeric_limits<double>::infinity()};
    for (std::size_t v = 0; v < other.vertices.size(); ++v)
      if (const double h = own.planes[f].height(other.vertices[v]); h < axis.gap)
        axis.gap = h, axis.vertex = static_cast<int>(v);
    own.nearest.push_back(axis.vertex);
    if (axis.gap > best.gap) best = axis;
  }
  return best;
}

/// Of the directions across two edges, the one of most gap, where that is more than `least` [m].
PolytopeGap::EdgeAxis PolytopeGap::edgeAxis(double least) {
  EdgeAxis best;
  best.gap = least;
  edgesAbove(least, a_, b_, edgesA_), edgesAbove(least, b_, a_, edgesB_);
  edgePairs_ += static_cast<long>(edgesA_.size()) * static_cast<long>(edgesB_.size());
  for (const std::size_t a : edgesA_)
    for (const std::size_t b : edgesB_) tryEdges(a, b, best);
  return best;
}

/// The edges of the one across which there can be more gap than `least` [m]. With n and m the normals beside an edge from p, a
/// direction between them is αn + βm with 1 ≤ α + β ≤ 2 / |n + m|, and the gap along it at most α n·(q − p) + β m·(q − p) for any
/// corner q of the other body: where both heights are low, it is.
void PolytopeGap::edgesAbove(double least, const Hull& own, const Hull& other,
                             std::vector<std::size_t>& edges) {
  edges.clear();
  for (std::size_t e = 0; e < own.polytope().edges.size(); ++e) {
    const int left = own.polytope().edges[e].left, right = own.polytope().edges[e].right;
    const HalfSpace &n = own.planes[at(left)], &m = own.planes[at(right)];
    const double low = least > 0 ? least * (n.normal + m.normal).norm() / 2 : least;
    const auto isLow = [&](int corner) {
      const Vec3& q = other.vertices[at(corner)];
      return n.height(q) <= low && m.height(q) <= low;
    };
    if (!isLow(own.nearest[at(left)]) && !isLow(own.nearest[at(right)])) edges.push_back(e);
  }
}

/// Two edges bound the difference of the bodies where the arcs between the normals beside them cross on the sphere.
void PolytopeGap::tryEdges(std::size_t a, std::size_t b, EdgeAxis& best) const {
  const Polytope::Edge &edgeA = a_.polytope().edges[a], &edgeB = b_.polytope().edges[b];
  const Vec3 &n1 = a_.planes[at(edgeA.left)].normal, &n2 = a_.planes[at(edgeA.right)].normal;
  const Vec3 m1 = -b_.planes[at(edgeB.left)].normal, m2 = -b_.planes[at(edgeB.right)].normal;
  const Vec3 arcA = n1.cross(n2);
  const double m1A = m1.dot(arcA), m2A = m2.dot(arcA);
  if (!(m1A * m2A < 0)) return;
  const Vec3 arcB = m1.cross(m2);
  const double n1B = n1.dot(arcB), n2B = n2.dot(arcB);
  if (!(n1B * n2B < 0 && m1A * n2B > 0)) return;
  const Vec3 &from = a_.vertices[at(edgeA.from)], &to = b_.vertices[at(edgeB.from)];
  const Vec3 d = a_.vertices[at(edgeA.to)] - from, e = b_.vertices[at(edgeB.to)] - to;
  const Vec3 across = d.cross(e);
  const double length = across.norm();
  if (!(length > kParallel * d.norm() * e.norm())) return;
  const Vec3 normal = (across.dot(n1 + n2) < 0 ? -1 : 1) / length * across;
  const double gap = normal.dot(to - from);
  if (gap > best.gap) best = {a, b, normal, gap, true};
}

Vec3 PolytopeGap::outOfA(bool isA, const FaceAxis& axis) const {
  const Vec3& normal = (isA ? a_ : b_).planes[at(axis.face)].normal;
  return isA ? normal : Vec3(-normal);
}

/// Of two bodies that are apart: a corner is nearest to the other one, or two edges are that cross.
/// @param axis  out of A; two places are no nearer than they are along it
PolytopeGap::Nearest PolytopeGap::nearest(const Vec3& axis) {
  Nearest best;
  best.distance = std::numeric_limits<double>::infinity();
  a_.measure(axis), b_.measure(-axis);
  nearestOfCorners(b_, a_, false, best);
  nearestOfCorners(a_, b_, true, best);
  nearestOfEdges(best);
  return best;
}

/// How far each corner is behind the foremost one.
void PolytopeGap::Hull::measure(const Vec3& axis) {
  reach = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : vertices) reach = std::max(reach, axis.dot(v));
  behind.clear();
  for (const Vec3& v : vertices) behind.push_back(reach - axis.dot(v));
}

void PolytopeGap::nearestOfCorners(const Hull& own, const Hull& other, bool ownIsA, Nearest& best) const {
  const Pose X_OA = other.X_AG.inverse();
  const double apart = -(own.reach + other.reach);
  for (std::size_t v = 0; v < own.vertices.size(); ++v) {
    if (apart + own.behind[v] >= best.distance) continue;
    const Vec3& p = own.vertices[v];
    const ConvexDistance d = convexDistance(*other.geometry, X_OA * p);
    if (!(d.phi < best.distance - kEqual * size_)) continue;
    const Vec3 q = p - d.phi * (other.X_AG.R * d.normal);
    const int feature = static_cast<int>(v);
    best = ownIsA ? Nearest{p, q, d.phi, feature, -1} : Nearest{q, p, d.phi, -1, feature};
  }
}

/// The edges with an end that is less than `distance` behind the foremost corner [m].
void PolytopeGap::edgesBefore(double distance, const Hull& own, std::vector<std::size_t>& edges) {
  edges.clear();
  for (std::size_t e = 0; e < own.polytope().edges.size(); ++e)
    if (own.behindEdge(e) < distance) edges.push_back(e);
}

void PolytopeGap::nearestOfEdges(Nearest& best) {
  const double apart = -(a_.reach + b_.reach), far = best.distance - apart;
  edgesBefore(far, a_, edgesA_), edgesBefore(far, b_, edgesB_);
  for (const std::size_t a : edgesA_)
    for (const std::size_t b : edgesB_)
      if (a_.behindEdge(a) + b_.behindEdge(b) < far) nearestOfEdges(a, b, best);
}

void PolytopeGap::nearestOfEdges(std::size_t a, std::size_t b, Nearest& best) {
  ++edgePairs_;
  const Polytope::Edge &edgeA = a_.polytope().edges[a], &edgeB = b_.polytope().edges[b];
  const Vec3 &p = a_.vertices[at(edgeA.from)], &q = b_.vertices[at(edgeB.from)];
  const Vec3 d = a_.vertices[at(edgeA.to)] - p, e = b_.vertices[at(edgeB.to)] - q;
  const SegmentShares shares = nearestShares(p, d, q, e);
  if (!shares.isInside) return;
  const Vec3 onA = p + shares.s * d, onB = q + shares.t * e;
  if (const double distance = (onB - onA).norm(); distance < best.distance - kEqual * size_)
    best = {onA, onB, distance, a_.ofEdge(a), b_.ofEdge(b)};
}

/// The part of the other body's opposite face that lies straight before a face.
/// @param lowest  what is below that is behind the first body [m]
/// @return the least gap of its corners
double PolytopeGap::faceManifold(bool ofA, const FaceAxis& axis, double lowest, double margin) {
  const Hull &reference = ofA ? a_ : b_, &incident = ofA ? b_ : a_;
  const HalfSpace& plane = reference.planes[at(axis.face)];
  startIncident(incident, plane.normal, reference.ofFace(axis.face));
  const Polytope::Face& face = reference.polytope().faces[at(axis.face)];
  for (int side = 0; side < face.vertexEnd - face.vertexBegin && !polygon_.empty(); ++side)
    cutBySide(reference, axis.face, side);
  double least = std::numeric_limits<double>::infinity();
  for (const Corner& corner : polygon_) {
    const double gap = plane.height(corner.p);
    if (gap < lowest - kLonger * size_ || gap >= margin) continue;
    least = std::min(least, gap);
    addFace(ofA, plane, corner, gap);
  }
  return least;
}

void PolytopeGap::startIncident(const Hull& incident, const Vec3& normal, int referenceFace) {
  const auto opposed = std::min_element(
      incident.planes.begin(), incident.planes.end(),
      [&](const HalfSpace& a, const HalfSpace& b) { return a.normal.dot(normal) < b.normal.dot(normal); });
  const Polytope& polytope = incident.polytope();
  const Polytope::Face& face = polytope.faces[at(static_cast<int>(opposed - incident.planes.begin()))];
  const int n = face.vertexEnd - face.vertexBegin;
  polygon_.clear();
  for (int i = 0; i < n; ++i) {
    const int from = polytope.corners[at(face.vertexBegin + i)],
              to = polytope.corners[at(face.vertexBegin + (i + 1) % n)];
    const auto edge = std::find_if(
        polytope.edges.begin(), polytope.edges.end(),
        [&](const Polytope::Edge& e) { return std::minmax(e.from, e.to) == std::minmax(from, to); });
    const auto index = static_cast<std::size_t>(edge - polytope.edges.begin());
    polygon_.push_back({incident.vertices[at(from)], from, referenceFace, incident.ofEdge(index), false});
  }
}

/// Keeps what lies on the face's side of the plane that stands on one of its edges.
void PolytopeGap::cutBySide(const Hull& reference, int face, int side) {
  const Polytope::Face& f = reference.polytope().faces[at(face)];
  const int n = f.vertexEnd - f.vertexBegin;
  const auto corner = [&](int i) -> const Vec3& {
    return reference.vertices[at(reference.polytope().corners[at(f.vertexBegin + i % n)])];
  };
  const Vec3 out = (corner(side + 1) - corner(side)).cross(reference.planes[at(face)].normal).normalized();
  heights_.clear();
  for (const Corner& c : polygon_) heights_.push_back(out.dot(c.p - corner(side)));
  cut_.clear();
  for (std::size_t i = 0; i < polygon_.size(); ++i) {
    const std::size_t j = (i + 1) % polygon_.size();
    const double h = heights_[i], next = heights_[j];
    const bool isIn = h <= kBeside * size_;
    if (isIn) cut_.push_back(polygon_[i]);
    if (isIn == (next <= kBeside * size_)) continue;
    if (std::min(h, next) < 0)
      cut_.push_back(crossing(polygon_[i], polygon_[j], h / (h - next), reference, face, side));
    if (isIn) cut_.back().side = side, cut_.back().isReferencesSide = true;
  }
  std::swap(polygon_, cut_);
}

/// Of two edges where the incident face's own side is cut, of a corner of the reference face where a side is that came of
/// the cut before.
PolytopeGap::Corner PolytopeGap::crossing(const Corner& from, const Corner& to, double share,
                                          const Hull& reference, int face, int side) const {
  const Polytope& polytope = reference.polytope();
  const Polytope::Face& f = polytope.faces[at(face)];
  const int n = f.vertexEnd - f.vertexBegin;
  const auto corner = [&](int i) { return polytope.corners[at(f.vertexBegin + i % n)]; };
  Corner cut = from;
  cut.p = from.p + share * (to.p - from.p);
  if (from.isReferencesSide) {
    cut.incident = -1;
    cut.reference = corner(side == (from.side + 1) % n ? side : from.side);
    return cut;
  }
  const auto edge = std::find_if(polytope.edges.begin(), polytope.edges.end(), [&](const Polytope::Edge& e) {
    return std::minmax(e.from, e.to) == std::minmax(corner(side), corner(side + 1));
  });
  cut.incident = from.side;
  cut.reference = reference.ofEdge(static_cast<std::size_t>(edge - polytope.edges.begin()));
  return cut;
}

void PolytopeGap::addFace(bool ofA, const HalfSpace& plane, const Corner& corner, double gap) {
  places_->push_back({.p_W = corner.p - gap / 2 * plane.normal,
                      .normal_W = ofA ? plane.normal : Vec3(-plane.normal),
                      .gap = gap,
                      .featureA = ofA ? corner.reference : corner.incident,
                      .featureB = ofA ? corner.incident : corner.reference});
}

/// Half-way between the two lines.
void PolytopeGap::addEdges(const EdgeAxis& axis) {
  const Polytope::Edge &edgeA = a_.polytope().edges[axis.a], &edgeB = b_.polytope().edges[axis.b];
  const Vec3 &p = a_.vertices[at(edgeA.from)], &q = b_.vertices[at(edgeB.from)];
  const Vec3 d = a_.vertices[at(edgeA.to)] - p, e = b_.vertices[at(edgeB.to)] - q;
  const SegmentShares shares = nearestShares(p, d, q, e);
  places_->push_back({.p_W = (p + shares.s * d + q + shares.t * e) / 2,
                      .normal_W = axis.normal,
                      .gap = axis.gap,
                      .featureA = a_.ofEdge(axis.a),
                      .featureB = b_.ofEdge(axis.b)});
}

/// In the place of one of the same features, whose gap is not along the shortest way.
void PolytopeGap::addNearest(const Nearest& nearest, std::size_t first) {
  const auto begin = places_->begin() + static_cast<std::ptrdiff_t>(first);
  const auto same = std::find_if(begin, places_->end(), [&](const RigidContactPoint& place) {
    return place.featureA == nearest.featureA && place.featureB == nearest.featureB;
  });
  RigidContactPoint& place = same != places_->end() ? *same : places_->emplace_back();
  place = {.p_W = (nearest.onA + nearest.onB) / 2,
           .normal_W = (nearest.onB - nearest.onA) / nearest.distance,
           .gap = nearest.distance,
           .featureA = nearest.featureA,
           .featureB = nearest.featureB};
}

void PolytopeGap::moveToWorld(const Pose& X_WA, std::size_t first) const {
  for (std::size_t i = first; i < places_->size(); ++i) {
    RigidContactPoint& place = (*places_)[i];
    place.p_W = X_WA * place.p_W;
    place.normal_W = X_WA.R * place.normal_W;
  }
}

}  // namespace slipstick

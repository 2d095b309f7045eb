#include "engine/geometry/convex_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/geometry/convex_query.h"

namespace slipstick {
namespace {

constexpr int kMaxSupports = 300;
constexpr double kLeastRounding = 0.02;  // of the smaller shape
constexpr double kCoplanar = 1e-12;      // of the size: what is so little below a face is level with it
constexpr double kNoArea = 1e-14;        // of the size's square
// Of Newton's steps: how many, between which directions curvature is taken, how far one leads; of the size: how far apart the
// extreme points are at the end, and at the start where parts are round.
constexpr int kMaxSteps = 8;
constexpr double kTurn = 1e-5, kMaxTurn = 0.3, kLevel = 1e-12, kRound = 1e-2, kRounding = 1e-13;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

double sizeOf(const ContactGeometry& shape) {
  return shape.halfExtents.maxCoeff();
}

}  // namespace

bool ConvexGap::find(const ContactGeometry& a, const Pose& X_WA, const ContactGeometry& b, const Pose& X_WB,
                     double margin, Result& result) {
  a_ = &a, b_ = &b, X_AB_ = X_WA.inverse() * X_WB;
  size_ = std::min(sizeOf(a), sizeOf(b));
  rounding_ = std::max(1.01 * margin, kLeastRounding * size_);
  supports_ = 0, vertices_.clear(), faces_.clear();
  gap_ = -std::numeric_limits<double>::infinity();
  if (!start(X_AB_ * b.centre - a.centre, margin)) return false;
  while (supports_ < kMaxSupports) {
    const int nearest = nearestFace();
    const Face face = faces_[at(nearest)];
    const Vertex vertex = support(face.normal);
    const double gap = gapAt(vertex, face.normal);
    if (gap >= margin) return false;
    const double bound = rounding_ - face.offset;
    const bool isDone = bound - gap <= kAccuracy * size_;
    if (isDone || gap >= gap_) take(face.normal, vertex, gap), spread(face);
    error_ = bound - gap_;
    if (isDone || !expand(nearest, vertex)) break;
  }
  sharpen();
  result = {X_WA.R * normal_, X_WA * onA_, X_WA * onB_, gap_, std::max(error_, 0.0)};
  return gap_ < margin;
}

/// The farthest point in the direction of a unit vector.
ConvexGap::Vertex ConvexGap::support(const Vec3& n) {
  ++supports_;
  const Vec3 onA = supportPoint(*a_, n), onB = X_AB_ * supportPoint(*b_, -(X_AB_.R.transpose() * n));
  return {onA - onB + rounding_ * n, onA, onB};
}

/// A tetrahedron. @return false where it shows that the shapes are apart
bool ConvexGap::start(const Vec3& towardsB, double margin) {
  const double distance = towardsB.norm();
  const Vec3 n = distance > 0 ? Vec3(towardsB / distance) : Vec3(Vec3::UnitZ());
  if (!addStart(n, margin) || !addStart(-n, margin)) return false;
  const Vec3 line = (vertices_[1].w - vertices_[0].w).normalized();
  if (!addFarther(line.unitOrthogonal(), margin)) return false;
  const Vec3 across = (vertices_[1].w - vertices_[0].w).cross(vertices_[2].w - vertices_[0].w);
  if (!addFarther(across.normalized(), margin)) return false;
  close();
  return true;
}

bool ConvexGap::addStart(const Vec3& n, double margin) {
  vertices_.push_back(support(n));
  return gapAt(vertices_.back(), n) < margin;
}

/// Of the extreme points both ways, the one that is farther from the first vertex.
bool ConvexGap::addFarther(const Vec3& direction, double margin) {
  if (!addStart(direction, margin) || !addStart(-direction, margin)) return false;
  const Vertex back = vertices_.back();
  vertices_.pop_back();
  const auto reach = [&](const Vertex& v) { return std::abs(direction.dot(v.w - vertices_[0].w)); };
  if (reach(back) > reach(vertices_.back())) vertices_.back() = back;
  return true;
}

void ConvexGap::close() {
  const Vec3 e1 = vertices_[1].w - vertices_[0].w, e2 = vertices_[2].w - vertices_[0].w;
  if (e1.cross(e2).dot(vertices_[3].w - vertices_[0].w) > 0) std::swap(vertices_[1], vertices_[2]);
  for (const auto& c : {std::array{0, 1, 2}, std::array{0, 3, 1}, std::array{1, 3, 2}, std::array{2, 3, 0}})
    faces_.push_back(faceOf(c[0], c[1], c[2]));
  faces_[0].beside = {1, 2, 3};
  faces_[1].beside = {3, 2, 0};
  faces_[2].beside = {1, 3, 0};
  faces_[3].beside = {2, 1, 0};
}

ConvexGap::Face ConvexGap::faceOf(int a, int b, int c) const {
  Face face{.corners = {a, b, c}};
  const Vec3 &p = vertices_[at(a)].w, &q = vertices_[at(b)].w, &r = vertices_[at(c)].w;
  const Vec3 area = (q - p).cross(r - p);
  const double length = area.norm();
  face.normal = length > kNoArea * size_ * size_ ? Vec3(area / length) : Vec3(Vec3::Zero());
  face.offset = length > kNoArea * size_ * size_
                    ? std::max({face.normal.dot(p), face.normal.dot(q), face.normal.dot(r)})
                    : std::numeric_limits<double>::infinity();
  return face;
}

int ConvexGap::nearestFace() const {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < faces_.size(); ++f)
    if (faces_[f].isAlive && faces_[f].offset < least) least = faces_[f].offset, best = static_cast<int>(f);
  return best;
}

/// Whether w lies before a face, or level with it.
bool ConvexGap::sees(const Vec3& w, const Face& face) const {
  return face.normal.isZero(0) || face.normal.dot(w) - face.offset > -kCoplanar * size_;
}

/// Removes the faces that w sees, from the edge over which one of them is looked at; their outline comes counter-clockwise.
void ConvexGap::findHorizon(const Vec3& w, int face, int corner) {
  Face& f = faces_[at(face)];
  if (!f.isAlive) return;
  if (!sees(w, f)) return horizon_.push_back({face, corner});
  f.isAlive = false;
  for (const int next : {(corner + 1) % 3, (corner + 2) % 3})
    findHorizon(w, f.beside[at(next)], cornerBeside(face, next));
}

/// The corner of the face over an edge of this one at which it begins the same edge, the other way.
int ConvexGap::cornerBeside(int face, int corner) const {
  const Face& f = faces_[at(face)];
  const auto& corners = faces_[at(f.beside[at(corner)])].corners;
  return static_cast<int>(std::find(corners.begin(), corners.end(), f.corners[at((corner + 1) % 3)]) -
                          corners.begin());
}

/// Puts a vertex before a face. @return false where rounding leaves no sound polytope
bool ConvexGap::expand(int face, const Vertex& vertex) {
  horizon_.clear();
  faces_[at(face)].isAlive = false;
  for (int k = 0; k < 3; ++k) findHorizon(vertex.w, faces_[at(face)].beside[at(k)], cornerBeside(face, k));
  if (horizon_.size() < 3) return false;
  vertices_.push_back(vertex);
  return closeHorizon();
}

/// With a fan of faces around the last vertex.
bool ConvexGap::closeHorizon() {
  const int apex = static_cast<int>(vertices_.size()) - 1, first = static_cast<int>(faces_.size());
  const int count = static_cast<int>(horizon_.size());
  for (int i = 0; i < count; ++i) {
    const Edge edge = horizon_[at(i)];
    Face& outer = faces_[at(edge.face)];
    const int from = outer.corners[at((edge.corner + 1) % 3)], to = outer.corners[at(edge.corner)];
    if (i > 0 && faces_.back().corners[1] != from) return false;
    outer.beside[at(edge.corner)] = first + i;
    Face fan = faceOf(from, to, apex);
    fan.beside = {edge.face, first + (i + 1) % count, first + (i + count - 1) % count};
    faces_.push_back(fan);
  }
  return faces_.back().corners[1] == faces_[at(first)].corners[0];
}

void ConvexGap::take(const Vec3& n, const Vertex& vertex, double gap) {
  normal_ = n, onA_ = vertex.onA, onB_ = vertex.onB, gap_ = gap;
}

/// Which part each corner has of where the origin lies over a face; the least one is below 0 where that is beside it.
Vec3 ConvexGap::sharesOf(const Face& face) const {
  const Vec3 foot = face.offset * face.normal;
  const auto part = [&](int i, int j) {
    const Vec3 &p = vertices_[at(face.corners[at(i)])].w, &q = vertices_[at(face.corners[at(j)])].w;
    return face.normal.dot((p - foot).cross(q - foot));
  };
  const Vec3 parts(part(1, 2), part(2, 0), part(0, 1));
  return parts / parts.sum();
}

/// The places of both, from where the origin lies over the face, or over one that is level with it: flat parts have no extreme
/// point of their own.
void ConvexGap::spread(const Face& nearest) {
  const Face* best = nullptr;
  Vec3 shares = Vec3::Constant(-std::numeric_limits<double>::infinity());
  for (const Face& face : faces_) {
    if (!face.isAlive || face.normal.isZero(0) || face.offset > nearest.offset + kAccuracy * size_) continue;
    if (const Vec3 s = sharesOf(face); s.minCoeff() > shares.minCoeff()) shares = s, best = &face;
  }
  if (best == nullptr) return;
  shares = shares.cwiseMax(0.0) / shares.cwiseMax(0.0).sum();
  onA_ = onB_ = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vertex& vertex = vertices_[at(best->corners[at(k)])];
    onA_ += shares[k] * vertex.onA, onB_ += shares[k] * vertex.onB;
  }
}

/// Newton's method on the sphere of directions, as long as it helps: where round parts meet, faces that are nearly exact still
/// stand askew by the root of what they lack. Where flat parts do, extreme points are far apart, and all stays as it is.
void ConvexGap::sharpen() {
  const bool isClose = error_ <= kAccuracy * size_;
  for (int step = 0; step < kMaxSteps; ++step) {
    const Vec3 n = normal_, u = n.unitOrthogonal(), v = n.cross(u);
    const Vertex here = support(n);
    const Eigen::Vector2d slope(u.dot(here.w), v.dot(here.w));
    if (slope.norm() <= kLevel * size_ || (isClose && slope.norm() > kRound * size_)) return;
    const Eigen::Matrix2d bend = bendAt(n, u, v, here);
    if (!(bend.determinant() > 0 && bend.trace() > 0)) return;
    const Eigen::Vector2d turn = -bend.inverse() * slope;
    const Vec3 next = (n + std::min(1.0, kMaxTurn / turn.norm()) * (turn[0] * u + turn[1] * v)).normalized();
    const Vertex there = support(next);
    const double gap = gapAt(there, next), rest = (there.w - next.dot(there.w) * next).norm();
    if (!(gap >= gap_ - kRounding * size_ && rest <= std::min(slope.norm() / 2, kRound * size_))) return;
    error_ -= gap - gap_;
    take(next, there, gap);
  }
}

/// Second derivatives of the rounded difference's width along great circles [m].
Eigen::Matrix2d ConvexGap::bendAt(const Vec3& n, const Vec3& u, const Vec3& v, const Vertex& here) {
  Eigen::Matrix2d bend;
  for (const int k : {0, 1}) {
    const Vec3& t = k == 0 ? u : v;
    const Vec3 change =
        (support((n + kTurn * t).normalized()).w - support((n - kTurn * t).normalized()).w) / (2 * kTurn);
    bend.col(k) << u.dot(change), v.dot(change);
  }
  return (bend + bend.transpose()) / 2 - n.dot(here.w) * Eigen::Matrix2d::Identity();
}

}  // namespace slipstick

#include "engine/geometry/clip_polygon.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace slipstick {

PlaneFrame PlaneFrame::make(const Vec3& origin, const Vec3& normal, const Vec3& along) {
  Vec3 u = along - normal * normal.dot(along);
  double length = u.norm();
  if (!(length > 1e-3)) {
    u = std::abs(normal.x()) < 0.7 ? normal.cross(Vec3::UnitX()) : normal.cross(Vec3::UnitY());
    length = u.norm();
  }
  u /= length;
  return {origin, u, normal.cross(u), normal};
}

void ClipPolygon::startSquare(double h) {
  const Point corners[4] = {{-h, -h}, {h, -h}, {h, h}, {-h, h}};
  start(corners, 4);
}

void ClipPolygon::start(const Point* points, int count) {
  // One cut adds at most one corner; room for some of them saves most checks.
  makeRoom(static_cast<std::size_t>(count) + 16);
  Point* p = points_[now_].data();
  for (int i = 0; i < count; ++i) p[i].x = points[i].x, p[i].y = points[i].y;
  size_ = count;
}

void ClipPolygon::makeRoom(std::size_t corners) {
  if (side_.size() >= corners) return;
  points_[0].resize(corners), points_[1].resize(corners), side_.resize(corners);
}

bool ClipPolygon::startWithin(const HalfSpace* h, bool clockwise, const PlaneFrame& plane) {
  constexpr double kClear = 0.05;
  Line line[4];
  Point corner[4];
  for (int k = 0; k < 4; ++k) line[k] = lineOf(h[clockwise ? 3 - k : k], plane);
  for (int k = 0; k < 4; ++k) {
    const Line &l = line[k], &m = line[(k + 1) % 4];
    const double turn = l.a * m.b - l.b * m.a;
    if (!(turn > kClear)) return false;
    corner[k] = {(l.c * m.b - m.c * l.b) / turn, (l.a * m.c - m.a * l.c) / turn};
  }
  for (int k = 0; k < 4; ++k) {
    const auto within = [&](const Line& l) { return l.a * corner[k].x + l.b * corner[k].y < l.c; };
    if (!within(line[(k + 2) % 4]) || !within(line[(k + 3) % 4])) return false;
  }
  start(corner, 4);
  return true;
}

bool ClipPolygon::keep(double a, double b, double c) {
  const int n = size_;
  const Point* p = points_[now_].data();
  double* side = side_.data();
  std::uint64_t outside = 0;  // a bit per corner, where they are fewer than 64
  int count = 0;
  for (int i = 0; i < n; ++i) {
    side[i] = a * p[i].x + b * p[i].y - c;
    const bool out = side[i] > 0;
    outside |= std::uint64_t{out} << (i & 63);
    count += out;
  }
  if (count == 0) return n > 0;
  size_ = 0;
  if (count == n) return false;
  if (side_.size() < static_cast<std::size_t>(n) + 2) makeRoom(2 * side_.size() + 2);
  // How often the outline passes from one side to the other; more often than twice where rounding bends it.
  bool once = false;
  if (n < 64) {
    const std::uint64_t before = outside << 1 | (outside >> (n - 1) & 1);
    const std::uint64_t passes = (outside ^ before) & ((std::uint64_t{1} << n) - 1);
    const std::uint64_t others = passes & (passes - 1);  // without the first
    once = others != 0 && (others & (others - 1)) == 0;
  }
  size_ = once ? cutOnce(n, outside, count) : cutAnywhere(n);
  now_ ^= 1;
  return size_ > 2;
}

/// Where an edge crosses the line; from its inner to its outer end, so that neighbours that share the edge find
/// the same point.
inline void ClipPolygon::cross(int inner, int outer, Point& target) const {
  const Point &from = data()[inner], &to = data()[outer];
  const double *side = side_.data(), t = side[inner] / (side[inner] - side[outer]);
  target.x = from.x + t * (to.x - from.x), target.y = from.y + t * (to.y - from.y);
}

/// The corners outside follow each other: no choice corner by corner. @param outside  a bit per corner
int ClipPolygon::cutOnce(int n, std::uint64_t outside, int count) {
  const Point* p = points_[now_].data();
  Point* const start = points_[now_ ^ 1].data();
  Point* q = start;
  const auto keepFrom = [&](int i, int end) {
    for (; i < end; ++i, ++q) q->x = p[i].x, q->y = p[i].y;
  };
  if ((outside & 1) == 0) {
    const int first = std::countr_zero(outside), end = first + count;  // of the corners outside
    if (end == n) cross(0, n - 1, *q++);
    keepFrom(0, first);
    cross(first - 1, first, *q++);
    if (end < n) cross(end, end - 1, *q++);
    keepFrom(end, n);
  } else {
    const int first = std::countr_one(outside), end = first + n - count;  // of the corners inside
    if (end == n) cross(n - 1, 0, *q++);
    cross(first, first - 1, *q++);
    keepFrom(first, end);
    if (end < n) cross(end - 1, end, *q++);
  }
  return static_cast<int>(q - start);
}

/// Any corners may be outside.
int ClipPolygon::cutAnywhere(int n) {
  const Point* p = points_[now_].data();
  Point* const start = points_[now_ ^ 1].data();
  Point* q = start;
  for (int i = 0, last = n - 1; i < n; last = i++) {
    const bool in = side_[static_cast<std::size_t>(i)] <= 0,
               lastIn = side_[static_cast<std::size_t>(last)] <= 0;
    if (in != lastIn) in ? cross(i, last, *q++) : cross(last, i, *q++);
    if (in) *q++ = p[i];
  }
  return static_cast<int>(q - start);
}

PolygonMoments PolygonMoments::of(const ClipPolygon::Point* p, int count) {
  PolygonMoments r;
  if (count < 3) return r;
  // About the first corner: a polygon far from the origin loses no digits.
  double twice = 0, sx = 0, sy = 0, xx = 0, xy = 0, yy = 0;
  for (int i = 1; i + 1 < count; ++i) {
    const double ax = p[i].x - p[0].x, ay = p[i].y - p[0].y;
    const double bx = p[i + 1].x - p[0].x, by = p[i + 1].y - p[0].y;
    const double w = ax * by - ay * bx;
    twice += w;
    sx += w * (ax + bx), sy += w * (ay + by);
    xx += w * (ax * ax + bx * bx + ax * bx), yy += w * (ay * ay + by * by + ay * by);
    xy += w * (ax * ay + bx * by + (ax * by + bx * ay) / 2);
  }
  if (!(twice > 0)) return r;
  r.area = twice / 2;
  const double cx = sx / (3 * twice), cy = sy / (3 * twice);
  r.x = p[0].x + cx, r.y = p[0].y + cy;
  r.xx = std::max(xx / (6 * twice) - cx * cx, 0.0);
  r.yy = std::max(yy / (6 * twice) - cy * cy, 0.0);
  r.xy = xy / (6 * twice) - cx * cy;
  return r;
}

PolygonMoments PolygonMoments::sum(const PolygonMoments& a, const PolygonMoments& b) {
  PolygonMoments r;
  r.area = a.area + b.area;
  const double s = a.area / r.area, t = b.area / r.area, dx = b.x - a.x, dy = b.y - a.y;
  r.x = a.x + t * dx, r.y = a.y + t * dy;
  r.xx = s * a.xx + t * b.xx + s * t * dx * dx;
  r.xy = s * a.xy + t * b.xy + s * t * dx * dy;
  r.yy = s * a.yy + t * b.yy + s * t * dy * dy;
  return r;
}

double PolygonMoments::spread() const {
  return std::sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
}

}  // namespace slipstick

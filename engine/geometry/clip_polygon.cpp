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
  const auto room = static_cast<std::size_t>(count) + 16;
  if (points_.size() < room) points_.resize(room), cut_.resize(room), side_.resize(room);
  std::copy(points, points + count, points_.begin());
  size_ = count;
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
  double* side = side_.data();
  std::uint64_t outside = 0;  // a bit per corner, of 64
  int count = 0;
  for (int i = 0; i < n; ++i) {
    side[i] = a * points_[static_cast<std::size_t>(i)].x + b * points_[static_cast<std::size_t>(i)].y - c;
    const bool out = side[i] > 0;
    outside |= std::uint64_t{out} << (i & 63);
    count += out;
  }
  if (count == 0) return n > 0;
  size_ = 0;
  if (count == n) return false;
  if (cut_.size() < static_cast<std::size_t>(n) + 2) {
    const std::size_t room = 2 * cut_.size() + 2;
    points_.resize(room), cut_.resize(room), side_.resize(room);
  }
  // How often the outline passes from one side to the other; more often than twice where rounding bends it.
  const std::uint64_t before = outside << 1 | (outside >> (n - 1) & 1);
  const std::uint64_t passes = n < 64 ? (outside ^ before) & ((std::uint64_t{1} << n) - 1) : 0;
  const std::uint64_t others = passes & (passes - 1);  // without the first
  const bool once = others != 0 && (others & (others - 1)) == 0;
  size_ = once ? cutOnce(n, outside, count) : cutAnywhere(n);
  std::swap(points_, cut_);
  return size_ > 2;
}

/// Where an edge crosses the line; from its inner to its outer end, so that neighbours that share the edge find
/// the same point.
ClipPolygon::Point ClipPolygon::crossing(int inner, int outer) const {
  const auto i = static_cast<std::size_t>(inner), o = static_cast<std::size_t>(outer);
  const double t = side_[i] / (side_[i] - side_[o]);
  return {points_[i].x + t * (points_[o].x - points_[i].x), points_[i].y + t * (points_[o].y - points_[i].y)};
}

/// The corners outside follow each other: no choice corner by corner. @param outside  a bit per corner
int ClipPolygon::cutOnce(int n, std::uint64_t outside, int count) {
  const Point* p = points_.data();
  Point* q = cut_.data();
  if ((outside & 1) == 0) {
    const int first = std::countr_zero(outside), end = first + count;  // of the corners outside
    Point* start = q;
    if (end == n) *q++ = crossing(0, n - 1);
    for (int i = 0; i < first; ++i) *q++ = p[i];
    *q++ = crossing(first - 1, first);
    if (end < n) *q++ = crossing(end, end - 1);
    for (int i = end; i < n; ++i) *q++ = p[i];
    return static_cast<int>(q - start);
  }
  const int first = std::countr_one(outside), end = first + n - count;  // of the corners inside
  Point* start = q;
  if (end == n) *q++ = crossing(n - 1, 0);
  *q++ = crossing(first, first - 1);
  for (int i = first; i < end; ++i) *q++ = p[i];
  if (end < n) *q++ = crossing(end - 1, end);
  return static_cast<int>(q - start);
}

/// Any corners may be outside.
int ClipPolygon::cutAnywhere(int n) {
  int m = 0;
  for (int i = 0, last = n - 1; i < n; last = i++) {
    const auto index = static_cast<std::size_t>(i);
    const bool in = side_[index] <= 0, lastIn = side_[static_cast<std::size_t>(last)] <= 0;
    if (in != lastIn) cut_[static_cast<std::size_t>(m++)] = in ? crossing(i, last) : crossing(last, i);
    if (in) cut_[static_cast<std::size_t>(m++)] = points_[index];
  }
  return m;
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

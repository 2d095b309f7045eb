#include "engine/step/fast_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/facts/health_note.h"
#include "engine/geometry/shape_bounds.h"
#include "engine/model/shape_thickness.h"
#include "engine/step/yielding.h"

namespace slipstick {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// A way is looked at in so many places at most.
constexpr int kMaxPlaces = 100;
/// How thin a mesh is takes long to find out: it is asked of those that move further than this in a step [m].
constexpr double kThinMesh = 5e-4;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Extent of a shape along a unit vector in its own frame [m].
struct Width {
  const Vec3& n;
  double operator()(const shape::Plane&) const { return kInfinite; }
  double operator()(const shape::Sphere& s) const { return 2 * s.radius; }
  double operator()(const shape::Box& s) const { return 2 * s.halfExtents.dot(n.cwiseAbs()); }
  double operator()(const shape::Capsule& s) const { return 2 * s.radius + s.length * std::abs(n.z()); }
  double operator()(const shape::Cylinder& s) const {
    return 2 * s.radius * std::hypot(n.x(), n.y()) + s.length * std::abs(n.z());
  }
  double operator()(const shape::Ellipsoid& s) const { return 2 * s.radii.cwiseProduct(n).norm(); }
  double operator()(const shape::Mesh& s) const {
    double lower = kInfinite, upper = -kInfinite;
    for (const Vec3& v : s.mesh->vertices)
      lower = std::min(lower, v.dot(n)), upper = std::max(upper, v.dot(n));
    return upper - lower;
  }
};

/// Way of a straight line through the middle of a shape, along a unit vector in its own frame [m]. Of a mesh: not asked.
struct Chord {
  const Vec3& n;
  double across() const { return std::hypot(n.x(), n.y()); }
  double operator()(const shape::Plane&) const { return kInfinite; }
  double operator()(const shape::Sphere& s) const { return 2 * s.radius; }
  double operator()(const shape::Box& s) const {
    return 2 * s.halfExtents.cwiseQuotient(n.cwiseAbs()).minCoeff();
  }
  double operator()(const shape::Capsule& s) const {
    return std::min(2 * s.radius / across(), 2 * s.radius + s.length);
  }
  double operator()(const shape::Cylinder& s) const {
    return std::min(2 * s.radius / across(), s.length / std::abs(n.z()));
  }
  double operator()(const shape::Ellipsoid& s) const { return 2 / n.cwiseQuotient(s.radii).norm(); }
  double operator()(const shape::Mesh&) const { return kInfinite; }
};

bool sweptMeets(const Eigen::AlignedBox3d& box, const Vec3& shift, const Eigen::AlignedBox3d& other) {
  return box.merged(Eigen::AlignedBox3d(box).translate(shift)).intersects(other);
}

/// Part of the way from one pose to another.
Pose between(const Pose& from, const Pose& to, double share) {
  const Quat turn = Quat(from.R).slerp(share, Quat(to.R));
  return {turn.toRotationMatrix(), from.p + share * (to.p - from.p)};
}

void addOnce(const HealthNote& note, std::vector<HealthNote>& notes) {
  if (std::none_of(notes.begin(), notes.end(), [&](const HealthNote& n) { return isSamePair(n, note); }))
    notes.push_back(note);
}

}  // namespace

void FastBodies::find(const Way& way, std::vector<HealthNote>& notes) {
  place(way);
  const int count = static_cast<int>(places_.size());
  for (int a = 0; a < count; ++a) {
    if (!isFast(a)) continue;
    for (int b = 0; b < count; ++b)
      if (a < b || (a > b && !isFast(b))) meet(way, std::min(a, b), std::max(a, b), notes);
  }
  if (way.particles == nullptr) return;
  for (int g = 0; g < count; ++g)
    for (std::size_t d = 0; d < way.model->deformables.size(); ++d) meetSoft(way, g, d, notes);
}

void FastBodies::place(const Way& way) {
  const std::vector<Geometry>& geometries = way.model->geometries;
  if (places_.size() != geometries.size()) {
    bounds_.clear();
    for (const Geometry& g : geometries) bounds_.push_back(roughBounds(g.shape));
    thickness_.assign(geometries.size(), {});
    for (int g = 0; g < static_cast<int>(geometries.size()); ++g)
      if (!std::holds_alternative<shape::Mesh>(geometries[at(g)].shape)) thickness(way, g);
    places_.resize(geometries.size());  // last: then all of it is there
  }
  for (std::size_t g = 0; g < geometries.size(); ++g) {
    const Pose &from = way.from[at(geometries[g].body)], &to = way.to[at(geometries[g].body)];
    const Pose X_WG = from * geometries[g].X_BG;
    Place& p = places_[g];
    p.bounds.setEmpty();
    for (int k = 0; k < 8 && !bounds_[g].isEmpty(); ++k)
      p.bounds.extend(X_WG * bounds_[g].corner(static_cast<Eigen::AlignedBox3d::CornerType>(k)));
    p.middle = geometries[g].X_BG * (bounds_[g].isEmpty() ? Vec3(Vec3::Zero()) : Vec3(bounds_[g].center()));
    p.shift = to * p.middle - from * p.middle;
  }
}

/// Two that go further towards each other than both are thick: one of them goes further than it is thick.
bool FastBodies::isFast(int geometry) const {
  const double least = thickness_[at(geometry)].value_or(kThinMesh);
  return places_[at(geometry)].shift.squaredNorm() > least * least;
}

double FastBodies::thickness(const Way& way, int geometry) {
  std::optional<double>& known = thickness_[at(geometry)];
  if (!known) known = thinnestPart(way.model->geometries[at(geometry)].shape).value_or(kInfinite);
  return *known;
}

/// Of a mesh that is not convex, whatever the direction: its thinnest part.
double FastBodies::widthAlong(const Way& way, int geometry, const Vec3& direction_W) {
  const Geometry& g = way.model->geometries[at(geometry)];
  const Vec3 n = (way.from[at(g.body)].R * g.X_BG.R).transpose() * direction_W;
  const double width = std::visit(Width{n}, g.shape);
  const bool isHollow =
      std::holds_alternative<shape::Mesh>(g.shape) && (!g.contactShape || g.contactShape->isSurface());
  return isHollow ? std::min(width, thickness(way, geometry)) : width;
}

void FastBodies::meet(const Way& way, int a, int b, std::vector<HealthNote>& notes) {
  const Geometry &first = way.model->geometries[at(a)], &second = way.model->geometries[at(b)];
  const Place &A = places_[at(a)], &B = places_[at(b)];
  if (first.body == second.body || !first.contactShape || !second.contactShape) return;
  if (A.bounds.isEmpty() || B.bounds.isEmpty()) return;  // a half-space is thick enough
  const Vec3 shift = A.shift - B.shift;
  if (!sweptMeets(A.bounds, shift, B.bounds) || !way.model->rigidPairLaw(a, b).enabled) return;
  const double least = thickness(way, a) + thickness(way, b);
  if (shift.norm() <= least) return;
  const std::optional<Vec3> normal = firstTouch(way, a, b, shift.norm(), least);
  if (!normal) return;
  HealthNote note{Health::FastBody,
                  first.body,
                  second.body,
                  -1,
                  std::abs(shift.dot(*normal)),
                  widthAlong(way, a, *normal) + widthAlong(way, b, *normal)};
  if (A.shift.norm() < B.shift.norm()) std::swap(note.body, note.other);
  if (note.value > note.limit) addOnce(note, notes);
}

/// The contact normal where two geometries first meet on their way; none if they do not, or do so from its start on.
std::optional<Vec3> FastBodies::firstTouch(const Way& way, int a, int b, double length, double resolution) {
  if (collisionOf_ != way.model) {
    collision_.emplace(makeCollision(*way.model));
    collisionOf_ = way.model;
  }
  const int places = std::clamp(static_cast<int>(std::ceil(2 * length / resolution)), 1, kMaxPlaces);
  const int bodyA = way.model->geometries[at(a)].body, bodyB = way.model->geometries[at(b)].body;
  bodies_.assign(way.from.size(), 0);
  bodies_[at(bodyA)] = bodies_[at(bodyB)] = 1;
  X_WB_ = way.from;
  for (int i = 0; i <= places; ++i) {
    for (const int body : {bodyA, bodyB})
      X_WB_[at(body)] = between(way.from[at(body)], way.to[at(body)], static_cast<double>(i) / places);
    collision_->find(X_WB_, touching_, bodies_);
    for (const RigidContactSet::Pair& pair : touching_.pairs) {
      if (pair.geometryA != a || pair.geometryB != b) continue;
      if (i == 0) return std::nullopt;
      return touching_.points[at(pair.pointBegin)].normal_W;
    }
  }
  return std::nullopt;
}

/// What a particle goes through that crosses a geometry's middle; of a mesh, its thinnest part.
double FastBodies::chordAlong(const Way& way, int geometry, const Vec3& direction_W) {
  const Geometry& g = way.model->geometries[at(geometry)];
  if (std::holds_alternative<shape::Mesh>(g.shape)) return thickness(way, geometry);
  const Vec3 n = (way.from[at(g.body)].R * g.X_BG.R).transpose() * direction_W;
  return std::visit(Chord{n}, g.shape);
}

/// Extent of a deformable, of which particles are the middles of cells.
double FastBodies::depthAlong(const Way& way, std::size_t deformable, const Vec3& direction) {
  const DeformableSums& soft = way.particles->deformables[deformable];
  const double spacing = way.model->deformables[deformable].spacing;
  return (soft.upper - soft.lower + Vec3::Constant(spacing)).dot(direction.cwiseAbs());
}

/// Between two looks for contact a shape must not go further through particles than it is thick; and one that keeps its
/// velocity for a step, though forces should change it, not further than it and what it meets are thick.
void FastBodies::meetSoft(const Way& way, int geometry, std::size_t deformable,
                          std::vector<HealthNote>& notes) {
  const Place& place = places_[at(geometry)];
  const int body = way.model->geometries[at(geometry)].body;
  if (place.bounds.isEmpty() || !way.model->contactLaw(deformable, at(geometry)).enabled) return;
  const DeformableSums& soft = way.particles->deformables[deformable];
  const Velocity& V = way.V_WB[at(body)];
  const Vec3 velocity = V.at(way.from[at(body)].R * place.middle) - soft.momentum / soft.mass;
  const double length = velocity.norm() * way.model->time.dt, unseen = velocity.norm() * way.particleInterval;
  const bool keeps = way.keepsVelocity && yieldsToForces(*way.model, body);
  const double longest = keeps ? std::max(length, unseen) : unseen;
  if (longest <= thickness_[at(geometry)].value_or(kThinMesh)) return;
  const Eigen::AlignedBox3d box(soft.lower, soft.upper);
  if (!sweptMeets(place.bounds, velocity * way.model->time.dt, box)) return;
  const Vec3 direction = velocity.normalized();
  const double width = chordAlong(way, geometry, direction);
  HealthNote note{Health::FastBody, body, -1, static_cast<std::int32_t>(deformable), unseen, width};
  if (unseen <= width && keeps && !place.bounds.intersects(box))
    note.value = length, note.limit = width + depthAlong(way, deformable, direction);
  if (note.value > note.limit) addOnce(note, notes);
}

}  // namespace slipstick

#include "engine/model/model.h"

#include <algorithm>
#include <cmath>

#include "engine/geometry/collision.h"

namespace slipstick {

namespace {

double minimumJerk(double s) {
  return s * s * s * (10 + s * (6 * s - 15));
}

/// Slope at the key between two intervals of durations h and slopes d: their weighted harmonic mean, zero
/// where the coordinate turns round (Fritsch & Butland 1984, which keeps the cubic between its keys).
double slopeAtKey(double h1, double d1, double h2, double d2) {
  if (d1 * d2 <= 0) return 0;
  const double w1 = h1 + 2 * h2, w2 = 2 * h1 + h2;
  return (w1 + w2) / (w1 / d1 + w2 / d2);
}

double hermite(const KeySpan& span, double s) {
  std::array<double, 3> h, d;
  for (std::size_t i = 0; i < 3; ++i) {
    h[i] = span.t[i + 1] - span.t[i];
    d[i] = h[i] > 0 ? (span.y[i + 1] - span.y[i]) / h[i] : 0;
  }
  const double m1 = slopeAtKey(h[0], d[0], h[1], d[1]) * h[1], m2 = slopeAtKey(h[1], d[1], h[2], d[2]) * h[1];
  const double rise = span.y[2] - span.y[1];
  return span.y[1] + s * (m1 + s * (3 * rise - 2 * m1 - m2 + s * (m1 + m2 - 2 * rise)));
}

}  // namespace

double interpolate(Interpolation interpolation, const KeySpan& span, double t) {
  const double s = (t - span.t[1]) / (span.t[2] - span.t[1]);
  if (interpolation == Interpolation::Spline) return hermite(span, s);
  const double part = interpolation == Interpolation::Smooth ? minimumJerk(s) : s;
  return (1 - part) * span.y[1] + part * span.y[2];
}

Pose Path::at(double t) const {
  SIM_REQUIRE(!keys.empty(), name);
  const auto later = std::upper_bound(keys.begin(), keys.end(), t,
                                      [](double time, const auto& key) { return time < key.t; });
  if (later == keys.begin()) return Pose::fromQuat(keys.front().R, keys.front().p);
  if (later == keys.end()) return Pose::fromQuat(keys.back().R, keys.back().p);
  const PathSpec::Key &a = *(later - 1), &b = *later;
  const auto end = static_cast<std::size_t>(later - keys.begin());
  Vec3 p;
  for (int axis = 0; axis < 3; ++axis)
    p[axis] = interpolate(interpolation,
                          spanBefore(keys, end, [axis](const PathSpec::Key& key) { return key.p[axis]; }), t);
  const double s = (t - a.t) / (b.t - a.t);
  return Pose::fromQuat(a.R.slerp(interpolation == Interpolation::Linear ? s : minimumJerk(s), b.R), p);
}

double combinedFriction(FrictionRule rule, double a, double b) {
  switch (rule) {
    case FrictionRule::Harmonic:
      return a + b > 0 ? 2 * a * b / (a + b) : 0;
    case FrictionRule::Geometric:
      return std::sqrt(a * b);
    case FrictionRule::Mean:
      return 0.5 * (a + b);
    case FrictionRule::Minimum:
      return std::min(a, b);
    case FrictionRule::Maximum:
      break;
  }
  return std::max(a, b);
}

std::size_t Model::deformableOf(std::size_t node) const {
  const auto next = std::upper_bound(deformables.begin(), deformables.end(), static_cast<int>(node),
                                     [](int n, const Deformable& d) { return n < d.end; });
  return static_cast<std::size_t>(next - deformables.begin());
}

Pose Model::boundaryPose(const Boundary& boundary, double t) const {
  return boundary.path < 0 ? boundary.X_PS
                           : paths[static_cast<std::size_t>(boundary.path)].at(t) * boundary.X_PS;
}

RigidPairLaw Model::rigidPairLaw(int geometryA, int geometryB) const {
  const Geometry &a = geometries[static_cast<std::size_t>(geometryA)],
                 &b = geometries[static_cast<std::size_t>(geometryB)];
  if (compositeOf[static_cast<std::size_t>(a.body)] == compositeOf[static_cast<std::size_t>(b.body)])
    return {false, 0, 0};
  const double combined = combinedFriction(rigidSolver.frictionRule, a.friction, b.friction);
  const PairException* exception = findException(geometryA, geometryB);
  const double larger = std::max(a.restitution, b.restitution);
  if (!exception) return {true, combined, larger};
  return {exception->enabled, exception->friction.value_or(combined),
          exception->restitution.value_or(larger)};
}

bool Model::hasRestitution() const {
  return std::any_of(geometries.begin(), geometries.end(),
                     [](const Geometry& g) { return g.restitution > 0; }) ||
         std::any_of(pairExceptions.begin(), pairExceptions.end(),
                     [](const PairException& e) { return e.restitution.value_or(0) > 0; });
}

const Model::PairException* Model::findException(int geometryA, int geometryB) const {
  const std::pair<int, int> key = std::minmax(geometryA, geometryB);
  const auto found = std::lower_bound(
      pairExceptions.begin(), pairExceptions.end(), key,
      [](const PairException& e, const std::pair<int, int>& k) { return std::pair(e.a, e.b) < k; });
  const bool isThere = found != pairExceptions.end() && std::pair(found->a, found->b) == key;
  return isThere ? &*found : nullptr;
}

Collision makeCollision(const Model& model) {
  std::vector<Collision::Entry> entries;
  for (std::size_t g = 0; g < model.geometries.size(); ++g) {
    const Geometry& geometry = model.geometries[g];
    if (geometry.contactShape)
      entries.push_back({static_cast<int>(g), geometry.body, geometry.X_BG, geometry.contactShape});
  }
  return Collision(std::move(entries), [&model](int a, int b) { return model.rigidPairLaw(a, b).enabled; });
}

int Model::findBody(const std::string& wanted) const {
  for (std::size_t i = 0; i < tree.bodies.size(); ++i)
    if (tree.bodies[i].name == wanted) return static_cast<int>(i);
  return -1;
}

int Model::findEffector(const std::string& wanted) const {
  for (std::size_t i = 0; i < effectors.size(); ++i)
    if (effectors[i].name == wanted) return static_cast<int>(i);
  return -1;
}

int Model::findJoint(const std::string& wanted) const {
  for (std::size_t i = 0; i < tree.joints.size(); ++i)
    if (tree.joints[i].name == wanted) return static_cast<int>(i);
  return -1;
}

}  // namespace slipstick

#include "engine/methods/convex_mpm/rigid_step_sum.h"

#include <algorithm>
#include <utility>

namespace slipstick::convex_mpm {

namespace {

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Copies a pair with its points and polygons to the end of another set.
void append(const RigidContactSet& from, const RigidContactSet::Pair& pair, RigidContactSet& to) {
  RigidContactSet::Pair copy = pair;
  copy.pointBegin = static_cast<int>(to.points.size());
  to.points.insert(to.points.end(), from.points.begin() + pair.pointBegin,
                   from.points.begin() + pair.pointEnd);
  to.laws.insert(to.laws.end(), from.laws.begin() + pair.pointBegin, from.laws.begin() + pair.pointEnd);
  copy.pointEnd = static_cast<int>(to.points.size());
  copy.polygonBegin = static_cast<int>(to.polygonEnds.size());
  int begin = pair.polygonBegin > 0 ? from.polygonEnds[at(pair.polygonBegin - 1)] : 0;
  for (int polygon = pair.polygonBegin; polygon < pair.polygonEnd; ++polygon) {
    const int end = from.polygonEnds[at(polygon)];
    to.vertices.insert(to.vertices.end(), from.vertices.begin() + begin, from.vertices.begin() + end);
    to.polygonEnds.push_back(static_cast<int>(to.vertices.size()));
    begin = end;
  }
  copy.polygonEnd = static_cast<int>(to.polygonEnds.size());
  to.pairs.push_back(copy);
}

bool isSame(const RigidContactSet::Pair& a, const RigidContactSet::Pair& b) {
  return a.geometryA == b.geometryA && a.geometryB == b.geometryB;
}

/// The last entry of a pair of geometries; null: there is none.
const RigidContactSet::Pair* lastOf(const RigidContactSet& set, const RigidContactSet::Pair& pair) {
  const auto found = std::find_if(set.pairs.rbegin(), set.pairs.rend(),
                                  [&](const RigidContactSet::Pair& p) { return isSame(p, pair); });
  return found == set.pairs.rend() ? nullptr : &*found;
}

void addSums(const RigidContactResult& from, RigidContactResult& to, double share = 1) {
  to.impulse += share * from.impulse;
  to.frictionBound += share * from.frictionBound;
  to.work += share * from.work;
}

/// Points that take up what their pair did in others before, in shares of their impulses.
void addEarlier(const RigidContactResult& earlier, std::vector<RigidContactResult>& points) {
  double all = 0;
  for (const RigidContactResult& point : points) all += point.impulse.norm();
  for (RigidContactResult& point : points)
    addSums(earlier, point, all > 0 ? point.impulse.norm() / all : 1.0 / static_cast<double>(points.size()));
}

}  // namespace

void RigidStepSum::begin(const std::vector<Pose>& X_WB) {
  X_WB0_ = X_WB;
  elapsed_ = 0;
  pairs_.clear();
  letGo_.clear();
  total_.tau.setZero(model_->tree.nv);
  total_.contactImpulse.assign(model_->tree.bodies.size(), {});
  total_.iterations = total_.lagSolves = 0;
  total_.converged = total_.factored = true;
  total_.saturated.clear();
  total_.residual = 0;
  total_.trace.clear();
}

void RigidStepSum::keepWhatLetGo(const RigidContactSet& before, const RigidContactSet& now) {
  for (const RigidContactSet::Pair& pair : before.pairs)
    if (lastOf(now, pair) == nullptr) append(before, pair, letGo_);
}

void RigidStepSum::add(const RigidStepOutput& substep, double dt) {
  total_.tau += dt * substep.tau;
  total_.iterations = std::max(total_.iterations, substep.iterations);
  total_.lagSolves += substep.lagSolves;
  total_.converged &= substep.converged;
  total_.factored &= substep.factored;
  total_.residual = std::max(total_.residual, substep.residual);
  total_.keepTrace(substep.trace);
  for (const std::int32_t joint : substep.saturated)
    if (std::find(total_.saturated.begin(), total_.saturated.end(), joint) == total_.saturated.end())
      total_.saturated.push_back(joint);
  for (const RigidContactSet::Pair& pair : substep.contacts.pairs) addPair(substep, pair, dt);
  elapsed_ += dt;
}

void RigidStepSum::addPair(const RigidStepOutput& substep, const RigidContactSet::Pair& pair, double dt) {
  PairSum& sum = sumOf(pair, dt);
  for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
    const RigidContactResult& result = substep.results[at(p)];
    RigidContactResult& point = sum.points[at(p - pair.pointBegin)];
    addSums(result, point);
    point.velocity = result.velocity;
    point.friction = result.friction;
    if (elapsed_ == 0) sum.energy += result.energy;
    addImpulse(pair, substep.contacts.points[at(p)].p_W, result.impulse, total_.contactImpulse);
  }
}

/// Of a contact point, on both bodies, about their origins at t_n.
void RigidStepSum::addImpulse(const RigidContactSet::Pair& pair, const Vec3& p_W, const Vec3& impulse,
                              std::vector<Wrench>& onBodies) const {
  const int bodyA = model_->geometries[at(pair.geometryA)].body;
  const int bodyB = model_->geometries[at(pair.geometryB)].body;
  for (const auto& [body, onBody] : {std::pair(bodyB, impulse), std::pair(bodyA, Vec3(-impulse))})
    onBodies[at(body)] += {onBody, (p_W - X_WB0_[at(body)].p).cross(onBody)};
}

/// The sum of a pair, whose points start anew when their number changes or it has not touched in between.
RigidStepSum::PairSum& RigidStepSum::sumOf(const RigidContactSet::Pair& pair, double dt) {
  const std::size_t points = at(pair.pointEnd - pair.pointBegin);
  const auto known = std::find_if(pairs_.begin(), pairs_.end(), [&](const PairSum& sum) {
    return sum.geometryA == pair.geometryA && sum.geometryB == pair.geometryB;
  });
  PairSum& sum = known != pairs_.end() ? *known : pairs_.emplace_back();
  if (sum.points.size() != points || sum.last != elapsed_) {
    for (const RigidContactResult& point : sum.points) addSums(point, sum.earlier);
    sum.points.assign(points, {});
  }
  sum.geometryA = pair.geometryA, sum.geometryB = pair.geometryB;
  sum.last = elapsed_ + dt;
  return sum;
}

void RigidStepSum::addTo(RigidStepOutput& output, const RigidContactSet& last,
                         const std::function<bool(int)>& moves) {
  output.iterations = std::max(output.iterations, total_.iterations);
  output.lagSolves += total_.lagSolves;
  output.converged &= total_.converged;
  output.residual = std::max(output.residual, total_.residual);
  output.saturated.insert(output.saturated.end(), total_.saturated.begin(), total_.saturated.end());
  output.keepTrace(total_.trace);
  contacts_.clear();
  results_.clear();
  addResting(output, moves);
  addMoved(last);
  output.contactImpulse = total_.contactImpulse;
  std::swap(output.contacts, contacts_);
  std::swap(output.results, results_);
}

/// Contacts of mechanisms that did not move.
void RigidStepSum::addResting(const RigidStepOutput& output, const std::function<bool(int)>& moves) {
  for (const RigidContactSet::Pair& pair : output.contacts.pairs) {
    if (moves(model_->geometries[at(pair.geometryA)].body) ||
        moves(model_->geometries[at(pair.geometryB)].body))
      continue;
    append(output.contacts, pair, contacts_);
    for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
      results_.push_back(output.results[at(p)]);
      addImpulse(pair, output.contacts.points[at(p)].p_W, results_.back().impulse, total_.contactImpulse);
    }
  }
}

void RigidStepSum::addMoved(const RigidContactSet& last) {
  for (PairSum& sum : pairs_) {
    const RigidContactSet::Pair pair{.geometryA = sum.geometryA, .geometryB = sum.geometryB};
    const RigidContactSet& from = sum.last == elapsed_ ? last : letGo_;
    append(from, *lastOf(from, pair), contacts_);
    addEarlier(sum.earlier, sum.points);
    sum.points.front().energy = sum.energy;
    results_.insert(results_.end(), sum.points.begin(), sum.points.end());
  }
}

}  // namespace slipstick::convex_mpm

#include "engine/step/energy_audit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/foundation/set_size.h"
#include "engine/step/yielding.h"

namespace slipstick {

namespace {

/// Deformables whose boxes come this near to each other may share nodes: twice the reach of a particle's 27 [cells].
constexpr double kSharedReach = 3;
/// Energies are sums of floats: a difference this small against what it is the difference of means nothing [-].
constexpr double kRounding = 1e-5;

/// Of a pair, in what a state remembers.
constexpr std::size_t kNumbersOfSoftPair = 6, kNumbersOfRigidPair = 5;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Takes out of a state's memory what store() put there, number by number. A file may be damaged: a number that cannot be
/// what it should, or is behind the end, is 0, and what was taken is not whole.
class Remembered {
 public:
  explicit Remembered(const VecX& values) : values_(values) {}

  std::size_t left() const { return static_cast<std::size_t>(values_.size() - next_); }
  bool isWhole() const { return isWhole_; }
  double take() { return left() > 0 ? values_[next_++] : refused(); }
  std::size_t takeCount(std::size_t most) {
    return static_cast<std::size_t>(takeUpTo(static_cast<double>(most)));
  }
  /// Of one of so many things.
  int takeIndex(std::size_t count) { return static_cast<int>(takeUpTo(static_cast<double>(count) - 1)); }

 private:
  double takeUpTo(double most) {
    const double value = take();
    return value >= 0 && value <= most ? value : refused();
  }
  double refused() {
    isWhole_ = false;
    return 0;
  }

  const VecX& values_;
  Eigen::Index next_ = 0;
  bool isWhole_ = true;
};

/// The bodies that are fixed to one, with itself: all that resists a contact at once.
template <class F>
void forComposite(const Model& model, int body, F&& f) {
  for (std::size_t b = 1; b < model.tree.bodies.size(); ++b)
    if (model.compositeOf[b] == model.compositeOf[at(body)]) f(b);
}

/// 0 of what no force moves.
double massOf(const Model& model, int body) {
  if (!yieldsToForces(model, body)) return 0;
  double mass = 0;
  forComposite(model, body, [&](std::size_t b) { mass += model.tree.bodies[b].mass; });
  return mass;
}

/// ½ m (|g| Δt)²
double weightEnergy(const Model& model, double mass) {
  const double speed = model.gravity.norm() * model.time.dt;
  return 0.5 * mass * speed * speed;
}

Vec3 velocityOf(const std::vector<Velocity>& V, const AuditedStep& step, int body, const Vec3& p_W) {
  return V[at(body)].at(p_W - step.frame.X_WB[at(body)].p);
}

/// Mean of the velocities before and after the step: times an impulse, the energy that it gives.
Vec3 meanVelocity(const AuditedStep& step, int body, const Vec3& p_W) {
  const Vec3 before = velocityOf(step.frame.V_WB, step, body, p_W);
  if (isPrescribed(step.model, body)) return before;
  return 0.5 * (before + velocityOf(step.after, step, body, p_W));
}

double energyOf(const DeformableSums& sums) {
  return sums.kineticEnergy + sums.elasticEnergy;
}

int deformableOf(const AuditedStep& step, const TouchImpulse& contact) {
  return static_cast<int>(step.model.deformableOf(at(contact.particle)));
}

/// The largest speed of a boundary that moves, within a deformable's box [m/s].
double boundarySpeed(const AuditedStep& step, const DeformableSums& particles) {
  double speed = 0;
  for (const BoundaryMotion& b : step.frame.boundaries) {
    const double arm = (0.5 * (particles.lower + particles.upper) - b.X_WS.p).norm() +
                       0.5 * (particles.upper - particles.lower).norm();
    speed = std::max(speed, b.V_WS.v.norm() + b.V_WS.w.norm() * arm);
  }
  return speed;
}

/// What people's pulls and moving boundaries can have put in at most [J].
double givenFrom(const AuditedStep& step, const Deformable& deformable, std::size_t d) {
  const DeformableSums& after = step.outcome.soft.facts.deformables[d];
  double work = step.outcome.soft.boundaryMagnitude * boundarySpeed(step, after);
  const bool pulled = std::any_of(step.frame.pulls.begin(), step.frame.pulls.end(), [&](const Pull& pull) {
    return pull.particle >= deformable.begin && pull.particle < deformable.end;
  });
  if (pulled)
    work += step.outcome.soft.pullImpulse.norm() * std::max(after.maxSpeed, step.factsBefore->maxSpeed());
  return work;
}

double springEnergy(double stiffness, double depth) {
  return depth > 0 ? 0.5 * stiffness * depth * depth : 0;
}

/// By which bodies go on from where the last substep had them, as if they had moved as at t_n, along a contact's normal [m].
double jumpOf(const AuditedStep& step, const TouchImpulse& contact, int body) {
  if (!step.outcome.touchWork.empty() || isPrescribed(step.model, body)) return 0;
  Vec3 jump = velocityOf(step.after, step, body, contact.point);
  if (step.model.solver.geometry == SubstepGeometry::Moving)
    jump -= velocityOf(step.frame.V_WB, step, body, contact.point);
  return step.model.time.dt * jump.dot(contact.normal);
}

/// What contacts gave to a body in a step, about its origin at t_n.
Wrench contactImpulse(const AuditedStep& step, std::size_t body) {
  Wrench sum = step.outcome.soft.wrenchImpulse[body];
  const RigidContactSet& set = step.outcome.rigid.contacts;
  for (const RigidContactSet::Pair& pair : set.pairs)
    for (const auto& [geometry, sign] : {std::pair(pair.geometryB, 1.0), std::pair(pair.geometryA, -1.0)}) {
      if (at(step.model.geometries[at(geometry)].body) != body) continue;
      for (int p = pair.pointBegin; p < pair.pointEnd; ++p) {
        const Vec3 impulse = sign * step.outcome.rigid.results[at(p)].impulse;
        sum += {impulse, (set.points[at(p)].p_W - step.frame.X_WB[body].p).cross(impulse)};
      }
    }
  return sum;
}

/// What drives a body, its joints and its weight, works along the way that it goes, Δt V⁺. Of this its kinetic energy has
/// Δt (V + V⁺)/2; the other half of their impulse times V⁺ − V is what presses it the deeper into what it touches [J].
double drivenWork(const AuditedStep& step, int body) {
  if (massOf(step.model, body) == 0) return 0;
  double work = 0;
  forComposite(step.model, body, [&](std::size_t b) {
    const multibody::Body& part = step.model.tree.bodies[b];
    const Mat3& R = step.frame.X_WB[b].R;
    const Velocity change{step.after[b].w - step.frame.V_WB[b].w, step.after[b].v - step.frame.V_WB[b].v};
    const Vec3 w_B = R.transpose() * change.w;
    const Wrench contact = contactImpulse(step, b);
    work += 0.5 * (part.mass * change.at(R * part.com).squaredNorm() + w_B.dot(part.inertia * w_B) -
                   contact.force.dot(change.v) - contact.torque.dot(change.w));
  });
  return std::max(0.0, work);
}

}  // namespace

void EnergyAudit::Record::clear() {
  soft.clear();
  contact.clear();
  softPairs.clear();
  rigidPairs.clear();
}

/// For one more of the present step. Records change places: what one of them needs, all will.
template <class Pair>
void EnergyAudit::makeRoom(std::vector<Pair> Record::*pairs) {
  if ((records_[0].*pairs).size() < (records_[0].*pairs).capacity()) return;
  const std::size_t capacity = std::max<std::size_t>(8, 2 * (records_[0].*pairs).size());
  for (Record& record : records_) (record.*pairs).reserve(capacity);
}

void EnergyAudit::examine(const AuditedStep& step, VecX& past, std::vector<HealthNote>& notes) {
  load(past, step.model);
  std::rotate(records_.begin(), records_.end() - 1, records_.end());
  records_[0].clear();
  count_ = std::min(count_ + 1, kSteps);
  if (step.factsBefore != nullptr) balanceSoft(step);
  balanceRigid(step);
  findGroups(step);
  for (const SoftPair& pair : records_[0].softPairs)
    if (mayHaveGiven(step, pair)) judgeSoft(step, pair, notes);
  for (const RigidPair& pair : records_[0].rigidPairs) judgeRigid(step, pair, notes);
  // What nothing touched has no past.
  while (count_ > 0 && records_[count_ - 1].softPairs.empty() && records_[count_ - 1].rigidPairs.empty())
    --count_;
  store(past);
}

/// The steps before, of which the last one comes first. What a damaged file has in their place is no past that is known.
void EnergyAudit::load(const VecX& past, const Model& model) {
  const std::size_t deformables = model.deformables.size(), bodies = model.tree.bodies.size();
  Remembered from(past);
  knowsPast_ = past.size() != 1;
  count_ = past.size() > 1 ? from.takeCount(kSteps) : 0;
  for (std::size_t r = 0; r < count_; ++r) {
    Record& record = records_[r];
    record.soft.resize(deformables);
    record.contact.resize(deformables);
    for (std::size_t d = 0; d < deformables; ++d) {
      record.soft[d] = {from.take(), from.take(), from.take()};
      record.contact[d] = from.take();
    }
    record.softPairs.resize(from.takeCount(from.left() / kNumbersOfSoftPair));
    for (SoftPair& p : record.softPairs)
      p = {from.takeIndex(bodies),
           from.takeIndex(deformables),
           from.takeIndex(2) > 0,
           from.take(),
           from.take(),
           from.take()};
    record.rigidPairs.resize(from.takeCount(from.left() / kNumbersOfRigidPair));
    for (RigidPair& p : record.rigidPairs)
      p = {from.takeIndex(bodies), from.takeIndex(bodies), from.take(), from.take(), from.take()};
  }
  if (from.isWhole()) return;
  knowsPast_ = false;
  count_ = 0;
}

void EnergyAudit::store(VecX& past) const {
  Eigen::Index size = count_ > 0 ? 1 : 0;
  for (std::size_t r = 0; r < count_; ++r)
    size += static_cast<Eigen::Index>(4 * records_[r].soft.size() + 2 +
                                      kNumbersOfSoftPair * records_[r].softPairs.size() +
                                      kNumbersOfRigidPair * records_[r].rigidPairs.size());
  // By doubling: a pair more or less seldom needs other memory.
  if (size > 0)
    size =
        static_cast<Eigen::Index>(std::bit_ceil(static_cast<std::size_t>(std::max<Eigen::Index>(size, 512))));
  setSize(past, size);
  past.setZero();
  Eigen::Index next = 0;
  const auto put = [&](auto value) { past[next++] = static_cast<double>(value); };
  if (count_ > 0) put(count_);
  for (std::size_t r = 0; r < count_; ++r) {
    const Record& record = records_[r];
    for (std::size_t d = 0; d < record.soft.size(); ++d) {
      put(record.soft[d].energy), put(record.soft[d].unexplained), put(record.soft[d].input);
      put(record.contact[d]);
    }
    put(record.softPairs.size());
    for (const SoftPair& p : record.softPairs)
      put(p.body), put(p.deformable), put(p.began), put(p.gained), put(p.kinetic), put(p.held);
    put(record.rigidPairs.size());
    for (const RigidPair& p : record.rigidPairs) put(p.a), put(p.b), put(p.work), put(p.kinetic), put(p.held);
  }
}

double EnergyAudit::kineticEnergy(const AuditedStep& step, int body) const {
  if (massOf(step.model, body) == 0) return 0;
  double energy = 0;
  forComposite(step.model, body, [&](std::size_t b) {
    const multibody::Body& part = step.model.tree.bodies[b];
    const Mat3& R = step.frame.X_WB[b].R;
    const Vec3 w_B = R.transpose() * step.frame.V_WB[b].w;
    energy += 0.5 * part.mass * step.frame.V_WB[b].at(R * part.com).squaredNorm() +
              0.5 * w_B.dot(part.inertia * w_B);
  });
  return energy;
}

EnergyAudit::SoftPair& EnergyAudit::softPair(const AuditedStep& step, int body, int deformable) {
  std::vector<SoftPair>& pairs = records_[0].softPairs;
  const auto known = std::find_if(pairs.begin(), pairs.end(), [&](const SoftPair& p) {
    return p.body == body && p.deformable == deformable;
  });
  if (known != pairs.end()) return *known;
  makeRoom(&Record::softPairs);
  const double driven = step.outcome.touchWork.empty() ? drivenWork(step, body) : 0;
  SoftPair pair{body, deformable, false, -driven, kineticEnergy(step, body), 0};
  const SoftPair* const before = softPairOf(1, pair);
  pair.began = before == nullptr || before->kinetic < 0;
  return pairs.emplace_back(pair);
}

void EnergyAudit::balanceSoft(const AuditedStep& step) {
  Record& record = records_[0];
  const std::vector<DeformableSums>&before = step.factsBefore->deformables,
        &after = step.outcome.soft.facts.deformables;
  for (Record& each : records_) {  // they change places
    each.soft.reserve(before.size());
    each.contact.reserve(before.size());
  }
  record.soft.assign(before.size(), {});
  record.contact.assign(before.size(), 0);
  for (std::size_t d = 0; d < before.size(); ++d) {
    const double held = count_ > 1 ? records_[1].contact[d] : 0;
    const double weight = step.model.gravity.dot(after[d].moment - before[d].moment);
    const double given = givenFrom(step, step.model.deformables[d], d);
    record.soft[d] = {energyOf(before[d]) + held,
                      energyOf(after[d]) - energyOf(before[d]) - held - weight - given,
                      std::max(0.0, weight) + given};
  }
  for (const TouchImpulse& contact : step.outcome.soft.contacts) addContact(step, contact);
  addWorkOfMovedBodies(step);
  if (!knowsPast_)
    for (SoftPair& pair : record.softPairs) pair.kinetic = -1;
}

/// Where a body's velocity was that of t_n for the particles, they paid γ·V_n for the γ·V̄ that it got, and then it goes on
/// from where they met it.
void EnergyAudit::addContact(const AuditedStep& step, const TouchImpulse& contact) {
  const int body = step.model.geometries[at(contact.geometry)].body;
  const int deformable = deformableOf(step, contact);
  SoftPair& pair = softPair(step, body, deformable);
  const ContactLaw& law =
      step.model.contactLaws[at(deformable) * step.model.geometries.size() + at(contact.geometry)];
  Soft& soft = records_[0].soft[at(deformable)];
  const double left = springEnergy(law.stiffness, contact.springDepth);
  soft.unexplained += left;
  const double end =
      left > 0 ? springEnergy(law.stiffness, contact.springDepth + jumpOf(step, contact, body)) : 0;
  pair.held += end;
  pair.gained += end - left;
  records_[0].contact[at(deformable)] += end;
  if (!step.outcome.touchWork.empty()) return;
  const double paid = contact.impulse.dot(velocityOf(step.frame.V_WB, step, body, contact.point));
  pair.gained += paid - contact.impulse.dot(meanVelocity(step, body, contact.point));
  soft.unexplained -= paid;
  soft.input += std::max(0.0, paid);
}

/// Where bodies move with the substeps, particles paid what these got, each deformable by its share of the impulses.
void EnergyAudit::addWorkOfMovedBodies(const AuditedStep& step) {
  if (step.outcome.touchWork.empty()) return;
  const auto bodyOf = [&](const TouchImpulse& c) { return step.model.geometries[at(c.geometry)].body; };
  for (const SoftPair& pair : records_[0].softPairs) {
    double all = 0, share = 0;
    for (const TouchImpulse& c : step.outcome.soft.contacts) {
      if (bodyOf(c) != pair.body) continue;
      all += c.impulse.norm();
      if (deformableOf(step, c) == pair.deformable) share += c.impulse.norm();
    }
    const double paid = all > 0 ? -step.outcome.touchWork[at(pair.body)] * share / all : 0;
    Soft& soft = records_[0].soft[at(pair.deformable)];
    soft.unexplained -= paid;
    soft.input += std::max(0.0, paid);
  }
}

void EnergyAudit::balanceRigid(const AuditedStep& step) {
  for (const RigidContactSet::Pair& touching : step.outcome.rigid.contacts.pairs) {
    RigidPair& pair = rigidPair(step, step.model.geometries[at(touching.geometryA)].body,
                                step.model.geometries[at(touching.geometryB)].body);
    for (int p = touching.pointBegin; p < touching.pointEnd; ++p) {
      pair.work += step.outcome.rigid.results[at(p)].work;
      pair.held += step.outcome.rigid.results[at(p)].energy;
    }
  }
  if (!knowsPast_) return;
  for (RigidPair& pair : records_[0].rigidPairs)
    if (rigidPairOf(1, pair) == nullptr) pair.held = 0;
}

EnergyAudit::RigidPair& EnergyAudit::rigidPair(const AuditedStep& step, int a, int b) {
  std::vector<RigidPair>& pairs = records_[0].rigidPairs;
  const auto known =
      std::find_if(pairs.begin(), pairs.end(), [&](const RigidPair& p) { return p.a == a && p.b == b; });
  if (known != pairs.end()) return *known;
  makeRoom(&Record::rigidPairs);
  return pairs.emplace_back(
      RigidPair{a, b, 0, knowsPast_ ? kineticEnergy(step, a) + kineticEnergy(step, b) : -1, 0});
}

/// Null: it did not touch in that step.
const EnergyAudit::RigidPair* EnergyAudit::rigidPairOf(std::size_t record, const RigidPair& pair) const {
  if (record >= count_) return nullptr;
  const std::vector<RigidPair>& pairs = records_[record].rigidPairs;
  const auto found = std::find_if(pairs.begin(), pairs.end(),
                                  [&](const RigidPair& p) { return p.a == pair.a && p.b == pair.b; });
  return found == pairs.end() ? nullptr : &*found;
}

/// Deformables exchange energy through nodes that they share.
void EnergyAudit::findGroups(const AuditedStep& step) {
  const std::vector<DeformableSums>& facts = step.outcome.soft.facts.deformables;
  group_.resize(facts.size());
  for (std::size_t d = 0; d < facts.size(); ++d) {
    group_[d] = static_cast<int>(d);
    for (std::size_t e = 0; e < d; ++e) {
      const double resolution = std::max(step.model.resolutionOf(d), step.model.resolutionOf(e));
      const Vec3 reach = Vec3::Constant(kSharedReach * resolution);
      const bool near = (facts[d].lower.array() <= (facts[e].upper + reach).array()).all() &&
                        (facts[e].lower.array() <= (facts[d].upper + reach).array()).all();
      if (!near || group_[e] == group_[d]) continue;
      const int from = std::max(group_[d], group_[e]), to = std::min(group_[d], group_[e]);
      std::replace(group_.begin(), group_.begin() + static_cast<std::ptrdiff_t>(d) + 1, from, to);
    }
  }
}

/// What cannot move gives nothing while something else touches the same particles: what these gained came from there.
bool EnergyAudit::mayHaveGiven(const AuditedStep& step, const SoftPair& pair) const {
  if (massOf(step.model, pair.body) > 0) return true;
  for (std::size_t r = 0; r < count_; ++r)
    for (const SoftPair& other : records_[r].softPairs)
      if (group_[at(other.deformable)] == group_[at(pair.deformable)] && massOf(step.model, other.body) > 0)
        return false;
  return true;
}

/// Null: it did not touch in that step.
const EnergyAudit::SoftPair* EnergyAudit::softPairOf(std::size_t record, const SoftPair& pair) const {
  if (record >= count_) return nullptr;
  const std::vector<SoftPair>& pairs = records_[record].softPairs;
  const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const SoftPair& p) {
    return p.body == pair.body && p.deformable == pair.deformable;
  });
  return found == pairs.end() ? nullptr : &*found;
}

void EnergyAudit::judgeSoft(const AuditedStep& step, const SoftPair& pair,
                            std::vector<HealthNote>& notes) const {
  double mass = massOf(step.model, pair.body);
  for (std::size_t d = 0; d < group_.size(); ++d)
    if (group_[d] == group_[at(pair.deformable)]) mass += step.outcome.soft.facts.deformables[d].mass;
  HealthNote worst{Health::EnergyGained, pair.body, -1, pair.deformable, 0, 0};
  double gained = 0, input = 0;
  for (std::size_t r = 0; r < count_; ++r) {
    const SoftPair* const then = softPairOf(r, pair);
    if (then == nullptr || then->kinetic < 0) break;
    gained += then->gained;
    double energy = then->kinetic;
    for (std::size_t d = 0; d < group_.size(); ++d) {
      if (group_[d] != group_[at(pair.deformable)]) continue;
      gained += records_[r].soft[d].unexplained;
      input += records_[r].soft[d].input;
      energy += records_[r].soft[d].energy;
    }
    const double limit = (kShare + kRounding) * (energy + input) + weightEnergy(step.model, mass);
    // The depth that a pair comes to touch with nobody paid for: what counts is what comes of it.
    const double realised = gained - (then->began ? pair.held : 0);
    if (realised - limit > worst.value - worst.limit) worst.value = realised, worst.limit = limit;
  }
  if (worst.value > worst.limit) notes.push_back(worst);
}

/// An implicit step from the depth φ of a spring to y, at whose end the bodies separate with u⁺, gives
///
///   f(y) Δt u⁺ ≤ U(φ) − U(y),
///
/// as U is convex: however hard others press, a pair gets no more than its contact held. One that has just come to touch has
/// φ ≤ Δt |u⁻|, for which nobody paid, and gets ½ f(y) Δt (u⁻ + u⁺) ≤ −U(y).
void EnergyAudit::judgeRigid(const AuditedStep& step, const RigidPair& pair,
                             std::vector<HealthNote>& notes) const {
  const double mass = massOf(step.model, pair.a) + massOf(step.model, pair.b);
  HealthNote worst{Health::EnergyGained, pair.a, pair.b, -1, 0, 0};
  if (massOf(step.model, pair.a) == 0) std::swap(worst.body, worst.other);
  double work = 0, input = 0;
  for (std::size_t r = 0; r < count_; ++r) {
    const RigidPair* const then = rigidPairOf(r, pair);
    if (then == nullptr || then->kinetic < 0) break;
    work += then->work;
    input += std::max(0.0, -then->work);
    const double gained = work - then->held;
    const double limit =
        (kShare + kRounding) * (then->kinetic + then->held + input) + weightEnergy(step.model, mass);
    if (gained - limit > worst.value - worst.limit) worst.value = gained, worst.limit = limit;
  }
  if (worst.value > worst.limit) notes.push_back(worst);
}

}  // namespace slipstick

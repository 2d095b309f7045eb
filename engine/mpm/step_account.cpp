#include "engine/mpm/step_account.h"

#include <algorithm>

namespace slipstick::mpm {

void StepAccount::begin(std::size_t bodies, std::size_t boundaries) {
  pairs_.clear();
  sums_.clear();
  wrenches_.assign(bodies, {});
  remainders_.assign(bodies, {});
  handedOver_.assign(bodies, {});
  boundaries_.assign(boundaries, {});
  last_ = {};
  trace_.clear();
  substeps_ = 0;
  iterations_ = 0;
  solves_ = iterationsMax_ = notConverged_ = 0;
  given_ = taken_ = Vec3::Zero();
  magnitude_ = remainderSize_ = 0;
}

void StepAccount::addContact(const ContactSample& s, int body, const Vec3& arm) {
  const auto index = static_cast<std::size_t>(pairs_.insert(contactKey(s.geometry, s.particle)));
  if (index == sums_.size()) sums_.emplace_back();
  Sum& sum = sums_[index];
  const double weight = s.gamma.norm();
  sum.sum.particle = s.particle;
  sum.sum.geometry = s.geometry;
  sum.sum.impulse += s.gamma;
  sum.sum.penetration = s.penetration;
  sum.sum.frictionBound += s.frictionBound;
  sum.sum.springDepth = s.springDepth;
  sum.substep = substeps_;
  if (s.middle > 0 && s.penetration > s.middle * sum.sum.beyondMiddle) {
    sum.sum.beyondMiddle = s.penetration / s.middle;
    sum.sum.middle = s.middle;
  }
  const double normalImpulse = std::max(0.0, s.gamma.dot(s.normal));
  sum.normalWeight += normalImpulse;
  sum.weightedNormal += normalImpulse * s.normal;
  sum.plainNormal += s.normal;
  sum.weightedSlip += normalImpulse * s.slip;
  sum.plainSlip += s.slip;
  sum.weight += weight;
  sum.weightedPoint += weight * s.point;
  sum.plainPoint += s.point;
  ++sum.count;

  addToBody(body, {-s.gamma, -arm.cross(s.gamma)}, weight);
}

void StepAccount::addToBody(int body, const Wrench& impulse, double magnitude) {
  wrenches_[static_cast<std::size_t>(body)] += impulse;
  given_ += impulse.force;
  magnitude_ += magnitude;
}

void StepAccount::addRemainder(int body, const Wrench& impulse) {
  remainders_[static_cast<std::size_t>(body)] += impulse;
  given_ += impulse.force;
}

void StepAccount::takeImpulses(std::vector<Wrench>& impulses) {
  impulses.resize(wrenches_.size());
  for (std::size_t b = 0; b < wrenches_.size(); ++b) {
    const Wrench total = wrenches_[b] + remainders_[b];
    impulses[b] = total - handedOver_[b];
    handedOver_[b] = total;
  }
}

void StepAccount::addSolve(const SolveSample& s) {
  last_ = s;
  last_.trace = nullptr;
  if (s.trace != nullptr) keep(*s.trace);
  ++substeps_;
  ++solves_;
  iterations_ += s.iterations;
  iterationsMax_ = std::max(iterationsMax_, s.iterations);
  if (!s.converged) ++notConverged_;
  factored_ &= s.factored;
  taken_ += s.gridImpulse;
}

/// The last one, but a failure is not hidden by what comes after it.
void StepAccount::keep(const contact::SolveTrace& trace) {
  if (trace.converged() && !trace_.converged()) return;
  trace_ = trace;
  trace_.setIndex(substeps_);
}

void StepAccount::addBoundaries(const std::vector<BoundaryImpulse>& impulses) {
  for (std::size_t b = 0; b < impulses.size(); ++b) {
    boundaries_[b].sum += impulses[b].sum;
    boundaries_[b].magnitude += impulses[b].magnitude;
  }
}

void StepAccount::finish(SoftOutcome& result) const {
  result.contacts.clear();
  result.contacts.reserve(sums_.size());
  for (const Sum& s : sums_) {
    result.contacts.push_back(s.sum);
    TouchImpulse& sum = result.contacts.back();
    if (s.substep + 1 < substeps_) sum.springDepth = 0;
    const bool pressed = s.normalWeight > 0;
    sum.point = s.weight > 0 ? Vec3(s.weightedPoint / s.weight) : Vec3(s.plainPoint / s.count);
    sum.normal = (pressed ? s.weightedNormal : s.plainNormal).normalized();
    sum.slipSpeed = pressed ? s.weightedSlip.norm() / s.normalWeight : s.plainSlip.norm() / s.count;
  }
  std::sort(result.contacts.begin(), result.contacts.end(), [](const TouchImpulse& a, const TouchImpulse& b) {
    return a.geometry != b.geometry ? a.geometry < b.geometry : a.particle < b.particle;
  });
  result.wrenchImpulse = wrenches_;
  result.remainderImpulse = remainders_;
  for (std::size_t b = 0; b < remainders_.size(); ++b) result.wrenchImpulse[b] += remainders_[b];
  result.boundaryImpulse.clear();
  result.boundaryMagnitude = 0;
  for (const BoundaryImpulse& b : boundaries_) {
    result.boundaryImpulse.push_back(b.sum);
    result.boundaryMagnitude += b.magnitude;
  }
  result.potential = last_.potential;
  result.contactSolve = trace_;
  StepReport& report = result.report;
  report.contacts = last_.contacts;
  report.contactIterationsMean = solves_ > 0 ? static_cast<int>((iterations_ + solves_ / 2) / solves_) : 0;
  report.contactIterationsMax = iterationsMax_;
  report.notConvergedSolves = notConverged_;
  if (notConverged_ > 0) raise(report.health, Health::NotConverged);
  if (!factored_) raise(report.health, Health::FactorFailed);
  report.contactRemainder = magnitude_ > 0 ? remainderSize_ / magnitude_ : 0;
  report.momentumError = magnitude_ > 0 ? (given_ + taken_).norm() / magnitude_ : 0;
}

}  // namespace slipstick::mpm

#include "engine/mpm/step_account.h"

#include <algorithm>

namespace slipstick::mpm {

void StepAccount::begin(std::size_t bodies, std::size_t boundaries) {
  pairs_.clear();
  sums_.clear();
  wrenches_.assign(bodies, {});
  boundaries_.assign(boundaries, {});
  last_ = {};
  iterations_ = 0;
  solves_ = iterationsMax_ = notConverged_ = 0;
  given_ = taken_ = Vec3::Zero();
  magnitude_ = 0;
}

void StepAccount::addContact(const ContactSample& s, int body, const Vec3& arm) {
  const auto index = static_cast<std::size_t>(pairs_.insert(contactKey(s.geometry, s.particle)));
  if (index == sums_.size()) sums_.emplace_back();
  Sum& sum = sums_[index];
  const double weight = s.gamma.norm();
  sum.sum.particle = s.particle;
  sum.sum.geometry = s.geometry;
  sum.sum.impulse += s.gamma;
  sum.sum.normal = s.normal;
  sum.sum.penetration = s.penetration;
  sum.sum.slipSpeed = s.slipSpeed;
  sum.sum.frictionBound += s.frictionBound;
  sum.weight += weight;
  sum.weightedPoint += weight * s.point;
  sum.plainPoint += s.point;
  ++sum.count;

  wrenches_[static_cast<std::size_t>(body)] += Wrench{-s.gamma, -arm.cross(s.gamma)};
  given_ -= s.gamma;
  magnitude_ += weight;
}

void StepAccount::addSolve(const SolveSample& s) {
  last_ = s;
  ++solves_;
  iterations_ += s.iterations;
  iterationsMax_ = std::max(iterationsMax_, s.iterations);
  if (!s.converged) ++notConverged_;
  taken_ += s.gridImpulse;
}

void StepAccount::addBoundaries(const std::vector<BoundaryImpulse>& impulses) {
  for (std::size_t b = 0; b < impulses.size(); ++b) {
    boundaries_[b].sum += impulses[b].sum;
    boundaries_[b].magnitude += impulses[b].magnitude;
  }
}

void StepAccount::finish(StepResult& result) const {
  result.contacts.clear();
  result.contacts.reserve(sums_.size());
  for (const Sum& s : sums_) {
    result.contacts.push_back(s.sum);
    result.contacts.back().point =
        s.weight > 0 ? Vec3(s.weightedPoint / s.weight) : Vec3(s.plainPoint / s.count);
  }
  std::sort(result.contacts.begin(), result.contacts.end(), [](const ContactSum& a, const ContactSum& b) {
    return a.geometry != b.geometry ? a.geometry < b.geometry : a.particle < b.particle;
  });
  result.wrenchImpulse = wrenches_;
  result.boundaryImpulse.clear();
  result.boundaryMagnitude = 0;
  for (const BoundaryImpulse& b : boundaries_) {
    result.boundaryImpulse.push_back(b.sum);
    result.boundaryMagnitude += b.magnitude;
  }
  result.potential = last_.potential;
  StepReport& report = result.report;
  report.contacts = last_.contacts;
  report.contactIterationsMean = solves_ > 0 ? static_cast<int>((iterations_ + solves_ / 2) / solves_) : 0;
  report.contactIterationsMax = iterationsMax_;
  report.notConvergedSolves = notConverged_;
  if (notConverged_ > 0) raise(report.health, Health::NotConverged);
  report.momentumError = magnitude_ > 0 ? (given_ + taken_).norm() / magnitude_ : 0;
}

}  // namespace slipstick::mpm

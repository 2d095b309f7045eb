#include "engine/mpm/contact/contact_outcome.h"

#include <algorithm>

#include "engine/lanes/eigen_lanes.h"

namespace slipstick::mpm {

template <class Real>
void ContactOutcome<Real>::enter(const ContactProblem<Real>& problem, const ContactSolution<Real>& solution,
                                 const std::vector<DetectedContact>& detected,
                                 const std::vector<Vec3>& nodeAt, StepAccount& account) {
  findSets(problem, detected.size());
  sumImpulses(problem, solution);
  boundaries_.assign(account.boundaries(), {});
  sumRemainders(problem, solution, nodeAt);
  enterContacts(problem, solution, detected, account);
  Vec3 toBoundaries = Vec3::Zero();
  for (const BoundaryImpulse& b : boundaries_) toBoundaries += b.sum;
  account.addBoundaries(boundaries_);
  account.addSolve({static_cast<int>(detected.size()), solution.iterations, solution.converged,
                    solution.factored, static_cast<double>(solution.potential), gridGain_ + toBoundaries,
                    &solution.trace});
}

template <class Real>
int ContactOutcome<Real>::rootOf(int node) {
  int* parent = &parent_[static_cast<std::size_t>(node)];
  while (*parent != node) {
    *parent = parent_[static_cast<std::size_t>(*parent)];  // halves the path
    node = *parent;
    parent = &parent_[static_cast<std::size_t>(node)];
  }
  return node;
}

/// Numbers the connected sets in the order of their first nodes.
template <class Real>
void ContactOutcome<Real>::findSets(const ContactProblem<Real>& problem, std::size_t detected) {
  const std::size_t nodes = problem.mass.size();
  parent_.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) parent_[i] = static_cast<int>(i);
  linked_.assign(nodes, 0);
  for (std::size_t c = 0; c < detected; ++c) {
    const auto& node = problem.contacts[c].node;
    char& linked = linked_[static_cast<std::size_t>(node[13])];
    if (linked) continue;  // contacts with the same centre have the same nodes
    linked = 1;
    const int root = rootOf(node[13]);
    for (const int n : node) parent_[static_cast<std::size_t>(rootOf(n))] = root;
  }
  sets_.clear();
  setIndex_.assign(nodes, -1);
  for (std::size_t i = 0; i < nodes; ++i) {
    int& root = setIndex_[static_cast<std::size_t>(rootOf(static_cast<int>(i)))];
    if (root < 0) {
      root = static_cast<int>(sets_.size());
      sets_.emplace_back();
    }
    setIndex_[i] = root;
  }
}

template <class Real>
void ContactOutcome<Real>::sumImpulses(const ContactProblem<Real>& problem,
                                       const ContactSolution<Real>& solution) {
  impulse_.assign(problem.mass.size(), Vec3::Zero());
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ContactPoint<Real>& point = problem.contacts[c];
    const Vec3 gamma = toEigen(solution.gamma[c]);
    const std::size_t shares = point.bound < 0 ? 27 : 1;
    for (std::size_t n = 0; n < shares; ++n)
      impulse_[static_cast<std::size_t>(point.node[n])] += static_cast<double>(point.weight[n]) * gamma;
  }
}

/// Bounds give what leads from v* + M⁻¹Jᵀγ to the nearest allowed velocity; what then still leads to v̂ is the
/// node's remainder.
template <class Real>
void ContactOutcome<Real>::sumRemainders(const ContactProblem<Real>& problem,
                                         const ContactSolution<Real>& solution,
                                         const std::vector<Vec3>& nodeAt) {
  gridGain_.setZero();
  for (std::size_t i = 0; i < problem.mass.size(); ++i) {
    const auto m = static_cast<double>(problem.mass[i]);
    const Vec3 vStar = toEigen(problem.vStar[i]);
    const Vec3 gain = m * (toEigen(solution.v[i]) - vStar);
    Vec3 remainder = gain - impulse_[i];
    if (!problem.bounds.empty() && !problem.bounds[i].empty())
      remainder -= pushBounds(vStar + impulse_[i] / m, m, problem.bounds[i], boundaries_);
    gridGain_ += gain;
    setOf(static_cast<int>(i)).remainder += Wrench{remainder, nodeAt[i].cross(remainder)};
  }
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const ContactPoint<Real>& point = problem.contacts[c];
    if (point.bound < 0) continue;
    const NodeBounds bounds = problem.bounds[static_cast<std::size_t>(point.node[0])];
    give(boundaries_, bounds[static_cast<std::size_t>(point.bound)], toEigen(solution.gamma[c]));
  }
}

template <class Real>
void ContactOutcome<Real>::enterContacts(const ContactProblem<Real>& problem,
                                         const ContactSolution<Real>& solution,
                                         const std::vector<DetectedContact>& detected, StepAccount& account) {
  for (std::size_t c = 0; c < detected.size(); ++c) {
    NodeSet& set = setOf(problem.contacts[c].node[13]);
    set.magnitude += toEigen(solution.gamma[c]).norm();
    ++set.contacts;
  }
  for (std::size_t c = 0; c < detected.size(); ++c) {
    const DetectedContact& d = detected[c];
    const ContactPoint<Real>& point = problem.contacts[c];
    const Vec3 gamma = toEigen(solution.gamma[c]), u = toEigen(solution.u[c]);
    account.addContact(
        {d.particle, d.geometry, gamma, d.x, d.normal, d.penetration, u - u.dot(d.normal) * d.normal,
         static_cast<double>(point.friction) * static_cast<double>(point.n0),
         std::max(0.0, d.penetration - static_cast<double>(problem.dt) * u.dot(d.normal)), d.middle},
        d.body, d.x - d.p_WB0);
    const NodeSet& set = setOf(point.node[13]);
    const double share = set.magnitude > 0 ? gamma.norm() / set.magnitude : 1.0 / set.contacts;
    const Vec3 force = -share * set.remainder.force;
    account.addRemainder(d.body, {force, -share * set.remainder.torque - d.p_WB0.cross(force)});
  }
  for (const NodeSet& set : sets_) account.addRemainderSize(set.remainder.force.norm());
}

template class ContactOutcome<float>;
template class ContactOutcome<double>;

}  // namespace slipstick::mpm

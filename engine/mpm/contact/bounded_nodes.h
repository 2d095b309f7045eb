// The nodes of a contact problem that boundaries act on: what is allowed there, and how steps stay within it.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/contact/contact_layout.h"

namespace slipstick::mpm {

/// (m I + block)⁻¹ [1/kg]. @param block  curvature of a node's contacts: xx yy zz xy xz yz [kg]
template <class Real>
Mat3 inverseCurvature(Real mass, const std::array<Real, 6>& block) {
  const auto b = [&](std::size_t k) { return double(block[k]); };
  Mat3 H;
  H << b(0), b(3), b(4), b(3), b(1), b(5), b(4), b(5), b(2);
  H.diagonal().array() += double(mass);
  return H.inverse();
}

/// Of one problem at a time, which must live as long as it is asked about. "Nearest" is meant in the nodes' masses.
template <class Real>
class BoundedNodes {
 public:
  void find(const ContactProblem<Real>& problem, std::size_t paddedNodes);

  bool empty() const { return nodes_.empty(); }
  /// Some are held by half-spaces: steps may leave the allowed velocities.
  bool oneSided() const { return oneSided_; }
  /// Ascending.
  const std::vector<std::size_t>& nodes() const { return nodes_; }
  std::span<const std::size_t> ofChunk(std::size_t chunk) const {
    return std::span(nodes_).subspan(firstOfChunk_[chunk], firstOfChunk_[chunk + 1] - firstOfChunk_[chunk]);
  }
  /// Per node: 1, or 0 where boundaries act.
  const Real* free() const { return free_.data(); }

  /// The allowed velocity of a node nearest to v.
  V3<Real> allowed(std::size_t node, const V3<Real>& v) const {
    return toLanes<Real>(nearestAllowedVelocity(toEigen(v), problem_->bounds[node]));
  }
  void project(Quads<Real>& v) const {
    for (const std::size_t i : nodes_) v[i] = quad(allowed(i, xyz(v[i])));
  }
  /// What is left of a gradient at v where the bounds hold it.
  V3<Real> heldGradient(std::size_t node, const V3<Real>& v, const V3<Real>& gradient) const {
    const Real m = problem_->mass[node];
    return m * (v - allowed(node, v - (1 / m) * gradient));
  }
  /// The minimiser of a node's quadratic model over its allowed velocities, minus v.
  /// @param free  −(m I + block)⁻¹ gradient: the same without bounds
  /// @param block  as of inverseCurvature()
  V3<Real> blockStep(std::size_t node, const V3<Real>& v, const V3<Real>& gradient, const V3<Real>& free,
                     const std::array<Real, 6>& block) const;
  /// The largest α for which v + α step is allowed at all nodes.
  double roomAlong(const Quads<Real>& step, const Quads<Real>& v) const;

  /// Newton's active set: the bounds that hold where the quadratic model's gradient, at the step found so far, would
  /// lead. Of half-spaces those that the step breaks, or that it stands at and that push.
  /// @param impulse  JᵀY of ContactSpaceNewton at the step; null: there is none yet   @return whether any has changed
  bool chooseActive(const Quads<Real>& v, const Quads<Real>& gradient, const Quads<Real>* impulse);
  /// Per bounded node: the directions that its active bounds fix, a projector Q.
  const std::vector<Mat3>& fixed() const { return fixed_; }
  /// x becomes (1 − Q) x.
  void keepFree(Quads<Real>& x) const;
  /// z becomes (1 − Q) z − d, d the shift from v to the active bounds.
  void restrict(Quads<Real>& z) const;
  /// Takes Q M⁻¹ impulse from the step.
  void removeFixed(const Quads<Real>& impulse, Quads<Real>& step) const;

 private:
  const ContactProblem<Real>* problem_ = nullptr;
  std::vector<std::size_t> nodes_;
  std::vector<std::size_t> firstOfChunk_;  ///< per chunk of nodes, and the end: into nodes_
  AlignedVector<Real> free_;
  bool oneSided_ = false;
  // Per bounded node:
  std::vector<std::array<bool, kMaxNodeBounds>> active_;
  std::vector<Mat3> fixed_;
  std::vector<Vec3> shift_;
};

template <class Real>
void BoundedNodes<Real>::find(const ContactProblem<Real>& problem, std::size_t paddedNodes) {
  problem_ = &problem;
  nodes_.clear();
  oneSided_ = false;
  for (std::size_t i = 0; i < problem.bounds.size(); ++i) {
    if (problem.bounds[i].empty()) continue;
    nodes_.push_back(i);
    for (const NodeBound& b : problem.bounds[i]) oneSided_ |= b.kind == BoundaryKind::Separate;
  }
  free_.assign(paddedNodes, 1);
  for (const std::size_t i : nodes_) free_[i] = 0;
  firstOfChunk_.assign(1, 0);
  for (std::size_t end = kNodeChunk; end < paddedNodes + kNodeChunk; end += kNodeChunk) {
    std::size_t next = firstOfChunk_.back();
    while (next < nodes_.size() && nodes_[next] < end) ++next;
    firstOfChunk_.push_back(next);
  }
  active_.resize(nodes_.size());
  fixed_.resize(nodes_.size());
  shift_.resize(nodes_.size());
}

template <class Real>
V3<Real> BoundedNodes<Real>::blockStep(std::size_t node, const V3<Real>& v, const V3<Real>& gradient,
                                       const V3<Real>& free, const std::array<Real, 6>& block) const {
  const NodeBounds bounds = problem_->bounds[node];
  if (bounds.size() == 1 && allows(bounds[0], toEigen(v + free))) return free;
  const Mat3 inverse = inverseCurvature(problem_->mass[node], block);
  const Vec3 from = toEigen(v), to = from - inverse * toEigen(gradient);
  return toLanes<Real>(Vec3(nearestAllowed(to, bounds, inverse).v - from));
}

template <class Real>
double BoundedNodes<Real>::roomAlong(const Quads<Real>& step, const Quads<Real>& v) const {
  double room = std::numeric_limits<double>::infinity();
  for (const std::size_t i : nodes_) {
    const Vec3 from = toEigen(xyz(v[i])), s = toEigen(xyz(step[i]));
    for (const NodeBound& b : problem_->bounds[i]) {
      const double rate = b.normal.dot(s);
      if (b.kind != BoundaryKind::Separate || rate >= -1e-6 * s.norm()) continue;
      room = std::min(room, std::max(0.0, -gapOf(b, from) / rate));
    }
  }
  return room;
}

template <class Real>
bool BoundedNodes<Real>::chooseActive(const Quads<Real>& v, const Quads<Real>& gradient,
                                      const Quads<Real>* impulse) {
  bool changed = impulse == nullptr;
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const std::size_t i = nodes_[n];
    const NodeBounds bounds = problem_->bounds[i];
    const double m = double(problem_->mass[i]);
    const Vec3 from = toEigen(xyz(v[i])), g = toEigen(xyz(gradient[i]));
    // v + s − (m s − JᵀY + g)/m; v − g/m before there is a step s.
    const Vec3 goal = from + ((impulse == nullptr ? Vec3::Zero() : toEigen(xyz((*impulse)[i]))) - g) / m;
    const auto chosen = nearestAllowed(goal, bounds).active;
    changed |= chosen != active_[n];
    active_[n] = chosen;
    std::array<NodeBound, kMaxNodeBounds> held;
    std::size_t count = 0;
    for (std::size_t k = 0; k < std::min(bounds.size(), kMaxNodeBounds); ++k) {
      if (!chosen[k]) continue;
      held[count] = bounds[k];
      if (held[count].kind == BoundaryKind::Separate) held[count].kind = BoundaryKind::Slip;
      ++count;
    }
    fixed_[n] = fixedDirections(bounds, chosen);
    shift_[n] = nearestAllowed(from, NodeBounds(held).first(count)).v - from;
  }
  return changed;
}

template <class Real>
void BoundedNodes<Real>::keepFree(Quads<Real>& x) const {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Vec3 at = toEigen(xyz(x[nodes_[n]]));
    x[nodes_[n]] = quad(toLanes<Real>(Vec3(at - fixed_[n] * at)));
  }
}

template <class Real>
void BoundedNodes<Real>::restrict(Quads<Real>& z) const {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Vec3 at = toEigen(xyz(z[nodes_[n]]));
    z[nodes_[n]] = quad(toLanes<Real>(Vec3(at - fixed_[n] * at - shift_[n])));
  }
}

template <class Real>
void BoundedNodes<Real>::removeFixed(const Quads<Real>& impulse, Quads<Real>& step) const {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const std::size_t i = nodes_[n];
    const Vec3 lost = fixed_[n] * toEigen(xyz(impulse[i])) / double(problem_->mass[i]);
    step[i].x -= quad(toLanes<Real>(lost)).x;
  }
}

}  // namespace slipstick::mpm

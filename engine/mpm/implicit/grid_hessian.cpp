#include "engine/mpm/implicit/grid_hessian.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/numerics/nested_dissection.h"

namespace slipstick::mpm {
namespace {

/// A product with a particle's tangent, in multiplications; the dense ones of a factorisation in single precision take a tenth
/// to a twenty-fifth of the time each.
constexpr double kWorkPerProduct = 20 * 600;
/// How far a solution by factors in single precision may be from the right one, relative: repeated once, by as much squared.
constexpr double kSingleTolerance = 1e-3;

}  // namespace

void GridHessian::begin(ImplicitProblem& problem, double mostWork) {
  problem_ = &problem;
  elements_ = problem.elastic.elements();
  for (const ImplicitContact& contact : problem.contacts) elements_.push_back(contact.touched());
  single_.analyze(numerics::dissect(problem.place, elements_), elements_);
  direct_ = single_.work() <= mostWork;
  needsDouble_ = failed_ = false;
  factor_ = Factor::None;
}

double GridHessian::linearize(const VecX& v, Tangents tangents) {
  factor_ = Factor::None;
  tangents_ = tangents;
  return problem_->elastic.linearize(v, tangents);
}

void GridHessian::apply(const VecX& x, VecX& Hx) const {
  Hx.resize(x.size());
  for (std::size_t i = 0; i < problem_->mass.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    Hx.segment<3>(at) = problem_->mass[i] * x.segment<3>(at);
  }
  problem_->elastic.addCurvature(x, Hx);
}

void GridHessian::findBlocks() {
  blocks_.resize(problem_->mass.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i] = problem_->mass[i] * Mat3::Identity();
  problem_->elastic.addBlocks(blocks_);
}

double GridHessian::diagonalNorm(const VecX& x) const {
  double sum = 0;
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double value = x[static_cast<Eigen::Index>(3 * i) + k];
      sum += value * value / blocks_[i](k, k);
    }
  return std::sqrt(sum);
}

void GridHessian::invertBlocks(std::span<const Mat3> G) {
  inverse_ = blocks_;
  for (std::size_t c = 0; c < G.size(); ++c) {
    const ImplicitContact& contact = problem_->contacts[c];
    for (int n = 0; n < contact.nodes; ++n) {
      const auto at = static_cast<std::size_t>(n);
      inverse_[static_cast<std::size_t>(contact.node[at])] += contact.weight[at] * contact.weight[at] * G[c];
    }
  }
  for (Mat3& block : inverse_) block = block.inverse().eval();
}

void GridHessian::applyInverseBlocks(const VecX& r, VecX& z) const {
  z.resize(r.size());
  for (std::size_t i = 0; i < inverse_.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    z.segment<3>(at).noalias() = inverse_[i] * r.segment<3>(at);
  }
}

template <class Real>
bool GridHessian::factorizeIn(numerics::MultifrontalCholesky<Real>& cholesky, Factor what,
                              std::span<const Mat3> G) {
  const std::size_t elastic = elements_.size() - problem_->contacts.size();
  return cholesky.factorize(problem_->mass, [&](std::size_t element, auto& K) {
    if (element < elastic) return problem_->elastic.findElement(element, K);
    if (what == Factor::WithContacts)
      problem_->contacts[element - elastic].findElement(G[element - elastic], K);
    else
      K.resize(0, 0);
  });
}

bool GridHessian::factorize(Factor what, std::span<const Mat3> G) {
  if (what == Factor::Free && factor_ == what) return true;
  bool found = false;
  if (!needsDouble_) {
    found = factorizeIn(single_, what, G) && (what != Factor::Free || isGoodEnough());
    // Exact tangents may well not be positive, in whatever precision.
    needsDouble_ = !found && tangents_ == Tangents::Projected;
    if (needsDouble_) double_.analyze(numerics::dissect(problem_->place, elements_), elements_);
  }
  if (needsDouble_) found = factorizeIn(double_, what, G);
  factor_ = found ? what : Factor::None;
  if (tangents_ == Tangents::Projected) direct_ = found;
  failed_ |= !found && tangents_ == Tangents::Projected;
  return found;
}

/// Tried with a vector that has all frequencies.
bool GridHessian::isGoodEnough() const {
  VecX x(static_cast<Eigen::Index>(3 * problem_->mass.size())), Hx, z;
  std::uint32_t state = 1;
  for (double& value : x) {
    state = 1664525 * state + 1013904223;  // the linear congruence of Knuth and Lewis
    value = static_cast<double>(state) / 4294967296.0 - 0.5;
  }
  apply(x, Hx);
  z = Hx;
  single_.solveInPlace(z);
  return (z - x).squaredNorm() <= kSingleTolerance * kSingleTolerance * x.squaredNorm();
}

void GridHessian::solve(const VecX& r, VecX& z) const {
  z = r;
  if (needsDouble_) return double_.solveInPlace(z);
  single_.solveInPlace(z);
  if (factor_ != Factor::Free) return;
  VecX rest;
  apply(z, rest);
  rest = r - rest;
  single_.solveInPlace(rest);
  z += rest;
}

void GridHessian::findCompliance(std::span<const numerics::NodeWeights> rows, MatX& W,
                                 Dense<float>::Dynamic& rounded, std::vector<int>& order) const {
  if (needsDouble_) {
    double_.findCompliance(rows, W, order);
    rounded = W.cast<float>();
  } else {
    single_.findCompliance(rows, rounded, order);
    W = rounded.cast<double>();
  }
}

int GridHessian::patience() const {
  if (!direct_) return kMaxGradients;
  const double worth = single_.work() / (kWorkPerProduct * static_cast<double>(problem_->elastic.size()));
  return static_cast<int>(std::clamp(worth, 10.0, double(kMaxGradients)));
}

}  // namespace slipstick::mpm

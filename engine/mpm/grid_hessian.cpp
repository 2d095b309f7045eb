#include "engine/mpm/grid_hessian.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace slipstick::mpm {
namespace {

/// A product with a particle's tangent, in multiplications; the dense ones of a factorisation take a fifth to a twelfth of the
/// time each.
constexpr double kWorkPerProduct = 10 * 600;

}  // namespace

void GridHessian::begin(ImplicitProblem& problem, double mostWork) {
  problem_ = &problem;
  elements_ = problem.elastic.elements();
  for (const ImplicitContact& contact : problem.contacts) elements_.push_back(contact.touched());
  cholesky_.analyze(problem.place, elements_);
  direct_ = cholesky_.work() <= mostWork;
  factor_ = Factor::None;
}

double GridHessian::linearize(const VecX& v, Tangents tangents) {
  factor_ = Factor::None;
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

bool GridHessian::factorize(Factor what, std::span<const Mat3> G) {
  if (what == Factor::Free && factor_ == what) return true;
  const std::size_t elastic = elements_.size() - problem_->contacts.size();
  direct_ = cholesky_.factorize(problem_->mass, [&](std::size_t element, MatX& K) {
    if (element < elastic) return problem_->elastic.findElement(element, K);
    if (what == Factor::WithContacts)
      problem_->contacts[element - elastic].findElement(G[element - elastic], K);
    else
      K.resize(0, 0);
  });
  factor_ = direct_ ? what : Factor::None;
  return direct_;
}

void GridHessian::solve(const VecX& r, VecX& z) const {
  z = r;
  cholesky_.solveInPlace(z);
}

int GridHessian::patience() const {
  if (!direct_) return kMostGradients;
  const double worth = cholesky_.work() / (kWorkPerProduct * static_cast<double>(problem_->elastic.size()));
  return static_cast<int>(std::clamp(worth, 10.0, double(kMostGradients)));
}

}  // namespace slipstick::mpm

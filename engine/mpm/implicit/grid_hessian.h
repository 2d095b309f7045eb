// The Hessian of an implicit step's grid, H = M + ∇²E with the tangents at hand (Zong 2024, Eq. 16), and what solves linear
// systems with it: the inverse of its diagonal blocks, which preconditions conjugate gradients, or a factor.
#pragma once

#include <span>
#include <vector>

#include "engine/foundation/dense_blas.h"
#include "engine/foundation/math.h"
#include "engine/mpm/implicit/implicit_problem.h"
#include "engine/numerics/multifrontal_cholesky.h"

namespace slipstick::mpm {

class GridHessian {
 public:
  /// What the factor at hand is of: nothing, H, or H + JᵀGJ.
  enum class Factor { None, Free, WithContacts };

  /// Finds out whether H is small enough to be factorised some times. Of the contacts only their nodes count.
  /// @param problem  stays where it is: everything below is about it   @param mostWork  multiplications
  void begin(ImplicitProblem& problem, double mostWork);
  /// Other tangents, those at v. There is no factor of them yet. @return E(v) [J]
  double linearize(const VecX& v, Tangents tangents = Tangents::Projected);
  /// Stresses alone at v: tangents and factor stay.
  void findStress(const VecX& v) { problem_->elastic.findStress(v); }

  /// H x
  void apply(const VecX& x, VecX& Hx) const;
  /// Has the diagonal blocks follow the tangents.
  void findBlocks();
  const Mat3& block(int node) const { return blocks_[static_cast<std::size_t>(node)]; }
  /// ‖x‖ in the metric of the inverse of H's diagonal [√J].
  double diagonalNorm(const VecX& x) const;
  /// Inverts the blocks of H + JᵀGJ. @param G  per contact; none: of H
  void invertBlocks(std::span<const Mat3> G = {});
  /// z = what invertBlocks() found, times r
  void applyInverseBlocks(const VecX& r, VecX& z) const;

  /// Whether there is a factor, or H is small enough for one.
  bool isDirect() const { return direct_; }
  Factor factor() const { return factor_; }
  /// @param G  per contact, for that with contacts   @return false where there is none: with projected tangents
  /// isDirect() is false from now on
  [[nodiscard]] bool factorize(Factor what, std::span<const Mat3> G = {});
  /// Whether one with projected tangents, which are positive, could not be factorised since begin().
  bool failed() const { return failed_; }
  /// z = (what was factorised)⁻¹ r: of H as exact as factors in double are, but where tangents have changed since or contacts
  /// come to it, as those in single precision are that may stand for them.
  void solve(const VecX& r, VecX& z) const;
  /// W = J H⁻¹ Jᵀ of the factor, as exact as that is, and rounded: see MultifrontalCholesky.
  void findCompliance(std::span<const numerics::NodeWeights> rows, MatX& W, Dense<float>::Dynamic& rounded,
                      std::vector<int>& order) const;
  /// Multiplications that a factorisation takes.
  double work() const { return single_.work(); }
  /// Conjugate gradients that take as long as a factorisation.
  int patience() const;

 private:
  template <class Real>
  [[nodiscard]] bool factorizeIn(numerics::MultifrontalCholesky<Real>& cholesky, Factor what,
                                 std::span<const Mat3> G);
  bool isGoodEnough() const;

  ImplicitProblem* problem_ = nullptr;
  std::vector<Mat3> blocks_, inverse_;
  // Single precision takes half the time: double comes where that is not enough.
  numerics::MultifrontalCholesky<float> single_;
  numerics::MultifrontalCholesky<double> double_;
  bool needsDouble_ = false;
  Tangents tangents_ = Tangents::Projected;
  std::vector<std::span<const int>> elements_;  ///< of the elasticity, then the nodes of each contact
  bool direct_ = false;
  bool failed_ = false;
  Factor factor_ = Factor::None;
};

/// Of conjugate gradients, per linear system.
inline constexpr int kMaxGradients = 2000;

}  // namespace slipstick::mpm

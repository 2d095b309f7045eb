// Convex terms of the rigid step: each offers value, impulse (negative gradient) and Hessian of its potential
// ℓ(u).
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "engine/model/math.h"

namespace slipstick::multibody {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

/// A regularised impulse between bounds (Castro, Permenter & Han 2022, Sec. IV, with a box instead of a
/// cone):
///   γ(u) = clamp(y, lower, upper),  y = (vHat − u)/R,  ℓ(u) = R (γ y − ½ γ²),  ℓ' = −γ,  ℓ'' = 1/R inside, 0
///   at a bound.
/// One law serves limits [0, ∞), couplers and welds (−∞, ∞), dry friction ±Δt f, and implicit PD ±Δt τ_max.
struct BoxLaw {
  double vHat = 0;             ///< velocity without impulse [rad/s] or [m/s]
  double R = 1;                ///< regularisation, > 0 [velocity/impulse]
  double lower = -kUnbounded;  ///< [N m s] or [N s]
  double upper = kUnbounded;

  double unclamped(double u) const { return (vHat - u) / R; }
  double impulse(double u) const { return std::clamp(unclamped(u), lower, upper); }
  double value(double u) const {
    const double gamma = impulse(u);
    return R * gamma * (unclamped(u) - 0.5 * gamma);
  }
  double hessian(double u) const {
    const double y = unclamped(u);
    return lower < y && y < upper ? 1 / R : 0;
  }
};

/// Vectors and matrices over the rows of one constraint.
using RowVec = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1>;
using RowMat = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

/// One constraint of an island: up to six rows u = J v over some of the island's degrees of freedom.
struct Constraint {
  enum class Kind { LowerLimit, UpperLimit, DryFriction, Mimic, Pd, Weld };
  Kind kind = Kind::Weld;
  int index = 0;          ///< of the joint or of the weld
  int slot = 0;           ///< of the first row in the warm-start vector
  bool active = true;     ///< false: left out of this step
  std::vector<int> dofs;  ///< indices into the island's velocities
  MatX J;                 ///< rows × dofs.size()
  std::array<BoxLaw, 6> laws;

  int rows() const { return static_cast<int>(J.rows()); }

  double value(const RowVec& u) const {
    double sum = 0;
    for (int r = 0; r < rows(); ++r) sum += laws[static_cast<std::size_t>(r)].value(u[r]);
    return sum;
  }
  /// γ = −∂ℓ/∂u.
  RowVec impulse(const RowVec& u) const {
    RowVec gamma(rows());
    for (int r = 0; r < rows(); ++r) gamma[r] = laws[static_cast<std::size_t>(r)].impulse(u[r]);
    return gamma;
  }
  /// ∂²ℓ/∂u², positive semidefinite.
  RowMat hessian(const RowVec& u) const {
    RowMat G = RowMat::Zero(rows(), rows());
    for (int r = 0; r < rows(); ++r) G(r, r) = laws[static_cast<std::size_t>(r)].hessian(u[r]);
    return G;
  }

  /// u = J v.
  RowVec velocity(const VecX& v) const {
    RowVec u = RowVec::Zero(rows());
    for (std::size_t k = 0; k < dofs.size(); ++k) u += J.col(static_cast<int>(k)) * v[dofs[k]];
    return u;
  }
  /// j += Jᵀ γ.
  void addGeneralized(const RowVec& gamma, VecX& j) const {
    for (std::size_t k = 0; k < dofs.size(); ++k) j[dofs[k]] += J.col(static_cast<int>(k)).dot(gamma);
  }
  /// H += Jᵀ G J.
  void addHessian(const RowMat& G, MatX& H) const {
    for (std::size_t k = 0; k < dofs.size(); ++k) {
      const RowVec column = G * J.col(static_cast<int>(k));
      for (std::size_t i = 0; i < dofs.size(); ++i)
        H(dofs[i], dofs[k]) += J.col(static_cast<int>(i)).dot(column);
    }
  }
};

}  // namespace slipstick::multibody

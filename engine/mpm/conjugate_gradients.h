// Preconditioned conjugate gradients on node vectors.
#pragma once

#include <utility>

#include "engine/mpm/contact_layout.h"

namespace slipstick::mpm {

template <class Real>
class ConjugateGradients {
 public:
  /// Brings s towards H s = b, in a subspace that apply and precondition keep to. Any number of iterations leads
  /// downhill from s in ½ sᵀH s − bᵀs.
  /// @param r  b − H s, in the subspace; the same of the result afterwards
  /// @param apply(p, Hp)  H symmetric positive definite   @param precondition(r, z)  z ≈ H⁻¹ r
  /// @param tolerance  of √(rᵀz), relative to where it begins
  /// @return iterations
  template <class Apply, class Precondition>
  int solve(Quads<Real>& s, Quads<Real>& r, const Apply& apply, const Precondition& precondition,
            double tolerance, int mostIterations) {
    const std::size_t count = r.size();
    z_.resize(count), Hp_.resize(count);
    precondition(r, z_);
    p_ = z_;
    double rz = product(r, z_);
    const double enough = tolerance * tolerance * rz;
    int k = 0;
    for (; k < mostIterations && rz > enough; ++k) {
      apply(p_, Hp_);
      const double curvature = product(p_, Hp_);
      if (!(curvature > 0)) break;  // rounding has taken over
      const auto alpha = static_cast<Real>(rz / curvature);
      for (std::size_t i = 0; i < count; ++i) {
        s[i].x += alpha * p_[i].x;
        r[i].x -= alpha * Hp_[i].x;
      }
      precondition(r, z_);
      const double last = std::exchange(rz, product(r, z_));
      const auto beta = static_cast<Real>(rz / last);
      for (std::size_t i = 0; i < count; ++i) p_[i].x = z_[i].x + beta * p_[i].x;
    }
    return k;
  }

 private:
  static double product(const Quads<Real>& a, const Quads<Real>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += double(dot(xyz(a[i]), xyz(b[i])));
    return sum;
  }

  Quads<Real> z_, p_, Hp_;
};

}  // namespace slipstick::mpm

// Preconditioned conjugate gradients (Hestenes & Stiefel 1952) on node vectors.
#pragma once

#include <utility>

#include "engine/foundation/math.h"
#include "engine/mpm/contact_layout.h"

namespace slipstick::mpm {

// What they ask of a vector, beside resize().

inline double product(const VecX& a, const VecX& b) {
  return a.dot(b);
}
/// b += factor a
inline void addScaled(double factor, const VecX& a, VecX& b) {
  b += factor * a;
}
/// b = a + factor b
inline void scaleAndAdd(double factor, const VecX& a, VecX& b) {
  b = a + factor * b;
}

/// Of the vectors within the quads, summed in double.
template <class Real>
double product(const Quads<Real>& a, const Quads<Real>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(dot(xyz(a[i]), xyz(b[i])));
  return sum;
}
template <class Real>
void addScaled(double factor, const Quads<Real>& a, Quads<Real>& b) {
  const auto scale = static_cast<Real>(factor);
  for (std::size_t i = 0; i < a.size(); ++i) b[i].x += scale * a[i].x;
}
template <class Real>
void scaleAndAdd(double factor, const Quads<Real>& a, Quads<Real>& b) {
  const auto scale = static_cast<Real>(factor);
  for (std::size_t i = 0; i < a.size(); ++i) b[i].x = a[i].x + scale * b[i].x;
}

/// They keep their memory from system to system.
template <class Vector>
class ConjugateGradients {
 public:
  /// Brings s towards H s = b, in a subspace that apply and precondition keep to. Any number of iterations leads
  /// downhill from s in ½ sᵀH s − bᵀs.
  /// @param r  b − H s, in the subspace; the same of the result afterwards
  /// @param apply(p, Hp)  H symmetric positive definite   @param precondition(r, z)  z ≈ H⁻¹ r
  /// @param tolerance  of √(rᵀz), relative to where it begins
  /// @return iterations
  template <class Apply, class Precondition>
  int solve(Vector& s, Vector& r, const Apply& apply, const Precondition& precondition, double tolerance,
            int mostIterations) {
    z_.resize(r.size()), Hp_.resize(r.size());
    precondition(r, z_);
    p_ = z_;
    double rz = product(r, z_);
    const double enough = tolerance * tolerance * rz;
    int k = 0;
    for (; k < mostIterations && rz > enough; ++k) {
      apply(p_, Hp_);
      const double curvature = product(p_, Hp_);
      if (!(curvature > 0)) break;  // rounding has taken over
      const double alpha = rz / curvature;
      addScaled(alpha, p_, s);
      addScaled(-alpha, Hp_, r);
      precondition(r, z_);
      const double last = std::exchange(rz, product(r, z_));
      scaleAndAdd(rz / last, z_, p_);
    }
    return k;
  }

 private:
  Vector z_, p_, Hp_;
};

}  // namespace slipstick::mpm

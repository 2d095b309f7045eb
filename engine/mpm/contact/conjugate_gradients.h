// Preconditioned conjugate gradients (Hestenes & Stiefel 1952) on node vectors.
#pragma once

#include <cmath>
#include <utility>

#include "engine/foundation/math.h"
#include "engine/mpm/contact/contact_layout.h"

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
  /// @param otherWays  whether it shall give up as soon as mostIterations are clearly too few
  /// @return iterations
  template <class Apply, class Precondition>
  int solve(Vector& s, Vector& r, const Apply& apply, const Precondition& precondition, double tolerance,
            int mostIterations, bool otherWays = false) {
    z_.resize(r.size()), Hp_.resize(r.size());
    precondition(r, z_);
    p_ = z_;
    double rz = product(r, z_);
    const double begin = rz, enough = tolerance * tolerance * rz;
    double atHalf = begin;
    int k = 0, half = kFirstLook / 2;
    for (gaveUp_ = false; rz > enough; ++k) {
      const bool look = otherWays && k == 2 * half;
      gaveUp_ = k >= mostIterations || (look && isHopeless(k, {begin, atHalf, rz, enough}, mostIterations));
      if (gaveUp_) break;
      if (k == half || look) half = k, atHalf = rz;
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
  /// Whether the last system was left before it was solved, but not to rounding.
  bool gaveUp() const { return gaveUp_; }

 private:
  static constexpr int kFirstLook = 8;
  /// rᵀz
  struct Course {
    double begin, atHalf, now, enough;
  };
  /// After k iterations: whether 1.5 times mostIterations would not do, neither at the rate since the beginning nor at that of
  /// their second half. Where the residual is larger than at the beginning, rates do not tell.
  static bool isHopeless(int k, const Course& rz, int mostIterations) {
    constexpr double kMargin = 1.5;
    const double left = std::log(rz.enough / rz.now), budget = kMargin * mostIterations - k;
    const auto isTooSlow = [&](double rate) { return rate >= 0 || left / rate > budget; };
    return rz.now < rz.begin && isTooSlow(std::log(rz.now / rz.begin) / k) &&
           isTooSlow(2 * std::log(rz.now / rz.atHalf) / k);
  }

  Vector z_, p_, Hp_;
  bool gaveUp_ = false;
};

}  // namespace slipstick::mpm

// The grid as contacts see it: W = J H⁻¹ Jᵀ, what impulses at the contacts do to their velocities once everything elastic
// has given way, dense. Newton steps of ½‖v − v*‖²_H + ℓ_c(J v) need no more than that: with B Bᵀ = G the contacts'
// curvature and d their velocity without their own response, the impulses fall by
//   p = B (I + Bᵀ W B)⁻¹ Bᵀ d,
// which is well conditioned also where contacts are open (no B). Bodies that give way add J_r A_r⁻¹ J_rᵀ to W.
#pragma once

#include <span>
#include <vector>

#include "engine/foundation/dense_blas.h"
#include "engine/mpm/implicit/grid_hessian.h"
#include "engine/mpm/implicit/implicit_contact.h"
#include "engine/multibody/spatial.h"

namespace slipstick::mpm {

/// Σ a·b
inline double product(std::span<const Vec3> a, std::span<const Vec3> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c].dot(b[c]);
  return sum;
}

class ContactSpace {
 public:
  /// W, of factors, between the chosen ones of the contacts. The others have no part in what follows: nothing acts on them.
  void build(const GridHessian& H, std::span<const ImplicitContact> contacts, std::span<const int> chosen);
  /// In no order of the contacts'.
  const std::vector<int>& chosen() const { return chosen_; }
  /// W x, a vector per contact.
  void apply(std::span<const Vec3> x, std::span<Vec3> Wx) const;
  /// @param mobility  [body · bodies + other body]: velocity of the one per impulse on the other, (angular, linear)
  void setMobility(std::span<const ImplicitContact> contacts, std::span<const multibody::Mat6> mobility,
                   std::size_t bodies);
  /// p, after setMobility(). @param G  curvatures [kg]   @param d  velocities [m/s]   @param p  impulses [N s]
  /// @param own  what comes to W of each contact with itself, symmetric [1/kg]; none: nothing
  /// @return false where rounding has taken over: p is 0
  [[nodiscard]] bool reduce(std::span<const Mat3> G, std::span<const Mat3> own, std::span<const Vec3> d,
                            std::span<Vec3> p);
  /// x ← W x with the bodies' mobility, after setMobility().
  void applyCoupled(std::span<const Vec3> x, std::span<Vec3> Wx) const;
  /// W of a contact with itself, likewise.
  Mat3 own(std::size_t contact) const;
  /// So many times, every contact's impulse in turn becomes that of its own minimum, with the others as they are, after
  /// setMobility().
  /// @param y  impulses on the grid   @param u  the contacts' velocities with them; both follow
  void sweep(std::span<const ImplicitContact> contacts, int times, std::span<Vec3> y,
             std::span<Vec3> u) const;

 private:
  struct Root {
    int contact, count;
    Mat3 columns;
  };
  /// Lower triangles of what impulses do, and what becomes of it in the precision of most systems.
  struct Compliance {
    MatX W;
    Dense<float>::Dynamic rounded;

    const MatX& in(double) const { return W; }
    const Dense<float>::Dynamic& in(float) const { return rounded; }
  };
  const Compliance& coupled() const { return gives_ ? coupled_ : grid_; }
  void findRoots(std::span<const Mat3> G);
  template <class Matrix>
  [[nodiscard]] bool solve(Matrix& A, std::span<const Mat3> own, const VecX& r, VecX& x);
  template <class Matrix>
  void fill(Matrix& A, std::span<const Mat3> own, Eigen::Index size);
  VecX reduced(std::span<const Mat3> own, const VecX& x) const;
  void multiply(const MatX& A, std::span<const Vec3> x, std::span<Vec3> Ax) const;
  void pack(std::span<const Vec3> x) const;
  void unpack(const VecX& packed, std::span<Vec3> x) const;

  std::vector<int> chosen_;
  std::vector<Eigen::Index> row_;          // of W, the first of each contact that has been chosen
  Compliance grid_, coupled_;              // coupled_ with the bodies,
  bool gives_ = false;                     // where one of these is touched
  std::vector<multibody::Mat6> mobility_;  // of coupled_
  std::vector<Root> roots_;
  MatX double_;
  Dense<float>::Dynamic single_;
  mutable VecX packed_, product_;
};

}  // namespace slipstick::mpm

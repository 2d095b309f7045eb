// The elastic energy of particles as a function of the grid's velocities at the end of an implicit step (Zong 2024, Eq. 14,
// 16): with the MLS gradient of the transfers,
//   F_p(v) = F_p + Σ_i v_i b_ipᵀ,   b_ip = Δt 4/h² w_ip F_pᵀ (x_i − x_p),   E(v) = Σ_p V_p Ψ(F_p(v)).
// Its gradient is Σ V P b, its Hessian H = Σ V BᵀC B with the projected tangents C. Nodes have three velocities each, side
// by side in one vector.
#pragma once

#include <array>
#include <vector>

#include "engine/mpm/materials/tangent.h"

namespace slipstick::mpm {

class ElasticGrid {
 public:
  struct Particle {
    ImplicitElasticity law;
    double volume;  ///< V⁰ [m³]
    Mat3 F;         ///< at the step's start
    std::array<int, 27> node;
    std::array<Vec3, 27> b;  ///< [s/m]
    Mat3 P = Mat3::Zero();   ///< where it was linearised last [Pa]
    Mat9 C = Mat9::Zero();
  };

  void clear() { particles_.clear(); }
  void add(const Particle& particle) { particles_.push_back(particle); }
  bool isEmpty() const { return particles_.empty(); }
  /// Whether E is quadratic in v.
  bool isQuadratic() const;

  /// E(v) [J]
  double energy(const VecX& v) const;
  /// Stresses and tangents at v, which the functions below take.
  void linearize(const VecX& v);
  /// Adds ∇E.
  void addGradient(VecX& gradient) const;
  /// Adds H x.
  void addCurvature(const VecX& x, VecX& Hx) const;
  /// Adds the nodes' diagonal blocks of H.
  void addBlocks(std::vector<Mat3>& blocks) const;
  /// f(i, j, K) for every particle's blocks K_ij of H with i ≥ j.
  template <class F>
  void visitBlocks(F&& f) const;

 private:
  static Mat3 gradientAt(const Particle& particle, const VecX& v);

  std::vector<Particle> particles_;
};

/// Rows of the tangent that a change of one node's velocity meets: K_ij = V Σ_kl b_i[k] C[·k, ·l] b_j[l].
template <class F>
void ElasticGrid::visitBlocks(F&& f) const {
  for (const Particle& p : particles_)
    for (std::size_t i = 0; i < 27; ++i) {
      Eigen::Matrix<double, 3, 9> row = Eigen::Matrix<double, 3, 9>::Zero();
      for (int k = 0; k < 3; ++k) row += p.volume * p.b[i][k] * p.C.middleRows<3>(3 * k);
      for (std::size_t j = 0; j < 27; ++j) {
        if (p.node[j] > p.node[i]) continue;
        Mat3 K = Mat3::Zero();
        for (int l = 0; l < 3; ++l) K += p.b[j][l] * row.middleCols<3>(3 * l);
        f(p.node[i], p.node[j], K);
      }
    }
}

}  // namespace slipstick::mpm

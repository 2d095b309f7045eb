// Anderson acceleration of a fixed-point map v ↦ g(v) on node velocities (Walker & Ni 2011, type II, in
// differences). The residual f = g − v is measured in the metric of the nodes' masses. J is linear, so the
// contact velocities of every combination follow from those of the stored differences, without a transfer.
#pragma once

#include <Eigen/Cholesky>
#include <array>

#include "engine/mpm/contact_layout.h"

namespace slipstick::mpm {

/// Σ_i m_i a_i·b_i in double.
template <class Real>
double massDot(const std::vector<Real>& mass, const Quads<Real>& a, const Quads<Real>& b) {
  typedef double Sum __attribute__((vector_size(32)));
  Sum sum{};
  for (std::size_t i = 0; i < mass.size(); ++i)
    sum += __builtin_convertvector(mass[i] * a[i].x * b[i].x, Sum);
  return sum[0] + sum[1] + sum[2];
}

template <class Real>
class Anderson {
 public:
  static constexpr int kDepth = 5;

  void clear() { count_ = 0, next_ = 0, primed_ = false; }
  bool ready() const { return count_ > 0; }

  /// Takes in one evaluation of the map: g, its contact velocities gU and the residual f.
  void push(const std::vector<Real>& mass, const Quads<Real>& g, const Columns3<Real>& gU,
            const Quads<Real>& f) {
    if (primed_) {
      Difference& d = ring_[static_cast<std::size_t>(next_)];
      subtract(g, lastG_, d.g);
      subtract(f, lastF_, d.f);
      d.gU = gU;
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < gU.a[k].size(); ++i) d.gU.a[k][i] -= lastU_.a[k][i];
      count_ = std::min(count_ + 1, kDepth);
      for (int j = 0; j < count_; ++j)
        gram_(next_, j) = gram_(j, next_) = massDot(mass, d.f, ring_[static_cast<std::size_t>(j)].f);
      next_ = (next_ + 1) % kDepth;
    }
    lastG_ = g, lastF_ = f, lastU_ = gU;
    primed_ = true;
  }

  /// v, u of the combination whose residual is smallest to first order; call after push().
  void combine(const std::vector<Real>& mass, Quads<Real>& v, Columns3<Real>& u) const {
    SmallVector theta(count_);
    for (int j = 0; j < count_; ++j) theta[j] = massDot(mass, ring_[static_cast<std::size_t>(j)].f, lastF_);
    SmallMatrix gram = gram_.topLeftCorner(count_, count_);
    gram.diagonal() *= 1 + kRegularization;
    theta = gram.ldlt().solve(theta).eval();
    v = lastG_, u = lastU_;
    for (int j = 0; j < count_; ++j) {
      const Difference& d = ring_[static_cast<std::size_t>(j)];
      const auto t = static_cast<Real>(theta[j]);
      for (std::size_t i = 0; i < v.size(); ++i) v[i].x -= t * d.g[i].x;
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < u.a[k].size(); ++i) u.a[k][i] -= t * d.gU.a[k][i];
    }
  }

 private:
  static constexpr double kRegularization = std::is_same_v<Real, float> ? 1e-6 : 1e-12;
  using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kDepth, kDepth>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kDepth, 1>;

  struct Difference {
    Quads<Real> g, f;
    Columns3<Real> gU;
  };

  static void subtract(const Quads<Real>& a, const Quads<Real>& b, Quads<Real>& out) {
    out.resize(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) out[i].x = a[i].x - b[i].x;
  }

  std::array<Difference, kDepth> ring_;
  Eigen::Matrix<double, kDepth, kDepth> gram_ = Eigen::Matrix<double, kDepth, kDepth>::Zero();
  Quads<Real> lastG_, lastF_;
  Columns3<Real> lastU_;
  int count_ = 0;
  int next_ = 0;
  bool primed_ = false;
};

}  // namespace slipstick::mpm

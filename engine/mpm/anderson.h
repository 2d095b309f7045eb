// Anderson acceleration of a fixed-point map v ↦ g(v) on node velocities (Walker & Ni 2011, type II, in
// differences). The residual f = g − v is measured in the metric of the nodes' masses. J is linear, so the
// contact velocities of every combination follow from those of the stored differences, without a transfer.
#pragma once

#include <Eigen/Cholesky>
#include <array>

#include "engine/mpm/contact_layout.h"
#include "engine/mpm/kernels/contact_arrays.h"

namespace slipstick::mpm {

template <class Real>
class Anderson {
 public:
  static constexpr int kDepth = kAndersonDepth;

  explicit Anderson(const ContactLoops<Real>& loops) : loops_(loops) {}

  void clear() { count_ = 0, next_ = 0, primed_ = false; }
  bool ready() const { return count_ > 0; }

  /// Takes in one evaluation of the map: g, its contact velocities gU and the residual f.
  void push(const Quads<Real>& mass, const Quads<Real>& g, const Columns3<Real>& gU, const Quads<Real>& f) {
    if (!primed_) {
      lastG_ = g, lastF_ = f, lastU_ = gU;
      primed_ = true;
      return;
    }
    Difference& d = ring_[static_cast<std::size_t>(next_)];
    d.f.resize(f.size()), d.g.resize(g.size());
    count_ = std::min(count_ + 1, kDepth);
    AndersonPush<Real> sweep{static_cast<int>(4 * f.size()),
                             reals(mass),
                             reals(f),
                             reals(g),
                             reals(lastF_),
                             reals(lastG_),
                             reals(d.f),
                             reals(d.g),
                             {},
                             count_,
                             {},
                             {}};
    for (int j = 0; j < count_; ++j) sweep.stored[j] = reals(ring_[static_cast<std::size_t>(j)].f);
    loops_.push(sweep);
    for (int j = 0; j < count_; ++j) {
      gram_(next_, j) = gram_(j, next_) = sweep.gram[j];
      theta_[j] = sweep.theta[j];
    }
    for (std::size_t k = 0; k < 3; ++k) {
      d.gU.a[k].resize(gU.a[k].size());
      combine(gU.a[k].data(), {lastU_.a[k].data()}, {1}, 1, gU.a[k].size(), d.gU.a[k].data());
    }
    lastU_ = gU;
    next_ = (next_ + 1) % kDepth;
  }

  /// v, u of the combination whose residual is smallest to first order; call after push().
  void combine(Quads<Real>& v, Columns3<Real>& u) const {
    SmallMatrix gram = gram_.topLeftCorner(count_, count_);
    gram.diagonal() *= 1 + kRegularization;
    const SmallVector solved = gram.ldlt().solve(theta_.head(count_));
    std::array<Real, kDepth> factor{};
    std::array<const Real*, kDepth> term{};
    for (int j = 0; j < count_; ++j) factor[static_cast<std::size_t>(j)] = static_cast<Real>(solved[j]);
    const auto each = [&](auto&& of) {
      for (std::size_t j = 0; j < static_cast<std::size_t>(count_); ++j) term[j] = of(ring_[j]);
    };
    each([](const Difference& d) { return reals(d.g); });
    combine(reals(lastG_), term, factor, count_, 4 * v.size(), reals(v));
    for (std::size_t k = 0; k < 3; ++k) {
      each([k](const Difference& d) { return d.gU.a[k].data(); });
      combine(lastU_.a[k].data(), term, factor, count_, u.a[k].size(), u.a[k].data());
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

  /// out = base − Σ factor · term
  void combine(const Real* base, const std::array<const Real*, kDepth>& term,
               const std::array<Real, kDepth>& factor, int count, std::size_t size, Real* out) const {
    Combination<Real> c{static_cast<int>(size), base, {}, {}, count, out};
    for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j)
      c.term[j] = term[j], c.factor[j] = factor[j];
    loops_.combine(c);
  }

  const ContactLoops<Real>& loops_;
  std::array<Difference, kDepth> ring_;
  Eigen::Matrix<double, kDepth, kDepth> gram_ = Eigen::Matrix<double, kDepth, kDepth>::Zero();
  Eigen::Matrix<double, kDepth, 1> theta_ = Eigen::Matrix<double, kDepth, 1>::Zero();
  Quads<Real> lastG_, lastF_;
  Columns3<Real> lastU_;
  int count_ = 0;
  int next_ = 0;
  bool primed_ = false;
};

}  // namespace slipstick::mpm

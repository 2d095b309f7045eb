// Anderson acceleration of a fixed-point map v ↦ g(v) on node velocities (Walker & Ni 2011, type II, in
// differences). The residual f = g − v is measured in the metric of the nodes' masses. J is linear, so the
// contact velocities of every combination follow from those of the stored differences, without a transfer.
//
// One evaluation of the map goes in range by range, so that threads can share it: begin(), pushNodes() over all
// nodes, pushRigid() where there is a rigid side, finish(); and pushContacts() over all contacts. Then combineNodes(),
// combineRigid() and combineContacts().
#pragma once

#include <Eigen/Cholesky>
#include <array>

#include "engine/mpm/contact/contact_layout.h"
#include "engine/mpm/contact/contact_limits.h"
#include "engine/mpm/kernels/contact_arrays.h"

namespace slipstick::mpm {

template <class Real>
class Anderson {
 public:
  static constexpr int kDepth = kAndersonDepth;

  explicit Anderson(const ContactLoops<Real>& loops) : loops_(loops) {}

  void clear() { count_ = 0, next_ = 0, primed_ = false; }

  /// Before the pushes of one evaluation. @param nodes, contacts  whole groups
  void begin(std::size_t nodes, std::size_t contacts) {
    first_ = !primed_;
    primed_ = true;
    lastF_.resize(nodes), lastG_.resize(nodes);
    for (auto& column : lastU_.a) column.resize(contacts);
    if (first_) return;
    Difference& d = ring_[static_cast<std::size_t>(next_)];
    d.f.resize(nodes), d.g.resize(nodes);
    for (auto& column : d.gU.a) column.resize(contacts);
    count_ = std::min(count_ + 1, kDepth);
  }

  /// g and f of the nodes [begin, end). @return products, to be summed over all nodes for finish()
  AndersonProducts pushNodes(int begin, int end, const Quads<Real>& mass, const Quads<Real>& g,
                             const Quads<Real>& f) {
    if (first_) {
      std::copy(f.begin() + begin, f.begin() + end, lastF_.begin() + begin);
      std::copy(g.begin() + begin, g.begin() + end, lastG_.begin() + begin);
      return {};
    }
    Difference& d = ring_[static_cast<std::size_t>(next_)];
    AndersonPush<Real> sweep{reals(mass), reals(f),   reals(g), reals(lastF_), reals(lastG_),
                             reals(d.f),  reals(d.g), {},       count_};
    for (int j = 0; j < count_; ++j) sweep.stored[j] = reals(ring_[static_cast<std::size_t>(j)].f);
    return loops_.push(sweep, 4 * begin, 4 * end);
  }

  /// The rigid part of the map's vector, once, after all nodes. @param metricF  f in the metric of its inertia, A f
  /// @return  products, to be added to those of the nodes
  AndersonProducts pushRigid(const VecX& g, const VecX& f, const VecX& metricF) {
    AndersonProducts products{};
    if (!first_) {
      Difference& d = ring_[static_cast<std::size_t>(next_)];
      d.rigidF = f - lastRigidF_;
      d.rigidG = g - lastRigidG_;
      for (int j = 0; j < count_; ++j) {
        const VecX& stored = ring_[static_cast<std::size_t>(j)].rigidF;
        products.gram[j] = stored.dot(metricF - lastRigidMetricF_);
        products.theta[j] = stored.dot(metricF);
      }
    }
    lastRigidF_ = f, lastRigidG_ = g, lastRigidMetricF_ = metricF;
    return products;
  }

  /// Contact velocities of g, of the contacts [begin, end).
  void pushContacts(int begin, int end, const Columns3<Real>& gU) {
    Difference& d = ring_[static_cast<std::size_t>(slot_)];
    for (std::size_t k = 0; k < 3; ++k) {
      if (!first_)
        loops_.combine({gU.a[k].data(), {lastU_.a[k].data()}, {1}, 1, d.gU.a[k].data()}, begin, end);
      std::copy(gU.a[k].begin() + begin, gU.a[k].begin() + end, lastU_.a[k].begin() + begin);
    }
  }

  /// Finds the combination whose residual is smallest to first order. @return whether there is one
  bool finish(const AndersonProducts& sum) {
    slot_ = next_;
    if (first_) return false;
    SmallVector theta(count_);
    for (int j = 0; j < count_; ++j) {
      gram_(next_, j) = gram_(j, next_) = sum.gram[j];
      theta[j] = sum.theta[j];
    }
    SmallMatrix gram = gram_.topLeftCorner(count_, count_);
    gram.diagonal() *= 1 + kAndersonRegularization<Real>;
    const SmallVector solved = gram.ldlt().solve(theta);
    for (int j = 0; j < count_; ++j) factor_[static_cast<std::size_t>(j)] = static_cast<Real>(solved[j]);
    next_ = (next_ + 1) % kDepth;
    return true;
  }

  /// v of the combination, of the nodes [begin, end).
  void combineNodes(int begin, int end, Quads<Real>& v) const {
    combine([](const Difference& d) { return reals(d.g); }, reals(lastG_), 4 * begin, 4 * end, reals(v));
  }
  /// The rigid part of the combination.
  void combineRigid(VecX& v) const {
    v = lastRigidG_;
    for (int j = 0; j < count_; ++j)
      v -= double(factor_[static_cast<std::size_t>(j)]) * ring_[static_cast<std::size_t>(j)].rigidG;
  }
  /// u of the combination, of the contacts [begin, end).
  void combineContacts(int begin, int end, Columns3<Real>& u) const {
    for (std::size_t k = 0; k < 3; ++k)
      combine([k](const Difference& d) { return d.gU.a[k].data(); }, lastU_.a[k].data(), begin, end,
              u.a[k].data());
  }

 private:
  using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kDepth, kDepth>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kDepth, 1>;

  struct Difference {
    Quads<Real> g, f;
    Columns3<Real> gU;
    VecX rigidF, rigidG;
  };

  template <class Of>
  void combine(Of of, const Real* base, int begin, int end, Real* out) const {
    Combination<Real> c{base, {}, {}, count_, out};
    for (int j = 0; j < count_; ++j) {
      c.term[j] = of(ring_[static_cast<std::size_t>(j)]);
      c.factor[j] = factor_[static_cast<std::size_t>(j)];
    }
    loops_.combine(c, begin, end);
  }

  const ContactLoops<Real>& loops_;
  std::array<Difference, kDepth> ring_;
  std::array<Real, kDepth> factor_{};
  Eigen::Matrix<double, kDepth, kDepth> gram_ = Eigen::Matrix<double, kDepth, kDepth>::Zero();
  Quads<Real> lastG_, lastF_;
  Columns3<Real> lastU_;
  VecX lastRigidF_, lastRigidG_, lastRigidMetricF_;
  int count_ = 0;
  int next_ = 0, slot_ = 0;  // of the ring: the next difference, the present one
  bool primed_ = false;      // there is a last evaluation
  bool first_ = true;        // the present one has none to differ from
};

}  // namespace slipstick::mpm

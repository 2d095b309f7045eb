// The contact problem as the solver's inner loops want it: contacts side by side in lanes, nodes as aligned
// quads, and contacts that share their 27 nodes (particles of one cell) grouped into stencils, so that a node
// is loaded once for all of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "engine/contact/potential.h"
#include "engine/mpm/contact_problem.h"

namespace slipstick::mpm {

/// Four reals side by side; a node's vector uses the first three.
template <class Real>
struct Quad;
template <>
struct Quad<float> {
  typedef float Values __attribute__((vector_size(16)));
  Values x;
};
template <>
struct Quad<double> {
  typedef double Values __attribute__((vector_size(32)));
  Values x;
};
template <class Real>
using Quads = std::vector<Quad<Real>>;

template <class Real>
V3<Real> xyz(const Quad<Real>& q) {
  return {q.x[0], q.x[1], q.x[2]};
}
template <class Real>
Quad<Real> quad(const V3<Real>& v) {
  return {typename Quad<Real>::Values{v.x, v.y, v.z, 0}};
}

/// The lane type that contacts of this precision are evaluated in.
template <class Real>
struct LaneOf {
  using type = Real;
  static constexpr int kLanes = 1;
  static Real load(const Real* p) { return *p; }
  static void store(Real value, Real* p) { *p = value; }
};
template <>
struct LaneOf<float> {
  using type = Pack;
  static constexpr int kLanes = Pack::kLanes;
  static Pack load(const float* p) { return Pack::load(p); }
  static void store(Pack value, float* p) { value.store(p); }
};

/// One vector per contact, component by component.
template <class Real>
struct Columns3 {
  std::array<std::vector<Real>, 3> a;

  void assign(std::size_t count, Real value) {
    for (auto& column : a) column.assign(count, value);
  }
  V3<Real> at(std::size_t i) const { return {a[0][i], a[1][i], a[2][i]}; }
  void set(std::size_t i, const V3<Real>& v) { a[0][i] = v.x, a[1][i] = v.y, a[2][i] = v.z; }
  auto lanes(std::size_t i) const {
    using L = LaneOf<Real>;
    return V3<typename L::type>{L::load(&a[0][i]), L::load(&a[1][i]), L::load(&a[2][i])};
  }
  template <class Lane>
  void setLanes(std::size_t i, const V3<Lane>& v) {
    for (int k = 0; k < 3; ++k) LaneOf<Real>::store(v[k], &a[static_cast<std::size_t>(k)][i]);
  }
};

/// Contacts [begin, end) of the layout's order that have the same 27 nodes.
struct Stencil {
  int begin = 0;
  int end = 0;
  std::array<int, 27> node{};
};

template <class Real>
struct ContactLayout {
  int contacts = 0;
  std::size_t padded = 0;  ///< contacts rounded up to whole lanes; the rest are contacts without force
  std::vector<int> order;  ///< order[i]: index of contact i in the problem
  std::vector<Stencil> stencils;
  std::vector<Real> weights;  ///< of stencil s: weights[27 begin + j·(end−begin) + (contact − begin)]
  Columns3<Real> normal, vBody;
  std::vector<Real> f0, stiffness, dissipation, frictionBound, epsilon;
  std::vector<Real> wt;  ///< Σ_i w_ip²/m_i, diagonal Delassus entries [1/kg]
  Real dt = 0;

  /// Sorts the contacts into stencils and fills epsilon, in the problem too.
  void build(ContactProblem<Real>& problem);

  /// w of contact p of stencil s at the stencil's node j.
  Real weight(const Stencil& s, std::size_t j, int p) const {
    return weights[static_cast<std::size_t>(27 * s.begin + static_cast<int>(j) * (s.end - s.begin) + p -
                                            s.begin)];
  }

  /// Gives contact i another lagged normal impulse, in the problem too.
  void setNormalImpulse(std::size_t i, Real n0, ContactProblem<Real>& problem);

  /// The contacts [i, i + lanes) for contact::laggedPotential.
  auto lanes(std::size_t i) const {
    using L = LaneOf<Real>;
    using Lane = typename L::type;
    return contact::LaggedContact<Lane>{normal.lanes(i),
                                        L::load(&f0[i]),
                                        L::load(&stiffness[i]),
                                        L::load(&dissipation[i]),
                                        L::load(&frictionBound[i]),
                                        L::load(&epsilon[i]),
                                        Lane(dt)};
  }

  /// out = J v − (subtractBody ? v_body : 0).
  void gather(const Quads<Real>& v, Columns3<Real>& out, bool subtractBody) const;

  /// nodes[kQuads·i + q] += Σ_p w_ip values[kQuads·p + q]; quads after the first are weighted by w_ip² if
  /// `squared`.
  template <int kQuads>
  void scatter(const Quads<Real>& values, Quads<Real>& nodes, bool squared) const;

 private:
  std::vector<int> first_, next_;  // contacts by their centre node
  void sortByCentreNode(const ContactProblem<Real>& problem);
  void fillContact(std::size_t i, const ContactPoint<Real>& c);
};

template <class Real>
void ContactLayout<Real>::sortByCentreNode(const ContactProblem<Real>& problem) {
  first_.assign(problem.mass.size(), -1);
  next_.resize(problem.contacts.size());
  for (int c = static_cast<int>(problem.contacts.size()) - 1; c >= 0; --c) {
    const auto i = static_cast<std::size_t>(c);
    const auto centre = static_cast<std::size_t>(problem.contacts[i].node[13]);
    next_[i] = first_[centre];
    first_[centre] = c;
  }
  order.clear();
  for (int head : first_)
    for (int c = head; c >= 0; c = next_[static_cast<std::size_t>(c)]) order.push_back(c);
}

template <class Real>
void ContactLayout<Real>::fillContact(std::size_t i, const ContactPoint<Real>& c) {
  normal.set(i, c.normal);
  vBody.set(i, c.vBody);
  f0[i] = c.f0;
  stiffness[i] = c.stiffness;
  dissipation[i] = c.dissipation;
  frictionBound[i] = c.friction * c.n0;
  epsilon[i] = c.epsilon;
}

template <class Real>
void ContactLayout<Real>::build(ContactProblem<Real>& problem) {
  contacts = static_cast<int>(problem.contacts.size());
  constexpr std::size_t kLanes = LaneOf<Real>::kLanes;
  padded = (problem.contacts.size() + kLanes - 1) / kLanes * kLanes;
  dt = problem.dt;
  sortByCentreNode(problem);
  normal.assign(padded, 0), vBody.assign(padded, 0);
  f0.assign(padded, 0), stiffness.assign(padded, 1), dissipation.assign(padded, 0);
  frictionBound.assign(padded, 0), epsilon.assign(padded, 1), wt.assign(padded, 0);
  weights.resize(27 * problem.contacts.size());
  stencils.clear();
  for (int i = 0; i < contacts; ++i) {
    ContactPoint<Real>& c = problem.contacts[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
    Real& delassus = wt[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < 27; ++j)
      delassus += c.weight[j] * c.weight[j] / problem.mass[static_cast<std::size_t>(c.node[j])];
    c.epsilon = contact::frictionEpsilon(problem.stictionSpeed, c.friction * c.n0, delassus);
    fillContact(static_cast<std::size_t>(i), c);
    if (stencils.empty() || stencils.back().node != c.node) stencils.push_back({i, i, c.node});
    stencils.back().end = i + 1;
  }
  for (const Stencil& s : stencils) {
    const auto begin = static_cast<std::size_t>(s.begin), count = static_cast<std::size_t>(s.end - s.begin);
    for (std::size_t k = 0; k < count; ++k) {
      const auto& c = problem.contacts[static_cast<std::size_t>(order[begin + k])];
      for (std::size_t j = 0; j < 27; ++j) weights[27 * begin + j * count + k] = c.weight[j];
    }
  }
}

template <class Real>
void ContactLayout<Real>::setNormalImpulse(std::size_t i, Real n0, ContactProblem<Real>& problem) {
  ContactPoint<Real>& c = problem.contacts[static_cast<std::size_t>(order[i])];
  c.n0 = n0;
  c.epsilon = contact::frictionEpsilon(problem.stictionSpeed, c.friction * n0, wt[i]);
  frictionBound[i] = c.friction * n0;
  epsilon[i] = c.epsilon;
}

template <class Real>
void ContactLayout<Real>::gather(const Quads<Real>& v, Columns3<Real>& out, bool subtractBody) const {
  for (const Stencil& s : stencils) {
    const auto begin = static_cast<std::size_t>(s.begin), count = static_cast<std::size_t>(s.end - s.begin);
    const Real* w = weights.data() + 27 * begin;
    std::array<typename Quad<Real>::Values, 27> local;
    for (std::size_t j = 0; j < 27; ++j) local[j] = v[static_cast<std::size_t>(s.node[j])].x;
    for (std::size_t k = 0; k < count; ++k) {
      // Three 9-node rows summed apart: shorter chains of dependent additions.
      typename Quad<Real>::Values row0{}, row1{}, row2{};
      for (std::size_t j = 0; j < 9; ++j) {
        row0 += w[j * count + k] * local[j];
        row1 += w[(j + 9) * count + k] * local[j + 9];
        row2 += w[(j + 18) * count + k] * local[j + 18];
      }
      const Quad<Real> sum{row0 + row1 + row2};
      const std::size_t i = begin + k;
      out.set(i, subtractBody ? xyz(sum) - vBody.at(i) : xyz(sum));
    }
  }
}

template <class Real>
template <int kQuads>
void ContactLayout<Real>::scatter(const Quads<Real>& values, Quads<Real>& nodes, bool squared) const {
  for (const Stencil& s : stencils) {
    const auto begin = static_cast<std::size_t>(s.begin), count = static_cast<std::size_t>(s.end - s.begin);
    const Real* w = weights.data() + 27 * begin;
    const Quad<Real>* value = values.data() + kQuads * begin;
    for (std::size_t j = 0; j < 27; ++j) {
      Quad<Real>* node = nodes.data() + kQuads * static_cast<std::size_t>(s.node[j]);
      std::array<typename Quad<Real>::Values, kQuads> sum;
      for (std::size_t q = 0; q < kQuads; ++q) sum[q] = node[q].x;
      for (std::size_t k = 0; k < count; ++k) {
        const Real weight = w[j * count + k];
        const Real blockWeight = squared ? weight * weight : weight;
        sum[0] += weight * value[kQuads * k].x;
        for (std::size_t q = 1; q < kQuads; ++q) sum[q] += blockWeight * value[kQuads * k + q].x;
      }
      for (std::size_t q = 0; q < kQuads; ++q) node[q].x = sum[q];
    }
  }
}

}  // namespace slipstick::mpm

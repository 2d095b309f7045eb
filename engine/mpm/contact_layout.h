// Owns what ContactArrays point to: contacts side by side in lanes, nodes as quads, contacts that share their 27
// nodes (particles of one cell) grouped into stencils, and for each node the contacts that touch it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "engine/contact/potential.h"
#include "engine/lanes/lane_of.h"
#include "engine/mpm/contact_problem.h"
#include "engine/mpm/kernels/contact_arrays.h"

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
const Real* reals(const Quads<Real>& q) {
  return reinterpret_cast<const Real*>(q.data());
}
template <class Real>
Real* reals(Quads<Real>& q) {
  return reinterpret_cast<Real*>(q.data());
}

template <class Real>
V3<Real> xyz(const Quad<Real>& q) {
  return {q.x[0], q.x[1], q.x[2]};
}
template <class Real>
Quad<Real> quad(const V3<Real>& v) {
  return {typename Quad<Real>::Values{v.x, v.y, v.z, 0}};
}

/// One vector per contact, component by component.
template <class Real>
struct Columns3 {
  std::array<std::vector<Real>, 3> a;

  void assign(std::size_t count, Real value) {
    for (auto& column : a) column.assign(count, value);
  }
  std::array<Real*, 3> columns() { return {a[0].data(), a[1].data(), a[2].data()}; }
  std::array<const Real*, 3> columns() const { return {a[0].data(), a[1].data(), a[2].data()}; }
  V3<Real> at(std::size_t i) const { return {a[0][i], a[1][i], a[2][i]}; }
  void set(std::size_t i, const V3<Real>& v) { a[0][i] = v.x, a[1][i] = v.y, a[2][i] = v.z; }
  auto lanes(std::size_t i) const {
    using L = LaneOf<Real>;
    return V3<typename L::type>{L::load(&a[0][i]), L::load(&a[1][i]), L::load(&a[2][i])};
  }
};

/// What one thread takes at a time: contacts with their stencils, or nodes. Of fixed size, so that sums do not
/// depend on the number of threads.
inline constexpr std::size_t kContactChunk = 64, kNodeChunk = 128;

struct ContactChunk {
  int begin, end;  ///< contacts, in whole groups
  int beginStencil, endStencil;
};

/// `count`, rounded up to whole groups.
inline std::size_t wholeGroups(std::size_t count) {
  return (count + kContactGroup - 1) / kContactGroup * kContactGroup;
}

template <class Real>
struct ContactLayout {
  int contacts = 0;
  std::size_t padded = 0;         ///< contacts in whole groups; the rest are contacts without force
  std::size_t paddedNodes = 0;    ///< likewise; the rest are nodes that nothing touches
  std::vector<int> order;         ///< order[i]: index of contact i in the problem
  std::vector<Stencil> stencils;  ///< within a chunk each
  std::vector<ContactChunk> chunks;
  std::vector<Real> weights;  ///< as ContactArrays::weights
  Columns3<Real> normal, vBody;
  std::vector<Real> f0, stiffness, dissipation, frictionBound, epsilon;
  std::vector<Real> wt;  ///< Σ_i w_ip²/m_i, diagonal Delassus entries [1/kg]
  std::vector<int> firstShare, shareContact;
  std::vector<Real> shareWeight;
  Quads<Real> mass, vStar;  ///< of nodes, in whole groups
  Real dt = 0;

  /// Sorts the contacts into stencils and fills epsilon, in the problem too.
  void build(ContactProblem<Real>& problem);

  /// Valid until the next build().
  ContactArrays<Real> arrays() const;

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

  /// nodes = Jᵀ values: of one vector per contact.
  void scatter(const Quads<Real>& values, Quads<Real>& nodes) const;

 private:
  std::vector<int> first_, next_;  // contacts by their centre node
  void sortByCentreNode(const ContactProblem<Real>& problem);
  void fillContact(std::size_t i, const ContactPoint<Real>& c);
  void fillNodes(const ContactProblem<Real>& problem);
  void fillWeights(const ContactProblem<Real>& problem);
  void listShares(std::size_t nodes);
  void listChunks();
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
  padded = wholeGroups(problem.contacts.size());
  dt = problem.dt;
  sortByCentreNode(problem);
  normal.assign(padded, 0), vBody.assign(padded, 0);
  f0.assign(padded, 0), stiffness.assign(padded, 1), dissipation.assign(padded, 0);
  frictionBound.assign(padded, 0), epsilon.assign(padded, 1), wt.assign(padded, 0);
  stencils.clear();
  for (int i = 0; i < contacts; ++i) {
    ContactPoint<Real>& c = problem.contacts[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])];
    Real& delassus = wt[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < 27; ++j)
      delassus += c.weight[j] * c.weight[j] / problem.mass[static_cast<std::size_t>(c.node[j])];
    c.epsilon = contact::frictionEpsilon(problem.stictionSpeed, c.friction * c.n0, delassus);
    fillContact(static_cast<std::size_t>(i), c);
    if (stencils.empty() || static_cast<std::size_t>(i) % kContactChunk == 0 ||
        !std::equal(c.node.begin(), c.node.end(), stencils.back().node)) {
      Stencil& added = stencils.emplace_back();
      added.begin = i;
      std::copy(c.node.begin(), c.node.end(), added.node);
    }
    stencils.back().end = i + 1;
  }
  fillWeights(problem);
  fillNodes(problem);
  listShares(problem.mass.size());
  listChunks();
}

template <class Real>
void ContactLayout<Real>::listChunks() {
  chunks.clear();
  int stencil = 0;
  for (std::size_t begin = 0; begin < padded; begin += kContactChunk) {
    const std::size_t end = std::min(padded, begin + kContactChunk);
    const int first = stencil;
    while (stencil < static_cast<int>(stencils.size()) &&
           static_cast<std::size_t>(stencils[static_cast<std::size_t>(stencil)].begin) < end)
      ++stencil;
    chunks.push_back({static_cast<int>(begin), static_cast<int>(end), first, stencil});
  }
}

template <class Real>
void ContactLayout<Real>::fillWeights(const ContactProblem<Real>& problem) {
  weights.resize(27 * problem.contacts.size());
  for (const Stencil& s : stencils) {
    const auto begin = static_cast<std::size_t>(s.begin), count = static_cast<std::size_t>(s.end - s.begin);
    for (std::size_t k = 0; k < count; ++k) {
      const auto& c = problem.contacts[static_cast<std::size_t>(order[begin + k])];
      for (std::size_t j = 0; j < 27; ++j) weights[27 * begin + j * count + k] = c.weight[j];
    }
  }
}

template <class Real>
void ContactLayout<Real>::fillNodes(const ContactProblem<Real>& problem) {
  paddedNodes = wholeGroups(problem.mass.size());
  mass.resize(paddedNodes), vStar.resize(paddedNodes);
  for (std::size_t i = 0; i < paddedNodes; ++i) {
    const bool real = i < problem.mass.size();
    const Real m = real ? problem.mass[i] : Real(1);
    mass[i].x = typename Quad<Real>::Values{m, m, m, m};
    vStar[i] = real ? quad(problem.vStar[i]) : Quad<Real>{};
  }
}

/// Node by node, the contacts in their order: a counting sort.
template <class Real>
void ContactLayout<Real>::listShares(std::size_t nodes) {
  firstShare.assign(paddedNodes + 1, 0);
  for (const Stencil& s : stencils)
    for (const int node : s.node) firstShare[static_cast<std::size_t>(node) + 1] += s.end - s.begin;
  for (std::size_t i = 0; i < paddedNodes; ++i) firstShare[i + 1] += firstShare[i];
  shareContact.resize(weights.size()), shareWeight.resize(weights.size());
  for (const Stencil& s : stencils)
    for (std::size_t j = 0; j < 27; ++j) {
      int& next = firstShare[static_cast<std::size_t>(s.node[j])];
      for (int p = s.begin; p < s.end; ++p, ++next) {
        shareContact[static_cast<std::size_t>(next)] = p;
        shareWeight[static_cast<std::size_t>(next)] = weight(s, j, p);
      }
    }
  // Each entry now stands where its node ends, which is where the next one begins.
  for (std::size_t i = nodes; i > 0; --i) firstShare[i] = firstShare[i - 1];
  firstShare[0] = 0;
}

template <class Real>
ContactArrays<Real> ContactLayout<Real>::arrays() const {
  ContactArrays<Real> a{};
  a.dt = dt;
  for (std::size_t k = 0; k < 3; ++k) a.normal[k] = normal.a[k].data(), a.vBody[k] = vBody.a[k].data();
  a.f0 = f0.data(), a.stiffness = stiffness.data(), a.dissipation = dissipation.data();
  a.frictionBound = frictionBound.data(), a.epsilon = epsilon.data();
  a.stencils = stencils.data();
  a.weights = weights.data();
  a.firstShare = firstShare.data(), a.shareContact = shareContact.data(), a.shareWeight = shareWeight.data();
  a.mass = reals(mass), a.vStar = reals(vStar);
  return a;
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
void ContactLayout<Real>::scatter(const Quads<Real>& values, Quads<Real>& nodes) const {
  for (std::size_t i = 0; i < paddedNodes; ++i) {
    typename Quad<Real>::Values sum{};
    for (int s = firstShare[i]; s < firstShare[i + 1]; ++s)
      sum += shareWeight[static_cast<std::size_t>(s)] *
             values[static_cast<std::size_t>(shareContact[static_cast<std::size_t>(s)])].x;
    nodes[i].x = sum;
  }
}

}  // namespace slipstick::mpm

// Owns what ContactArrays point to: contacts side by side in lanes, nodes as quads, contacts that share their 27
// nodes (particles of one cell) grouped into stencils, and for each node the contacts that touch it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/contact/potential.h"
#include "engine/foundation/aligned_vector.h"
#include "engine/lanes/lane_of.h"
#include "engine/mpm/contact/contact_problem.h"
#include "engine/mpm/kernels/contact_arrays.h"
#include "engine/mpm/thread_team.h"

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
using Quads = AlignedVector<Quad<Real>>;

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
  std::array<AlignedVector<Real>, 3> a;

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
  AlignedVector<Real> weights;  ///< as ContactArrays::weights
  Columns3<Real> normal, vBody;
  std::vector<int> body;  ///< as ContactPoint::body
  std::vector<V3<Real>> arm;
  AlignedVector<Real> f0, stiffness, dissipation, frictionBound, epsilon;
  AlignedVector<Real> wt;  ///< Σ_i w_ip²/m_i, diagonal Delassus entries [1/kg]
  std::vector<int> firstShare, shareContact;
  std::vector<Real> shareWeight;
  Quads<Real> mass, vStar;  ///< of nodes, in whole groups
  Real dt = 0;

  /// Sorts the contacts into stencils and fills epsilon, in the problem too. @param team  who shares the work, or null
  void build(ContactProblem<Real>& problem, ThreadTeam* team = nullptr);

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

  /// nodes = Jᵀ values: of one vector per contact. Of the nodes [begin, end).
  void scatter(const Quads<Real>& values, std::size_t begin, std::size_t end, Quads<Real>& nodes) const;

 private:
  std::vector<int> first_, next_;  // contacts by their centre node
  std::vector<char> opens_;        // per contact: a stencil begins with it
  std::vector<int> cursor_;        // per part of the stencils and node: its next share
  void sortByCentreNode(const ContactProblem<Real>& problem);
  void resize(std::size_t problemNodes);
  void fillContacts(ContactProblem<Real>& problem, ContactChunk& chunk);
  void fillStencils(const ContactProblem<Real>& problem, const ContactChunk& chunk);
  void fillNodes(const ContactProblem<Real>& problem, ThreadTeam* team);
  void listShares(ThreadTeam* team);
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
void ContactLayout<Real>::build(ContactProblem<Real>& problem, ThreadTeam* team) {
  contacts = static_cast<int>(problem.contacts.size());
  dt = problem.dt;
  sortByCentreNode(problem);
  resize(problem.mass.size());
  shareOut(team, chunks.size(), 1, [&](std::size_t c) { fillContacts(problem, chunks[c]); });
  int stencil = 0;
  for (ContactChunk& chunk : chunks) {
    chunk.beginStencil = std::exchange(stencil, stencil + chunk.endStencil);
    chunk.endStencil = stencil;
  }
  stencils.resize(static_cast<std::size_t>(stencil));
  shareOut(team, chunks.size(), 1, [&](std::size_t c) { fillStencils(problem, chunks[c]); });
  fillNodes(problem, team);
  listShares(team);
}

template <class Real>
void ContactLayout<Real>::resize(std::size_t problemNodes) {
  const auto count = static_cast<std::size_t>(contacts);
  padded = wholeGroups(count);
  paddedNodes = wholeGroups(problemNodes);
  normal.assign(padded, 0), vBody.assign(padded, 0);
  body.assign(padded, -1), arm.resize(padded);
  f0.assign(padded, 0), stiffness.assign(padded, 1), dissipation.assign(padded, 0);
  frictionBound.assign(padded, 0), epsilon.assign(padded, 1), wt.assign(padded, 0);
  opens_.resize(count);
  weights.resize(27 * count);
  mass.resize(paddedNodes), vStar.resize(paddedNodes);
  chunks.clear();
  for (std::size_t begin = 0; begin < padded; begin += kContactChunk)
    chunks.push_back(
        {static_cast<int>(begin), static_cast<int>(std::min(padded, begin + kContactChunk)), 0, 0});
}

/// Everything but stencils, of which it counts those that begin here: as endStencil.
template <class Real>
void ContactLayout<Real>::fillContacts(ContactProblem<Real>& problem, ContactChunk& chunk) {
  const ContactPoint<Real>* last = nullptr;
  for (int p = chunk.begin; p < std::min(chunk.end, contacts); ++p) {
    const auto i = static_cast<std::size_t>(p);
    ContactPoint<Real>& c = problem.contacts[static_cast<std::size_t>(order[i])];
    for (std::size_t j = 0; j < 27; ++j)
      wt[i] += c.weight[j] * c.weight[j] / problem.mass[static_cast<std::size_t>(c.node[j])];
    c.epsilon =
        contact::frictionEpsilon(problem.stictionSpeed, c.friction * c.n0, wt[i], problem.stictionSoftness);
    normal.set(i, c.normal);
    vBody.set(i, c.vBody);
    body[i] = c.body;
    arm[i] = c.arm;
    f0[i] = c.f0;
    stiffness[i] = c.stiffness;
    dissipation[i] = c.dissipation;
    frictionBound[i] = c.friction * c.n0;
    epsilon[i] = c.epsilon;
    opens_[i] = last == nullptr || c.node != last->node;
    if (opens_[i]) ++chunk.endStencil;
    last = &c;
  }
}

/// Stencils and the weights of their contacts.
template <class Real>
void ContactLayout<Real>::fillStencils(const ContactProblem<Real>& problem, const ContactChunk& chunk) {
  const int end = std::min(chunk.end, contacts);
  int begin = chunk.begin;
  for (int index = chunk.beginStencil; index < chunk.endStencil; ++index) {
    Stencil& s = stencils[static_cast<std::size_t>(index)];
    s.begin = begin;
    s.end = begin + 1;
    while (s.end < end && !opens_[static_cast<std::size_t>(s.end)]) ++s.end;
    const auto at = [&](int p) -> const ContactPoint<Real>& {
      return problem.contacts[static_cast<std::size_t>(order[static_cast<std::size_t>(p)])];
    };
    std::copy_n(at(begin).node.begin(), 27, s.node);
    Real* next = weights.data() + 27 * begin;
    for (std::size_t j = 0; j < 27; ++j)
      for (int p = begin; p < s.end; ++p) *next++ = at(p).weight[j];
    begin = s.end;
  }
}

template <class Real>
void ContactLayout<Real>::fillNodes(const ContactProblem<Real>& problem, ThreadTeam* team) {
  shareOut(team, paddedNodes, kNodeChunk, [&](std::size_t i) {
    const bool real = i < problem.mass.size();
    const Real m = real ? problem.mass[i] : Real(1);
    mass[i].x = typename Quad<Real>::Values{m, m, m, m};
    vStar[i] = real ? quad(problem.vStar[i]) : Quad<Real>{};
  });
}

/// Node by node, the contacts in their order: a counting sort of the stencils, in parts that do not wait for each
/// other.
template <class Real>
void ContactLayout<Real>::listShares(ThreadTeam* team) {
  const std::size_t parts = team != nullptr ? 4 : 1;
  cursor_.assign(parts * paddedNodes, 0);
  const auto inPart = [&](std::size_t part, const auto& f) {
    int* const cursor = cursor_.data() + part * paddedNodes;
    for (std::size_t s = part * stencils.size() / parts; s < (part + 1) * stencils.size() / parts; ++s)
      f(stencils[s], cursor);
  };
  shareOut(team, parts, 1, [&](std::size_t part) {
    inPart(part, [](const Stencil& s, int* count) {
      for (const int node : s.node) count[node] += s.end - s.begin;
    });
  });
  firstShare.resize(paddedNodes + 1);
  int next = 0;
  for (std::size_t i = 0; i < paddedNodes; ++i) {
    firstShare[i] = next;
    for (std::size_t part = 0; part < parts; ++part) {
      int& cursor = cursor_[part * paddedNodes + i];
      cursor = std::exchange(next, next + cursor);
    }
  }
  firstShare[paddedNodes] = next;
  shareContact.resize(weights.size()), shareWeight.resize(weights.size());
  shareOut(team, parts, 1, [&](std::size_t part) {
    inPart(part, [&](const Stencil& s, int* cursor) {
      for (std::size_t j = 0; j < 27; ++j)
        for (int p = s.begin; p < s.end; ++p) {
          const auto share = static_cast<std::size_t>(cursor[s.node[j]]++);
          shareContact[share] = p;
          shareWeight[share] = weight(s, j, p);
        }
    });
  });
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
  c.epsilon =
      contact::frictionEpsilon(problem.stictionSpeed, c.friction * n0, wt[i], problem.stictionSoftness);
  frictionBound[i] = c.friction * n0;
  epsilon[i] = c.epsilon;
}

template <class Real>
void ContactLayout<Real>::scatter(const Quads<Real>& values, std::size_t begin, std::size_t end,
                                  Quads<Real>& nodes) const {
  for (std::size_t i = begin; i < end; ++i) {
    typename Quad<Real>::Values sum{};
    for (int s = firstShare[i]; s < firstShare[i + 1]; ++s)
      sum += shareWeight[static_cast<std::size_t>(s)] *
             values[static_cast<std::size_t>(shareContact[static_cast<std::size_t>(s)])].x;
    nodes[i].x = sum;
  }
}

}  // namespace slipstick::mpm

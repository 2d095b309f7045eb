// The loops of the contact solver; contact_arrays.h says how a number flows through them. Included by one source
// file per instruction set for floats, and once for doubles.
#pragma once

#include "engine/contact/potential.h"
#include "engine/lanes/lane_of.h"
#include "engine/mpm/kernels/contact_arrays.h"
#include "engine/mpm/lanes.h"
#include "engine/mpm/node_block.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {
namespace {

template <class Real>
using LaneType = typename LaneOf<Real>::type;

/// Sixteen reals that one weight multiplies.
template <class Real>
struct Row {
  Real a[RowField::Count];

  SIM_HD static Row zero() { return {}; }
  SIM_HD static Row load(const Real* p) {
    Row r;
    for (int k = 0; k < RowField::Count; ++k) r.a[k] = p[k];
    return r;
  }
  SIM_HD void store(Real* p) const {
    for (int k = 0; k < RowField::Count; ++k) p[k] = a[k];
  }
  SIM_HD void add(Real w, const Row& row) { add(w, w, row); }
  /// += row, times w its impulse and times `block` the rest
  SIM_HD void add(Real w, Real block, const Row& row) {
    for (int k = 0; k < RowField::Block; ++k) a[k] += w * row.a[k];
    for (int k = RowField::Block; k < RowField::Count; ++k) a[k] += block * row.a[k];
  }
};
template <>
struct Row<float> {
  Pack a;

  SIM_HD static Row zero() { return {Pack(0.0f)}; }
  SIM_HD static Row load(const float* p) { return {Pack::load(p)}; }
  SIM_HD void store(float* p) const { a.store(p); }
  SIM_HD void add(float w, float block, const Row& row) {
    alignas(64) float weights[RowField::Count];
    for (int k = 0; k < RowField::Count; ++k) weights[k] = k < RowField::Block ? w : block;
    a += Pack::load(weights) * row.a;
  }
  SIM_HD void add(float w, const Row& row) { a += Pack(w) * row.a; }
};

/// Sums up lanes in double, each lane apart: the order is that of the lanes, whatever the registers.
template <class Real>
struct LaneSum {
  static constexpr int kLanes = LaneOf<Real>::kLanes;
  double lane[kLanes] = {};

  SIM_HD void add(const LaneType<Real>& x) {
    Real values[kLanes];
    LaneOf<Real>::store(x, values);
    for (int l = 0; l < kLanes; ++l) lane[l] += static_cast<double>(values[l]);
  }
  SIM_HD double total() const {
    double sum = 0;
    for (int l = 0; l < kLanes; ++l) sum += lane[l];
    return sum;
  }
};

template <class Real>
SIM_HD V3<LaneType<Real>> columnLanes(const Real* const* columns, int i) {
  using L = LaneOf<Real>;
  return {L::load(columns[0] + i), L::load(columns[1] + i), L::load(columns[2] + i)};
}

template <class Real>
SIM_HD contact::LaggedContact<LaneType<Real>> contactLanes(const ContactArrays<Real>& a, int i) {
  using L = LaneOf<Real>;
  return {columnLanes<Real>(a.normal, i),
          L::load(a.f0 + i),
          L::load(a.stiffness + i),
          L::load(a.dissipation + i),
          L::load(a.frictionBound + i),
          L::load(a.epsilon + i),
          LaneType<Real>(a.dt)};
}

/// Component `k` of the vectors or rows (`stride` reals each) of as many nodes as there are lanes.
template <class Real>
SIM_HD LaneType<Real> turned(const Real* first, int stride, int k) {
  constexpr int kLanes = LaneOf<Real>::kLanes;
  alignas(64) Real values[kLanes];
  for (int l = 0; l < kLanes; ++l) values[l] = first[l * stride + k];
  return LaneOf<Real>::load(values);
}
template <class Real>
SIM_HD V3<LaneType<Real>> turnedQuads(const Real* first) {
  return {turned<Real>(first, 4, 0), turned<Real>(first, 4, 1), turned<Real>(first, 4, 2)};
}
template <class Real>
SIM_HD void storeQuads(const V3<LaneType<Real>>& v, Real* first) {
  constexpr int kLanes = LaneOf<Real>::kLanes;
  alignas(64) Real values[3][kLanes];
  for (int k = 0; k < 3; ++k) LaneOf<Real>::store(v[k], values[k]);
  for (int l = 0; l < kLanes; ++l)
    for (int k = 0; k < 3; ++k) first[4 * l + k] = values[k][l];
}

/// Whether any of a stencil's nodes has moved.
SIM_HD bool anyMoved(const Stencil& stencil, const char* moved) {
  char any = 0;
  for (const int node : stencil.node) any |= moved[node];
  return any != 0;
}

template <class Real>
void gatherContacts(const ContactArrays<Real>& a, int begin, int end, const Real* v, const char* moved,
                    Real* const* u, bool subtractBody) {
  typedef Real Quad __attribute__((vector_size(4 * sizeof(Real))));
  for (int s = begin; s < end; ++s) {
    const Stencil& stencil = a.stencils[s];
    if (moved != nullptr && !anyMoved(stencil, moved)) continue;
    const int count = stencil.end - stencil.begin;
    const Real* w = a.weights + 27 * stencil.begin;
    Quad local[27];
    for (int j = 0; j < 27; ++j) __builtin_memcpy(&local[j], v + 4 * stencil.node[j], sizeof(Quad));
    for (int k = 0; k < count; ++k) {
      // Three 9-node rows summed apart: shorter chains of dependent additions.
      Quad row0{}, row1{}, row2{};
      for (int j = 0; j < 9; ++j) {
        row0 += w[j * count + k] * local[j];
        row1 += w[(j + 9) * count + k] * local[j + 9];
        row2 += w[(j + 18) * count + k] * local[j + 18];
      }
      const Quad sum = row0 + row1 + row2;
      const int i = stencil.begin + k;
      for (int c = 0; c < 3; ++c) u[c][i] = subtractBody ? sum[c] - a.vBody[c][i] : sum[c];
    }
  }
}

template <class Real>
EnergySums contactEnergy(const ContactArrays<Real>& a, int begin, int end, const Real* const* u) {
  LaneSum<Real> value, size;
  for (int i = begin; i < end; i += LaneOf<Real>::kLanes) {
    const auto e = contact::laggedPotential(columnLanes<Real>(u, i), contactLanes(a, i)).value;
    value.add(e);
    size.add(lanes::abs(e));
  }
  return {value.total(), size.total()};
}

/// Rows of as many contacts as there are lanes.
template <class Real>
SIM_HD void storeRows(const contact::LaggedPotential<LaneType<Real>>& p, const V3<LaneType<Real>>& n,
                      RowKind kind, Real boost, Real* rows) {
  using Lane = LaneType<Real>;
  constexpr int kLanes = LaneOf<Real>::kLanes;
  Lane block[6];
  contactBlock<Lane>(p, n, kind == RowKind::Lumped, Lane(boost), block);
  const Lane values[RowField::Used] = {p.gamma.x, p.gamma.y, p.gamma.z, Lane(Real(0)), block[0],
                                       block[1],  block[2],  block[3],  block[4],      block[5]};
  alignas(64) Real stored[RowField::Used][kLanes];
  for (int k = 0; k < RowField::Used; ++k) LaneOf<Real>::store(values[k], stored[k]);
  for (int l = 0; l < kLanes; ++l)
    for (int k = 0; k < RowField::Used; ++k) rows[l * RowField::Count + k] = stored[k][l];
}

template <class Real>
EnergySums linearizeContacts(const ContactArrays<Real>& a, int begin, int end, const Real* const* u,
                             RowKind kind, Real boost, const Linearization<Real>& out) {
  using L = LaneOf<Real>;
  LaneSum<Real> value, size;
  for (int i = begin; i < end; i += L::kLanes) {
    const auto c = contactLanes(a, i);
    const auto p = contact::laggedPotential(columnLanes<Real>(u, i), c);
    value.add(p.value);
    size.add(lanes::abs(p.value));
    for (int k = 0; k < 3; ++k) {
      L::store(p.gamma[k], out.gamma[k] + i);
      L::store(p.slip[k], out.slip[k] + i);
    }
    L::store(p.tangential, out.tangential + i);
    L::store(p.normal, out.normal + i);
    L::store(p.stickFraction, out.stickFraction + i);
    storeRows<Real>(p, c.normal, kind, boost, out.rows + i * RowField::Count);
  }
  return {value.total(), size.total()};
}

template <class Real>
double kineticOfNodes(const ContactArrays<Real>& a, int begin, int end, const Real* v) {
  using L = LaneOf<Real>;
  LaneSum<Real> sum;
  for (int i = 4 * begin; i < 4 * end; i += L::kLanes) {
    const auto d = L::load(v + i) - L::load(a.vStar + i);
    sum.add(L::load(a.mass + i) * d * d);
  }
  return sum.total();
}

/// Σ over the node's contacts of their rows times its weights.
template <class Real>
SIM_HD Row<Real> rowOfNode(const ContactArrays<Real>& a, int node, const Real* rows, RowKind kind) {
  Row<Real> sum = Row<Real>::zero();
  for (int s = a.firstShare[node]; s < a.firstShare[node + 1]; ++s) {
    const Real w = a.shareWeight[s];
    const Row<Real> row = Row<Real>::load(rows + a.shareContact[s] * RowField::Count);
    if (kind == RowKind::Lumped)
      sum.add(w, row);
    else
      sum.add(w, w * w, row);
  }
  return sum;
}

template <class Real>
ResidualSums stepNodes(const ContactArrays<Real>& a, int begin, int end, const NodeStep<Real>& n) {
  using L = LaneOf<Real>;
  using Lane = LaneType<Real>;
  LaneSum<Real> gradientSum, momentumSum, impulseSum;
  for (int i = begin; i < end; i += L::kLanes) {
    Real* rows = n.nodeRows + i * RowField::Count;
    for (int l = 0; l < L::kLanes; ++l) rowOfNode(a, i + l, n.rows, n.kind).store(rows + l * RowField::Count);
    const auto row = [rows](int k) { return turned<Real>(rows, RowField::Count, k); };
    const V3<Lane> impulse{row(0), row(1), row(2)}, v = turnedQuads(n.v + 4 * i);
    const Lane m = turned<Real>(a.mass + 4 * i, 4, 0), inverse = Lane(Real(1)) / m;
    const V3<Lane> g = m * (v - turnedQuads(a.vStar + 4 * i)) - impulse;
    gradientSum.add(L::load(n.free + i) * inverse * dot(g, g));
    momentumSum.add(m * dot(v, v));
    impulseSum.add(inverse * dot(impulse, impulse));
    const Lane block[6] = {row(4), row(5), row(6), row(7), row(8), row(9)};
    storeQuads<Real>(g, n.gradient + 4 * i);
    storeQuads<Real>(-solveBlock(m, block, g), n.step + 4 * i);
  }
  return {gradientSum.total(), momentumSum.total(), impulseSum.total()};
}

template <class Real>
AndersonProducts pushDifference(const AndersonPush<Real>& p, int begin, int end) {
  using L = LaneOf<Real>;
  using Lane = LaneType<Real>;
  LaneSum<Real> gram[kAndersonDepth], theta[kAndersonDepth];
  for (int i = begin; i < end; i += L::kLanes) {
    const Lane f = L::load(p.f + i), g = L::load(p.g + i);
    const Lane df = f - L::load(p.lastF + i);
    L::store(df, p.differenceF + i);
    L::store(g - L::load(p.lastG + i), p.differenceG + i);
    L::store(f, p.lastF + i);
    L::store(g, p.lastG + i);
    const Lane m = L::load(p.mass + i), mdf = m * df, mf = m * f;
    for (int j = 0; j < p.count; ++j) {
      const Lane stored = L::load(p.stored[j] + i);
      gram[j].add(mdf * stored);
      theta[j].add(mf * stored);
    }
  }
  AndersonProducts products{};
  for (int j = 0; j < p.count; ++j) products.gram[j] = gram[j].total(), products.theta[j] = theta[j].total();
  return products;
}

template <class Real>
void combineVectors(const Combination<Real>& c, int begin, int end) {
  using L = LaneOf<Real>;
  for (int i = begin; i < end; i += L::kLanes) {
    auto sum = L::load(c.base + i);
    for (int j = 0; j < c.count; ++j) sum -= LaneType<Real>(c.factor[j]) * L::load(c.term[j] + i);
    L::store(sum, c.out + i);
  }
}

}  // namespace
}  // namespace SIM_ISA

#define SLIPSTICK_CONTACT_LOOPS(Real)                                                             \
  {                                                                                               \
    &gatherContacts<Real>, &contactEnergy<Real>, &linearizeContacts<Real>, &kineticOfNodes<Real>, \
        &stepNodes<Real>, &pushDifference<Real>, &combineVectors<Real>                            \
  }

}  // namespace slipstick::mpm

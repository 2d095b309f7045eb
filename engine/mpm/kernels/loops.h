// The CPU backend's loops over packs. Included by one source file per instruction set, which defines SIM_ISA
// first: element math and loops then live in that namespace, and everything else here has internal linkage.
#pragma once

#include "engine/geometry/signed_distance.h"
#include "engine/lanes/hash.h"
#include "engine/mpm/bspline.h"
#include "engine/mpm/kernels/contact_loops.h"
#include "engine/mpm/kernels/curvature_loops.h"
#include "engine/mpm/kernels/kernel_table.h"
#include "engine/mpm/materials/dispatch.h"
#include "engine/mpm/position_step.h"
#include "engine/mpm/transfer.h"

namespace slipstick::mpm {
inline namespace SIM_ISA {
namespace {

/// One node: velocity or momentum, and mass.
typedef float Quad __attribute__((vector_size(16)));

SIM_HD Quad loadQuad(const float* p) {
  Quad q;
  __builtin_memcpy(&q, p, sizeof q);
  return q;
}
SIM_HD void storeQuad(float* p, const Quad& q) {
  __builtin_memcpy(p, &q, sizeof q);
}

SIM_HD float* field(float* pack, int f) {
  return pack + f * kPackLanes;
}
SIM_HD V3<Pack> loadV3(const float* pack, int f) {
  const float* p = pack + f * kPackLanes;
  return {Pack::load(p), Pack::load(p + kPackLanes), Pack::load(p + 2 * kPackLanes)};
}
SIM_HD void storeV3(float* pack, int f, const V3<Pack>& v) {
  v.x.store(field(pack, f));
  v.y.store(field(pack, f + 1));
  v.z.store(field(pack, f + 2));
}
SIM_HD M3<Pack> loadM3(const float* pack, int f) {
  M3<Pack> m;
  for (int i = 0; i < 9; ++i) m.a[i] = Pack::load(pack + (f + i) * kPackLanes);
  return m;
}
SIM_HD void storeM3(float* pack, int f, const M3<Pack>& m) {
  for (int i = 0; i < 9; ++i) m.a[i].store(field(pack, f + i));
}
SIM_HD M3<Pack> loadTau(const float* pack) {
  const float* p = pack + PackField::Tau * kPackLanes;
  const auto at = [p](int i) { return Pack::load(p + i * kPackLanes); };
  return {at(0), at(3), at(4), at(3), at(1), at(5), at(4), at(5), at(2)};
}
SIM_HD void storeTau(float* pack, const M3<Pack>& tau) {
  constexpr int kElement[6] = {0, 4, 8, 1, 2, 5};
  for (int i = 0; i < 6; ++i) tau.a[kElement[i]].store(field(pack, PackField::Tau + i));
}

/// The tile's first node, counted from the block's corner.
constexpr float kTileStart = -1;

/// Weights of the pack's particles on the block's nodes.
SIM_HD Bspline<Pack> stencilsOf(const float* pack, const Pack& invH) {
  return bspline(loadV3(pack, PackField::X), loadV3(pack, PackField::XLow), invH);
}

/// Moves the pack by `way`. @return the high parts
SIM_HD V3<Pack> move(float* pack, const V3<Pack>& way, const RangeArgs& args) {
  const PositionSteps<Pack> steps{Pack(args.coarse), Pack(args.roundCoarse), Pack(args.roundFine)};
  V3<Pack> high;
  for (int a = 0; a < 3; ++a) {
    const FixedPoint<Pack> x = movedBy(Pack::load(field(pack, PackField::X + a)),
                                       Pack::load(field(pack, PackField::XLow + a)), way[a], steps);
    x.high.store(field(pack, PackField::X + a));
    x.low.store(field(pack, PackField::XLow + a));
    high[a] = x.high;
  }
  return high;
}

/// Where each lane's 27 nodes start in the tile, and their weights, lane by lane.
struct LaneStencils {
  alignas(64) float weight[9][kPackLanes];     ///< x0 x1 x2 y0 y1 y2 z0 z1 z2
  alignas(64) std::int32_t start[kPackLanes];  ///< float offset into the tile
};

SIM_HD void storeStencils(const Bspline<Pack>& b, LaneStencils& s) {
  for (int a = 0; a < 3; ++a)
    for (int n = 0; n < 3; ++n) b.w[a][n].store(s.weight[3 * a + n]);
  const auto node = [&](int a) { return b.base[a] - Pack(kTileStart); };
  const Pack edge(static_cast<float>(kTileEdge));
  const Pack::Bits start = toIntegers(Pack(4.0f) * ((node(0) * edge + node(1)) * edge + node(2)));
  __builtin_memcpy(s.start, &start, sizeof start);
}

SIM_HD int lanesOf(int count, int first) {
  return count - first < kPackLanes ? count - first : kPackLanes;
}

/// Each node gets w (c + (i−1) aˣ + (j−1) aʸ + (k−1) aᶻ): c is the particle's momentum field at the middle
/// node, aˣ… are its differences between nodes; the fourth component of c carries the mass.
SIM_HD void scatterLane(float* node, const float* w, const Quad& c, const Quad (&a)[3]) {
  const auto weight = [w](int n) { return w[n * kPackLanes]; };
  const Quad low = weight(6) * (c - a[2]), middle = weight(7) * c, high = weight(8) * (c + a[2]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Quad shift = static_cast<float>(i - 1) * a[0] + static_cast<float>(j - 1) * a[1];
      const float wij = weight(i) * weight(3 + j);
      float* row = node + 4 * ((i * kTileEdge + j) * kTileEdge);
      storeQuad(row, loadQuad(row) + wij * (low + weight(6) * shift));
      storeQuad(row + 4, loadQuad(row + 4) + wij * (middle + weight(7) * shift));
      storeQuad(row + 8, loadQuad(row + 8) + wij * (high + weight(8) * shift));
    }
}

/// Adds mass and momentum of a pack to the tile. @param A  momentum per distance from the particle [kg/s]
SIM_HD void scatterPack(const RangeArgs& args, const float* pack, int lanes, const V3<Pack>& momentum,
                        const M3<Pack>& A) {
  const Pack h(args.h);
  const Pack mass = Pack::load(pack + PackField::Mass * kPackLanes);
  const Bspline<Pack> b = stencilsOf(pack, Pack(1.0f / args.h));
  const V3<Pack> toMiddle{h * (Pack(1.0f) - b.f.x), h * (Pack(1.0f) - b.f.y), h * (Pack(1.0f) - b.f.z)};
  const V3<Pack> c = momentum + A * toMiddle;

  LaneStencils stencils;
  storeStencils(b, stencils);
  alignas(64) float centre[4][kPackLanes], slope[9][kPackLanes];
  c.x.store(centre[0]);
  c.y.store(centre[1]);
  c.z.store(centre[2]);
  mass.store(centre[3]);
  for (int i = 0; i < 9; ++i) (h * A.a[i]).store(slope[i]);
  for (int l = 0; l < lanes; ++l) {
    const Quad a[3] = {{slope[0][l], slope[3][l], slope[6][l], 0},
                       {slope[1][l], slope[4][l], slope[7][l], 0},
                       {slope[2][l], slope[5][l], slope[8][l], 0}};
    scatterLane(args.tile + stencils.start[l], &stencils.weight[0][l],
                Quad{centre[0][l], centre[1][l], centre[2][l], centre[3][l]}, a);
  }
}

void bound(const RangeArgs& args, TileBox& box) {
  const Pack invH(1.0f / args.h);
  V3<Pack> low, high;
  for (int first = 0; first < args.count; first += kPackLanes) {
    const V3<Pack> base = stencilsOf(args.particles + (first / kPackLanes) * kPackFloats, invH).base;
    for (int a = 0; a < 3; ++a) {
      low[a] = first == 0 ? base[a] : lanes::min(low[a], base[a]);
      high[a] = first == 0 ? base[a] : lanes::max(high[a], base[a]);
    }
  }
  for (int a = 0; a < 3; ++a)
    for (int lane = 0; lane < kPackLanes; ++lane) {
      const int lower = static_cast<int>(low[a][lane] - kTileStart),
                upper = static_cast<int>(high[a][lane] - kTileStart) + 3;
      if (lower < box.lower[a]) box.lower[a] = lower;
      if (upper > box.upper[a]) box.upper[a] = upper;
    }
}

void scatter(const RangeArgs& args) {
  const Pack dt(args.dt), invH(1.0f / args.h);
  for (int first = 0; first < args.count; first += kPackLanes) {
    const float* pack = args.particles + (first / kPackLanes) * kPackFloats;
    const Pack mass = Pack::load(pack + PackField::Mass * kPackLanes);
    const Pack volume = Pack::load(pack + PackField::Volume * kPackLanes);
    scatterPack(args, pack, lanesOf(args.count, first), mass * loadV3(pack, PackField::V),
                affineMomentum(mass, loadM3(pack, PackField::C), stressImpulseScale(dt, volume, invH),
                               loadTau(pack)));
  }
}

/// Nodes [first, end) of a block that the tile at this offset (−1, 0, 1) covers, and the tile's node for
/// `first`.
struct Overlap {
  int first, end, tile;
};
SIM_HD Overlap overlapOf(int offset) {
  // The tile of the block itself has our nodes 0…3 at 1…4; the upper neighbour's tile begins with our node 3.
  return offset == 0 ? Overlap{0, 4, 1} : offset > 0 ? Overlap{3, 4, 0} : Overlap{0, 3, 5};
}

/// What is left of it where the tile's box ends earlier.
SIM_HD Overlap within(const Overlap& o, int lower, int upper) {
  const int shift = o.first - o.tile;
  const int first = lower + shift > o.first ? lower + shift : o.first;
  const int end = upper + shift < o.end ? upper + shift : o.end;
  return {first, end, first - shift};
}

/// Offsets of the tile from the blocks that its box overlaps, as bits.
SIM_HD unsigned overlapsOf(const TileBox& box) {
  unsigned along[3] = {};
  for (int a = 0; a < 3; ++a)
    for (int offset = -1; offset <= 1; ++offset) {
      const Overlap o = within(overlapOf(offset), box.lower[a], box.upper[a]);
      along[a] |= static_cast<unsigned>(o.first < o.end) << (offset + 1);
    }
  unsigned overlaps = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if ((along[0] >> i & along[1] >> j & 1) != 0) overlaps |= along[2] << (9 * i + 3 * j);
  return overlaps;
}

void clear(float* tile, TileBox& box) {
  box.overlaps = overlapsOf(box);
  const Pack zero(0.0f);
  for (int i = box.lower[0]; i < box.upper[0]; ++i)
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      float* row = tile + 4 * (i * kTileEdge + j) * kTileEdge;
      for (int k = 0; k < 4 * kTileEdge; k += kPackLanes) zero.store(row + k);
    }
}

/// Adds as much of one tile as overlaps the block at this offset from it. @return rows of four nodes that it adds
/// to, bit 4i + j
SIM_HD unsigned addTile(const float* tile, const TileBox& box, int n, float* sum) {
  const Overlap x = within(overlapOf(n / 9 - 1), box.lower[0], box.upper[0]);
  const Overlap y = within(overlapOf(n / 3 % 3 - 1), box.lower[1], box.upper[1]);
  const Overlap z = overlapOf(n % 3 - 1);
  unsigned rows = 0;
  for (int i = x.first; i < x.end; ++i)
    for (int j = y.first; j < y.end; ++j) {
      rows |= 1u << (4 * i + j);
      float* to = sum + 4 * ((i * 4 + j) * 4);
      const float* from =
          tile +
          4 * (((i - x.first + x.tile) * kTileEdge + j - y.first + y.tile) * kTileEdge + z.tile - z.first);
      if (z.end - z.first == 4) {  // a row of the block, in one pack
        (Pack::load(to) + Pack::load(from)).store(to);
        continue;
      }
      for (int k = z.first; k < z.end; ++k)
        storeQuad(to + 4 * k, loadQuad(to + 4 * k) + loadQuad(from + 4 * k));
    }
  return rows;
}

std::uint64_t reduce(const ReduceArgs& args) {
  alignas(64) float sum[64 * 4] = {};
  unsigned rows = 0;
  for (const TileAround* t = args.around; t != args.around + args.count; ++t)
    if ((args.boxes[t->block].overlaps >> t->offset & 1) != 0)
      rows |= addTile(args.tiles + t->block * kTileFloats, args.boxes[t->block], t->offset, sum);
  if (rows == 0) {
    if (!args.wasZero) __builtin_memcpy(args.nodes, sum, sizeof sum);
    return 0;
  }
  const Quad gravity = {args.gravityStep[0], args.gravityStep[1], args.gravityStep[2], 0};
  std::uint64_t active = 0;
  for (int row = 0; row < 16; ++row) {
    if ((rows >> row & 1) == 0) {
      Pack(0.0f).store(args.nodes + 16 * row);
      continue;
    }
    for (int n = 4 * row; n < 4 * row + 4; ++n) {
      Quad q = loadQuad(sum + 4 * n);
      const float mass = q[3];
      const bool hasMass = mass > 0;
      q = hasMass ? q / mass + gravity : Quad{};
      q[3] = mass;
      active |= std::uint64_t{hasMass} << n;
      storeQuad(args.nodes + 4 * n, q);
    }
  }
  return active;
}

/// v = Σ w v_i and the first moments Σ w (node − middle node) v_i per axis, one axis after the other.
SIM_HD void gatherLane(const float* node, const float* w, Quad& v, Quad (&moment)[3]) {
  const auto weight = [w](int n) { return w[n * kPackLanes]; };
  v = moment[0] = moment[1] = moment[2] = Quad{};
  for (int i = 0; i < 3; ++i) {
    Quad plane{}, planeY{}, planeZ{};
    for (int j = 0; j < 3; ++j) {
      const float* row = node + 4 * ((i * kTileEdge + j) * kTileEdge);
      const Quad low = weight(6) * loadQuad(row), high = weight(8) * loadQuad(row + 8);
      const Quad line = low + weight(7) * loadQuad(row + 4) + high;
      const Quad weighted = weight(3 + j) * line;
      plane += weighted;
      if (j == 0) planeY -= weighted;
      if (j == 2) planeY += weighted;
      planeZ += weight(3 + j) * (high - low);
    }
    const Quad weighted = weight(i) * plane;
    v += weighted;
    if (i == 0) moment[0] -= weighted;
    if (i == 2) moment[0] += weighted;
    moment[1] += weight(i) * planeY;
    moment[2] += weight(i) * planeZ;
  }
}

struct Gathered {
  V3<Pack> v;
  M3<Pack> L;
};

/// Velocity and its gradient L = 4/h² Σ w v_i (x_i − x_p)ᵀ of the 16 particles.
SIM_HD Gathered gatherPack(const Bspline<Pack>& b, const RangeArgs& args) {
  LaneStencils stencils;
  storeStencils(b, stencils);
  alignas(64) float out[12][kPackLanes];
  for (int l = 0; l < kPackLanes; ++l) {
    Quad v, moment[3];
    gatherLane(args.tile + stencils.start[l], &stencils.weight[0][l], v, moment);
    for (int a = 0; a < 3; ++a) {
      out[a][l] = v[a];
      for (int d = 0; d < 3; ++d) out[3 + 3 * a + d][l] = moment[d][a];
    }
  }
  Gathered g;
  g.v = {Pack::load(out[0]), Pack::load(out[1]), Pack::load(out[2])};
  const Pack scale(4.0f / args.h);
  for (int a = 0; a < 3; ++a)
    for (int d = 0; d < 3; ++d)
      g.L(a, d) = scale * (Pack::load(out[3 + 3 * a + d]) - (b.f[d] - Pack(1.0f)) * g.v[a]);
  return g;
}

SIM_HD MaterialConstants<Pack> constantsOf(const MaterialFloats& m) {
  return {Pack(m.mu),
          Pack(m.lambda),
          Pack(m.strainLimit),
          {Pack(m.law[0]), Pack(m.law[1]), Pack(m.law[2]), Pack(m.law[3])}};
}
SIM_HD Internal<Pack> loadInternal(const float* pack) {
  const float* p = pack + PackField::Internal * kPackLanes;
  return {Pack::load(p), Pack::load(p + kPackLanes)};
}
SIM_HD MaterialConstants<Pack> constantsOf(const RangeArgs& a) {
  return constantsOf(a.material);
}

template <class Material>
void stress(const RangeArgs& args) {
  const MaterialConstants<Pack> constants = constantsOf(args);
  for (int first = 0; first < args.count; first += kPackLanes) {
    float* pack = args.particles + (first / kPackLanes) * kPackFloats;
    storeTau(pack, Material::stress(loadM3(pack, PackField::F), loadInternal(pack),
                                    loadM3(pack, PackField::C), constants));
  }
}

/// Whether every component is a number of at most this size.
SIM_HD Pack::Mask within(const V3<Pack>& a, float size) {
  return (abs(a.x) <= Pack(size)) & (abs(a.y) <= Pack(size)) & (abs(a.z) <= Pack(size));
}

/// What a range reports of its particles after they have moved.
struct MotionChecks {
  Pack speedSquared = Pack(0.0f);
  Pack::Mask finite = speedSquared <= speedSquared, inside = finite, inTile = finite;

  /// @param x  from the block's corner, high part
  SIM_HD void add(const RangeArgs& args, const V3<Pack>& x, const V3<Pack>& v, const Pack& deformation) {
    speedSquared = max(speedSquared, dot(v, v));
    finite = finite & within(x, 1e30f) & (deformation <= Pack(1e30f)) & within(v, 1e15f);
    inside = inside & within(x + V3<Pack>{Pack(args.corner[0]), Pack(args.corner[1]), Pack(args.corner[2])},
                             args.domain);
    for (int a = 0; a < 3; ++a) {
      const Pack node = floor(x[a] * Pack(1.0f / args.h) - Pack(0.5f)) - Pack(kTileStart);
      inTile = inTile & (node >= Pack(0.0f)) & (node <= Pack(static_cast<float>(kTileEdge - 3)));
    }
  }
  SIM_HD void addTo(RangeReport& report) const {
    report.nonFinite |= any(!finite);
    report.outside |= any(!inside);
    report.leftTile |= any(!inTile);
    for (int l = 0; l < kPackLanes; ++l)
      if (speedSquared[l] > report.maxSpeedSquared) report.maxSpeedSquared = speedSquared[l];
  }
};

template <class Material>
void gather(const RangeArgs& args, RangeReport& report) {
  const MaterialConstants<Pack> constants = constantsOf(args);
  const Pack dt(args.dt), invH(1.0f / args.h);
  MotionChecks checks;
  for (int first = 0; first < args.count; first += kPackLanes) {
    float* pack = args.particles + (first / kPackLanes) * kPackFloats;
    const Gathered g = gatherPack(stencilsOf(pack, invH), args);
    const V3<Pack> moved = move(pack, dt * g.v, args);
    const M3<Pack> C = affineVelocity(g.L, Pack(args.apicDamping));
    const Updated<Pack> updated = Material::update(trialDeformation(g.L, dt, loadM3(pack, PackField::F)),
                                                   loadInternal(pack), C, constants);
    storeV3(pack, PackField::V, g.v);
    storeM3(pack, PackField::F, updated.F);
    storeM3(pack, PackField::C, C);
    storeTau(pack, updated.tau);
    updated.q.a.store(field(pack, PackField::Internal));
    updated.q.b.store(field(pack, PackField::Internal + 1));
    float* plastic = field(pack, PackField::Plastic);
    (Pack::load(plastic) + updated.strain).store(plastic);
    checks.add(args, moved, g.v, squaredNorm(updated.F));
  }
  checks.addTo(report);
}

int detect(const DetectArgs& args, RawContact* out) {
  M3<Pack> R;
  for (int i = 0; i < 9; ++i) R.a[i] = Pack(args.R_GW[i]);
  const V3<Pack> corner{Pack(args.p_GX[0]), Pack(args.p_GX[1]), Pack(args.p_GX[2])};
  int found = 0;
  for (int first = 0; first < args.count; first += kPackLanes) {
    const float* pack = args.particles + (first / kPackLanes) * kPackFloats;
    const auto distance = signedDistance<Pack>(
        args.shape, R * loadV3(pack, PackField::X) + (R * loadV3(pack, PackField::XLow) + corner));
    if (!any(distance.phi < Pack(args.reach))) continue;
    const int lanes = lanesOf(args.count, first);
    for (int l = 0; l < lanes; ++l)
      if (distance.phi[l] < args.reach)
        out[found++] = {args.firstSlot + first + l,
                        0,
                        distance.phi[l],
                        {distance.normal.x[l], distance.normal.y[l], distance.normal.z[l]}};
  }
  return found;
}

/// Σ over the lanes of a pack, in double.
SIM_HD double sumOf(const Pack& a) {
  alignas(64) float lanes[kPackLanes];
  a.store(lanes);
  double sum = 0;
  for (const float lane : lanes) sum += static_cast<double>(lane);
  return sum;
}

/// Raises `largest` to the largest of the first `lanes` lanes.
SIM_HD void raiseTo(const Pack& a, int lanes, float& largest) {
  alignas(64) float values[kPackLanes];
  a.store(values);
  for (int l = 0; l < lanes; ++l) largest = values[l] > largest ? values[l] : largest;
}

/// Positions of a pack in double, axis by axis: exact.
struct PackPositions {
  alignas(64) double x[3][kPackLanes];
};
SIM_HD PackPositions positionsOf(const float* pack, const double corner[3]) {
  PackPositions p;
  for (int a = 0; a < 3; ++a) {
    const float* high = pack + (PackField::X + a) * kPackLanes;
    const float* low = pack + (PackField::XLow + a) * kPackLanes;
    for (int l = 0; l < kPackLanes; ++l)
      p.x[a][l] = corner[a] + static_cast<double>(high[l]) + static_cast<double>(low[l]);
  }
  return p;
}

/// Share of `lanes` particles in the state's hash.
SIM_HD std::uint64_t hashOfLanes(const float* pack, const PackPositions& at, const std::int32_t* indices,
                                 int lanes) {
  alignas(64) std::uint32_t words[HashWord::Count][kPackLanes];
  for (int a = 0; a < 3; ++a)
    for (int l = 0; l < kPackLanes; ++l) {
      std::uint64_t bits;
      __builtin_memcpy(&bits, &at.x[a][l], sizeof bits);
      words[HashWord::X + 2 * a][l] = static_cast<std::uint32_t>(bits);
      words[HashWord::X + 2 * a + 1][l] = static_cast<std::uint32_t>(bits >> 32);
    }
  const auto copy = [&](int word, int first, int count) {
    __builtin_memcpy(words[word], pack + first * kPackLanes,
                     static_cast<std::size_t>(count * kPackLanes) * sizeof(float));
  };
  copy(HashWord::V, PackField::V, 3);
  copy(HashWord::F, PackField::F, 9);
  copy(HashWord::C, PackField::C, 9);
  copy(HashWord::Plastic, PackField::Plastic, 3);  // with the two internal variables
  alignas(64) std::uint64_t sum[kPackLanes] = {};
  for (int w = 0; w < HashWord::Count; w += 2)
    for (int l = 0; l < kPackLanes; ++l) sum[l] += hashOfPair(w, words[w][l], words[w + 1][l]);
  std::uint64_t hash = 0;
  for (int l = 0; l < lanes; ++l) hash += particleHash(sum[l], indices[l]);
  return hash;
}

/// What all materials have in common. Lanes that fill up a pack have no mass and count for nothing.
SIM_HD void addMotion(const FactsArgs& args, const float* pack, const PackPositions& at, RangeSums& sums) {
  const double D = args.h * args.h / 4;
  const float* mass = pack + PackField::Mass * kPackLanes;
  const float* v = pack + PackField::V * kPackLanes;
  const float* C = pack + PackField::C * kPackLanes;
  for (int l = 0; l < kPackLanes; ++l) {
    const double m = static_cast<double>(mass[l]);
    double x[3], u[3], speedSquared = 0, affine = 0;
    for (int a = 0; a < 3; ++a) {
      x[a] = at.x[a][l];
      u[a] = static_cast<double>(v[a * kPackLanes + l]);
      speedSquared += u[a] * u[a];
      sums.moment[a] += m * x[a];
      sums.momentum[a] += m * u[a];
      sums.lower[a] = m > 0 && x[a] < sums.lower[a] ? x[a] : sums.lower[a];
      sums.upper[a] = m > 0 && x[a] > sums.upper[a] ? x[a] : sums.upper[a];
    }
    const auto c = [&](int i, int j) { return static_cast<double>(C[(3 * i + j) * kPackLanes + l]); };
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) affine += c(i, j) * c(i, j);
    sums.angularMomentum[0] += m * (x[1] * u[2] - x[2] * u[1] + D * (c(2, 1) - c(1, 2)));
    sums.angularMomentum[1] += m * (x[2] * u[0] - x[0] * u[2] + D * (c(0, 2) - c(2, 0)));
    sums.angularMomentum[2] += m * (x[0] * u[1] - x[1] * u[0] + D * (c(1, 0) - c(0, 1)));
    sums.mass += m;
    sums.kineticEnergy += 0.5 * m * (speedSquared + D * affine);
    const float squared = m > 0 ? static_cast<float>(speedSquared) : 0.0f;
    sums.maxSpeedSquared = squared > sums.maxSpeedSquared ? squared : sums.maxSpeedSquared;
  }
}

/// Volume of the particles that are there: V⁰ is not zero in the lanes that fill up a pack.
SIM_HD Pack volumesOf(const float* pack) {
  const Pack mass = Pack::load(pack + PackField::Mass * kPackLanes);
  return select(mass > Pack(0.0f), Pack::load(pack + PackField::Volume * kPackLanes), Pack(0.0f));
}

template <class Material>
void facts(const FactsArgs& args, RangeSums& sums) {
  const MaterialConstants<Pack> constants = constantsOf(args.material);
  for (int first = 0; first < args.count; first += kPackLanes) {
    const float* pack = args.particles + (first / kPackLanes) * kPackFloats;
    const PackPositions at = positionsOf(pack, args.corner);
    addMotion(args, pack, at, sums);
    const M3<Pack> F = loadM3(pack, PackField::F);
    const Internal<Pack> q = loadInternal(pack);
    const Pack volume = volumesOf(pack);
    sums.volume += sumOf(volume * determinant(F));
    sums.elasticEnergy += sumOf(volume * Material::energy(F, q, constants));
    const int lanes = lanesOf(args.count, first);
    raiseTo(Material::stiffening(F, q, constants), lanes, sums.stiffening);
    sums.hash += hashOfLanes(pack, at, args.indices + first, lanes);
  }
}

}  // namespace
}  // namespace SIM_ISA

#define SLIPSTICK_BY_MATERIAL(kernel)                                                                        \
  {                                                                                                          \
    kernel<Memoryless<FixedCorotated>>, kernel<Memoryless<NeoHookean>>, kernel<Memoryless<LinearCorotated>>, \
        kernel<Memoryless<LinearCorotatedVonMises>>, kernel<Memoryless<Hencky>>,                             \
        kernel<Memoryless<HenckyVonMises>>, kernel<Memoryless<CorotatedHenckyVonMises>>,                     \
        kernel<DruckerPrager>, kernel<Snow>, kernel<Liquid>                                                  \
  }
/// The variant's table, in the order of KernelTable and, within it, of MaterialModel.
#define SLIPSTICK_KERNEL_TABLE(instructionSet)                                                              \
  {                                                                                                         \
    instructionSet, bound, clear, scatter, reduce, detect, SLIPSTICK_BY_MATERIAL(stress),                   \
        SLIPSTICK_BY_MATERIAL(gather), SLIPSTICK_BY_MATERIAL(facts), factsCloth, scatterCloth, gatherCloth, \
        clothTriangles, clothHinges, addCurvature, decompose, SLIPSTICK_CONTACT_LOOPS(float)                \
  }

}  // namespace slipstick::mpm

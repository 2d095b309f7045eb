// The scene's boundaries on the grid: which nodes they hold, found once per sort or, where one moves, per
// substep, and what they do to those that no contact touches. What each receives is summed in the order of
// blocks, nodes and bounds.
#pragma once

#include "engine/geometry/signed_distance.h"
#include "gpu/device_bounds.h"
#include "gpu/kernels/sort_kernels.h"

namespace slipstick::gpu {

/// mpm::FrozenBoundary. In double, whatever the grid is in, so that all backends find the same nodes.
struct DeviceBoundary {
  int boundary;  ///< into Model::boundaries; −1: does not act
  int kind;      ///< BoundaryKind
  float friction;
  GeometryShape<double> shape;
  double R_SW[9], p_SW[3];  ///< world → shape
  DevicePoint p_WS;
  DevicePoint v, w;  ///< of the shape's origin, W axes [m/s], [rad/s]
};

/// Impulse on a boundary, and the sum of the nodes' |impulse| [N s].
struct DeviceImpulse {
  double x, y, z, magnitude;
};
SIM_HD Sums<4> sumsOf(const DeviceImpulse& i) {
  return {{i.x, i.y, i.z, i.magnitude}};
}

struct BoundRange {
  int first, count;
};

struct BoundCounts {
  int used;    ///< bounds of the nodes that are found now
  int needed;  ///< the most so far: beyond the capacity, the step will be done again
};

/// What boundaries ask of the grid's nodes.
struct BoundaryView {
  int boundaries;  ///< of the model
  int boundCapacity;
  BoundCounts* counts;
  std::uint64_t* bounded;  ///< per block of nodes: those that a boundary acts on …
  BoundRange* ranges;      ///< … and their bounds: kBlockNodes per block of nodes
  DeviceBound* bounds;     ///< of a node in the scene's order, at most kMaxNodeBounds
  DeviceImpulse* given;    ///< per bound, since it was found
  DeviceImpulse* groups;   ///< per group of blocks of nodes and boundary
  DeviceImpulse* total;    ///< per boundary, of the step

  /// Adds what a bound gives to a node [N s], reversed.
  SIM_HD void give(int bound, const V3<double>& impulse) const {
    DeviceImpulse& sum = given[bound];
    sum.x -= impulse.x, sum.y -= impulse.y, sum.z -= impulse.z;
    sum.magnitude += lanes::sqrt(dot(impulse, impulse));
  }
};

/// Blocks of nodes whose impulses one team adds up.
inline constexpr int kGroupBlocks = 16;
SIM_HD int groupsFor(int gridBlocks) {
  return (gridBlocks + kGroupBlocks - 1) / kGroupBlocks;
}

SIM_HD_RARE SignedDistance<double> distanceTo(const DeviceBoundary& b, const V3<double>& p_W) {
  V3<double> p_S;
  for (int i = 0; i < 3; ++i)
    p_S[i] = b.R_SW[3 * i] * p_W.x + b.R_SW[3 * i + 1] * p_W.y + b.R_SW[3 * i + 2] * p_W.z + b.p_SW[i];
  return signedDistance<double>(b.shape, p_S);
}

SIM_HD DeviceBound boundAt(const DeviceBoundary& b, const V3<double>& p_W) {
  const SignedDistance<double> at = distanceTo(b, p_W);
  const V3<double> arm{p_W.x - b.p_WS.x, p_W.y - b.p_WS.y, p_W.z - b.p_WS.z};
  const V3<double> v = V3<double>{b.v.x, b.v.y, b.v.z} + cross(V3<double>{b.w.x, b.w.y, b.w.z}, arm);
  DeviceBound bound{b.kind, b.boundary, {}, {}, b.friction};
  for (int i = 0; i < 3; ++i) {
    bound.normal[i] = static_cast<float>(b.R_SW[i] * at.normal.x + b.R_SW[3 + i] * at.normal.y +
                                         b.R_SW[6 + i] * at.normal.z);
    bound.velocity[i] = static_cast<float>(v[i]);
  }
  return bound;
}

/// A point in a block of nodes. @param x, y, z  in nodes from the block's lowest one
SIM_HD V3<double> pointAt(const GridView& grid, const BlockPlace& block, double x, double y, double z) {
  return {grid.h * (kBlockEdge * block.x + x), grid.h * (kBlockEdge * block.y + y),
          grid.h * (kBlockEdge * block.z + z)};
}
SIM_HD V3<double> nodeAt(const GridView& grid, const BlockPlace& block, int node) {
  return pointAt(grid, block, node / (kBlockEdge * kBlockEdge), node / kBlockEdge % kBlockEdge,
                 node % kBlockEdge);
}

struct FindBoundsShared {
  std::uint64_t near;                           ///< of 64 boundaries, those that may hold a node of the block
  int count[kBlockNodes];                       ///< of boundaries that hold a node …
  int which[mpm::kMaxNodeBounds][kBlockNodes];  ///< … and these, in the scene's order
  int first;                                    ///< where the block's bounds begin
};

/// The bounds of one block of nodes, a thread per node. Where in `bounds` they stand depends on the order of
/// teams, and nothing depends on that.
struct FindBounds {
  static constexpr int kThreads = kBlockNodes;
  using Shared = FindBoundsShared;
  GridView grid;
  BoundaryView view;
  const DeviceBoundary* list;  ///< view.boundaries of them

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (grid.stopped() || team.index() >= grid.counts->gridBlocks) return;
    Shared& s = team.template shared<Shared>();
    const BlockPlace place = placeOfBlock(grid.gridKeys[team.index()]);
    team.each([&](int node) { s.count[node] = 0; });
    for (int first = 0; first < view.boundaries; first += kThreads) {
      team.each([&](int thread) {
        if (thread == 0) s.near = 0;
      });
      team.each([&](int thread) {
        const bool exists = first + thread < view.boundaries && list[first + thread].boundary >= 0;
        if (exists && isNear(list[first + thread], place)) setBits(&s.near, std::uint64_t{1} << thread);
      });
      team.each([&](int node) { test(first, nodeAt(grid, place, node), s, node); });
    }
    team.each([&](int thread) {
      if (thread == 0) reserve(team.index(), s);
    });
    team.each([&](int node) { write(team.index(), node, nodeAt(grid, place, node), s); });
  }

 private:
  /// Nodes this near to a surface, in grid spacings, count as inside: a wall through nodes holds them,
  /// whichever way its pose is rounded.
  static constexpr double kOnSurface = 1e-6;

  SIM_HD bool isNear(const DeviceBoundary& b, const BlockPlace& block) const {
    constexpr double kMiddle = 0.5 * (kBlockEdge - 1);
    const double radius = 1.01 * lanes::sqrt(3.0) * kMiddle * grid.h;  // of the nodes around the centre
    return distanceTo(b, pointAt(grid, block, kMiddle, kMiddle, kMiddle)).phi < radius;
  }
  SIM_HD void test(int first, const V3<double>& p_W, Shared& s, int node) const {
    if (s.near == 0) return;
    SIM_ROLLED
    for (int bit = 0; bit < kThreads; ++bit) {
      if ((s.near >> bit & 1) == 0 || s.count[node] == static_cast<int>(mpm::kMaxNodeBounds)) continue;
      if (distanceTo(list[first + bit], p_W).phi <= kOnSurface * grid.h)
        s.which[s.count[node]++][node] = first + bit;
    }
  }
  SIM_HD void reserve(int block, Shared& s) const {
    int sum = 0;
    std::uint64_t bounded = 0;
    for (int node = 0; node < kBlockNodes; ++node) {
      if (s.count[node] > 0) bounded |= std::uint64_t{1} << node;
      sum += s.count[node];
    }
    view.bounded[block] = bounded;
    s.first = sum > 0 ? fetchAdd(&view.counts->used, sum) : 0;
  }
  SIM_HD void write(int block, int node, const V3<double>& p_W, const Shared& s) const {
    const int count = s.count[node];
    int first = s.first;
    for (int before = 0; before < node; ++before) first += s.count[before];
    if (count == 0 || first + count > view.boundCapacity) return;
    view.ranges[static_cast<std::int64_t>(block) * kBlockNodes + node] = {first, count};
    for (int k = 0; k < count; ++k) {
      view.bounds[first + k] = boundAt(list[s.which[k][node]], p_W);
      view.given[first + k] = {0, 0, 0, 0};
    }
  }
};

/// Whether all bounds have found capacity; see JudgeCapacities.
struct JudgeBounds {
  static constexpr int kThreads = kWarp;
  GridView grid;
  BoundaryView view;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    team.each([&](int thread) {
      if (thread != 0 || grid.stopped()) return;
      raiseTo(&view.counts->needed, view.counts->used);
      view.counts->used = 0;
      if (view.counts->needed > view.boundCapacity) grid.counts->failed = 1;
    });
  }
};

/// mpm::boundedVelocity of the nodes that no contact touches: a contact's solve obeys the boundaries itself.
struct ApplyBounds {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  BoundaryView view;
  const std::uint64_t* touched;  ///< per block of nodes: those that contacts touch; null: none

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, grid.gridBlockCapacity * kBlockNodes, [&](int i) {
      const int block = i / kBlockNodes;
      if (grid.stopped() || block >= grid.counts->gridBlocks) return;
      std::uint64_t nodes = view.bounded[block] & grid.massive[block];
      if (touched != nullptr) nodes &= ~touched[block];
      if ((nodes >> i % kBlockNodes & 1) == 0) return;
      DeviceNode& node = grid.nodes[i];
      const Vector v = boundedVelocity({node.x, node.y, node.z}, node.mass, view.ranges[i]);
      node = {v.x, v.y, v.z, node.mass};
    });
  }

 private:
  SIM_HD Vector boundedVelocity(Vector v, float mass, const BoundRange& range) const {
    const DeviceBounds bounds(view.bounds + range.first, range.count);
    // Braked by one bound, a node may move into another: asks again, then without friction.
    SIM_ROLLED
    for (int round = 0; round < 2; ++round) {
      const AllowedVelocity allowed = bounds.nearest(v);
      Vector braked = allowed.v;
      bool rubs = false;
      SIM_ROLLED
      for (int k = 0; k < bounds.count; ++k) {
        if ((allowed.active >> k & 1u) == 0) continue;
        const Vector push = pushOf(bounds, k, allowed, v);
        const float friction = round == 0 ? bounds.first[k].friction : 0.0f;
        const Vector brake = brakeOf(bounds.first[k], friction * lanes::sqrt(dot(push, push)), braked);
        braked += brake;
        rubs |= dot(brake, brake) > 0;
        view.give(range.first + k, doubles(mass * (push + brake)));
      }
      v = braked;
      if (!rubs || bounds.count == 1) break;
    }
    return v;
  }

  /// Change of the velocity along a bound by friction that takes at most so much of it [m/s].
  SIM_HD static Vector brakeOf(const DeviceBound& bound, float most, const Vector& v) {
    if (!(most > 0)) return {0, 0, 0};
    const Vector relative = v - velocityOf(bound), normal = normalOf(bound);
    const Vector slip = relative - dot(normal, relative) * normal;
    const float speed = lanes::sqrt(dot(slip, slip));
    return speed <= most ? -slip : (-most / speed) * slip;
  }
};

/// What each boundary has received from a group of blocks since their bounds were found.
struct SumGroups {
  static constexpr int kThreads = 128;
  GridView grid;
  BoundaryView view;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (grid.stopped()) return;
    const int firstBlock = team.index() * kGroupBlocks, left = grid.counts->gridBlocks - firstBlock;
    const int blocks = left < kGroupBlocks ? left : kGroupBlocks;
    bool any = false;
    for (int b = 0; b < blocks; ++b) any |= view.bounded[firstBlock + b] != 0;
    for (int boundary = 0; boundary < view.boundaries; ++boundary) {
      Sums<4> sum = Sums<4>::zero();
      if (any)
        sum = team.template sums<4>(blocks * kBlockNodes,
                                    [&](int i) { return ofNode(firstBlock * kBlockNodes + i, boundary); });
      team.each([&](int thread) {
        const double* s = sum.value;
        if (thread == 0)
          view.groups[static_cast<std::int64_t>(team.index()) * view.boundaries + boundary] = {s[0], s[1],
                                                                                               s[2], s[3]};
      });
    }
  }

 private:
  SIM_HD Sums<4> ofNode(int node, int boundary) const {
    Sums<4> sum = Sums<4>::zero();
    if ((view.bounded[node / kBlockNodes] >> node % kBlockNodes & 1) == 0) return sum;
    const BoundRange range = view.ranges[node];
    for (int i = range.first; i < range.first + range.count; ++i)
      if (view.bounds[i].boundary == boundary) sum += sumsOf(view.given[i]);
    return sum;
  }
};

/// Adds all groups' sums to what a boundary has received in the step.
struct SumBoundaries {
  static constexpr int kThreads = 128;
  GridView grid;
  BoundaryView view;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (grid.stopped()) return;
    const int boundary = team.index();
    const Sums<4> sum = team.template sums<4>(groupsFor(grid.counts->gridBlocks), [&](int group) {
      return sumsOf(view.groups[static_cast<std::int64_t>(group) * view.boundaries + boundary]);
    });
    team.each([&](int thread) {
      if (thread != 0) return;
      DeviceImpulse& to = view.total[boundary];
      to = {to.x + sum.value[0], to.y + sum.value[1], to.z + sum.value[2], to.magnitude + sum.value[3]};
    });
  }
};

}  // namespace slipstick::gpu

// What a step's contacts give to bodies and particles: mpm::ContactOutcome and mpm::StepAccount for all substeps at once,
// from what each has left behind. Sums are formed in orders that are fixed: those of nodes and contacts.
#pragma once

#include <algorithm>

#include "gpu/contact_memory.h"
#include "gpu/kernels/detect_kernels.h"

namespace slipstick::gpu {

/// What a substep leaves behind of one node of its problem.
struct NodeOutcome {
  V3<double> remainder;  ///< r_i of mpm::ContactOutcome [N s], and …
  V3<double> moment;     ///< … its moment about W's origin [N m s]
  V3<double> taken;      ///< what the grid gained, without what bounds gave [N s]
};

/// Where a connected set's nodes and contacts are: among others, from its first to its last ones.
struct SetRange {
  int lastNode;
  int firstContact, lastContact;  ///< those of particles
};
/// Over the nodes and contacts of a connected set.
struct SetSums {
  V3<double> remainder, moment;  ///< as NodeOutcome's
  double magnitude;              ///< Σ|γ| [N s]
  double contacts;               ///< how many
};

/// How the solve of a substep ended.
struct SolveSums {
  V3<double> taken;      ///< Σ of NodeOutcome's [N s]
  double remainderSize;  ///< Σ over sets, |total remainder| [N s]
};

/// Impulses on a body, about its origin at t_n.
struct BodyImpulse {
  V3<double> force, torque;                    ///< −γ of contacts [N s], [N m s]
  V3<double> remainderForce, remainderTorque;  ///< shares of what solves left over
  double magnitude;                            ///< Σ|γ| [N s]
};
/// TouchImpulse
struct DeviceContactSum {
  int particle, geometry;
  V3<double> impulse, point, normal;
  double penetration, slipSpeed, frictionBound, springDepth, beyondMiddle, middle;
};

/// All arrays from which a step's outcome is found. Nodes of substep k stand from k · nodeCapacity on, contacts likewise.
struct OutcomeView {
  int substeps, nodeCapacity, pairCapacity;
  float dt;  ///< δt [s]
  int particles, geometryCount, bodies;
  ContactLog log;                    ///< of the first substep
  const DeviceGeometry* geometries;  ///< at t_n
  NodeOutcome* nodes;
  int *set, *parent;  ///< per node: the first one of its connected set; what leads there
  SetRange* ranges;   ///< at the first node of each set …
  SetSums* sets;      ///< … too
  // Contacts in the order of their pairs.
  std::uint64_t *keys, *sortedKeys;
  int *values, *sortedValues, *head, *before;
  BodyImpulse* given;  ///< per pair: to the geometry's body
  // What the host gets.
  SolveReport* reports;    ///< per substep
  SolveSums* solves;       ///< per substep
  BodyImpulse* ofBody;     ///< per body
  DeviceContactSum* sums;  ///< per pair: in the order of geometry and particle

  /// A number for each pair of geometry and particle, and behind all of these one that is none.
  SIM_HD std::uint64_t key(int geometry, int particle) const {
    return static_cast<std::uint64_t>(geometry) * static_cast<std::uint64_t>(particles) +
           static_cast<std::uint64_t>(particle);
  }
  SIM_HD std::uint64_t noKey() const { return key(geometryCount, 0); }
  SIM_HD int entries() const { return substeps * log.capacity; }
  SIM_HD std::int64_t firstNode(int substep) const {
    return static_cast<std::int64_t>(substep) * nodeCapacity;
  }
};

SIM_HD double length(const V3<double>& v) {
  return lanes::sqrt(dot(v, v));
}

/// After a substep's solve: what each of its nodes has received beyond what contacts and bounds gave it, and what bounds
/// gave.
struct RecordNodes {
  static constexpr int kThreads = kPlainThreads;
  DetectView detect;
  ContactMemory solve;
  NodeOutcome* nodes;  ///< of this substep

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, detect.contacts.nodeCapacity, [&](int i) {
      if (!detect.grid.stopped() && i < detect.contacts.counts->nodes) record(i);
    });
  }

 private:
  SIM_HD void record(int i) const {
    const ContactView& view = detect.contacts;
    const auto mass = static_cast<double>(view.mass[i]);
    const V3<double> vStar = doubles(loadVector(view.vStar, view.nodeCapacity, i));
    const V3<double> gain = mass * (doubles(loadVector(view.v, view.nodeCapacity, i)) - vStar);
    V3<double> impulse{0, 0, 0}, ofBounds{0, 0, 0};
    for (int s = solve.firstShare[i]; s < solve.firstShare[i] + solve.shareCount[i]; ++s) {
      const Share& share = solve.shares[s];
      const V3<double> gamma = doubles(loadVector(view.gamma, view.contactCapacity, share.contact));
      impulse += static_cast<double>(share.weight) * gamma;
      if (view.bound[share.contact] < 0) continue;
      detect.boundaries.give(view.firstBound[i] + view.bound[share.contact], gamma);
      ofBounds += gamma;
    }
    const V3<double> pushed = push(i, vStar + (1 / mass) * impulse, mass);
    const V3<double> remainder = gain - impulse - pushed;
    const int at = detect.gridNode[i];
    const BlockPlace block = placeOfBlock(detect.grid.gridKeys[at / kBlockNodes]);
    nodes[i] = {remainder, cross(nodeAt(detect.grid, block, at % kBlockNodes), remainder),
                gain - ofBounds - pushed};
  }

  /// mpm::pushBounds; in floats, as the bounds are.
  SIM_HD V3<double> push(int node, const V3<double>& v, double mass) const {
    V3<double> total{0, 0, 0};
    const DeviceBounds bounds(detect.contacts, node);
    if (bounds.count == 0) return total;
    const Vector from = PlaceBlocks::floats(v);
    const AllowedVelocity allowed = bounds.nearest(from);
    SIM_ROLLED
    for (int k = 0; k < bounds.count; ++k) {
      if ((allowed.active >> k & 1u) == 0) continue;
      const V3<double> given = mass * doubles(pushOf(bounds, k, allowed, from));
      detect.boundaries.give(detect.contacts.firstBound[node] + k, given);
      total += given;
    }
    return total;
  }
};

/// The connected sets of a substep's nodes, a team per substep: the first node of its set becomes the name of each.
struct FindSets {
  static constexpr int kThreads = 512;
  struct Shared {
    int changed;
  };
  GridView grid;
  OutcomeView outcome;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (grid.stopped()) return;
    const SolveReport& report = outcome.reports[team.index()];
    const ContactLog log = outcome.log.of(team.index());
    const std::int64_t first = outcome.firstNode(team.index());
    int* const set = outcome.set + first;
    int* parent = set;
    int* next = outcome.parent + first;
    Shared& shared = team.template shared<Shared>();
    team.loop(report.nodes, [&](int i) { parent[i] = i; });
    // Every node points to one of its set that is not behind it. Contacts pull what their nodes point to, and these
    // nodes, to the first that any of them knows, until all point to the same; ways are halved as they go.
    for (bool changed = report.nodes > 0; changed;) {
      team.loop(report.nodes, [&](int i) {
        next[i] = parent[parent[i]];
        if (i == 0) shared.changed = 0;
      });
      team.loop(report.contacts, [&](int c) {
        if (pull(log, c, parent, next)) raiseTo(&shared.changed, 1);
      });
      changed = team.uniform(&shared.changed) != 0;
      int* const before = parent;
      parent = next;
      next = before;
    }
    SetRange* const ranges = outcome.ranges + first;
    team.loop(report.nodes, [&](int i) {
      set[i] = parent[i];
      ranges[i] = {i, report.contacts, -1};
    });
    team.loop(report.nodes, [&](int i) { raiseTo(&ranges[set[i]].lastNode, i); });
    team.loop(report.contacts, [&](int c) {
      SetRange& range = ranges[set[log.node[13 * log.capacity + c]]];
      lowerTo(&range.firstContact, c);
      raiseTo(&range.lastContact, c);
    });
  }

 private:
  /// @return whether the contact's nodes did not yet point to the same one
  SIM_HD static bool pull(const ContactLog& log, int c, const int* parent, int* next) {
    int lowest = log.node[13 * log.capacity + c];
    for (int n = 0; n < 27; ++n) {
      const int node = log.node[n * log.capacity + c];
      if (node >= 0 && parent[parent[node]] < lowest) lowest = parent[parent[node]];
    }
    bool any = false;
    for (int n = 0; n < 27; ++n) {
      const int node = log.node[n * log.capacity + c];
      if (node < 0 || parent[node] == lowest) continue;
      lowerTo(&next[node], lowest);
      lowerTo(&next[parent[node]], lowest);
      any = true;
    }
    return any;
  }
};

/// Sums over each connected set; a team takes every so many nodes and looks for those that name one.
struct SumSets {
  static constexpr int kThreads = 128;
  GridView grid;
  OutcomeView outcome;

  /// Teams of a launch: a GPU runs some thousand at once.
  static int teams(const OutcomeView& outcome) {
    constexpr int kMaxTeams = 2048;
    return std::min(kMaxTeams, outcome.substeps * outcome.nodeCapacity);
  }

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (grid.stopped()) return;
    for (int i = team.index(); i < outcome.substeps * outcome.nodeCapacity; i += team.count()) {
      const int substep = i / outcome.nodeCapacity, node = i - substep * outcome.nodeCapacity;
      if (node < outcome.reports[substep].nodes && outcome.set[i] == node) sum(team, substep, node);
    }
  }

 private:
  template <class Team>
  SIM_HD void sum(Team& team, int substep, int name) const {
    const ContactLog log = outcome.log.of(substep);
    const std::int64_t first = outcome.firstNode(substep);
    const int* const set = outcome.set + first;
    const SetRange range = outcome.ranges[first + name];
    const int nodes = range.lastNode - name + 1, contacts = range.lastContact - range.firstContact + 1;
    const Sums<8> total = team.template sums<8>(nodes + contacts, [&](int i) {
      Sums<8> s = Sums<8>::zero();
      if (i < nodes) {
        const NodeOutcome& node = outcome.nodes[first + name + i];
        if (set[name + i] == name)
          for (int a = 0; a < 3; ++a) s.value[a] = node.remainder[a], s.value[3 + a] = node.moment[a];
        return s;
      }
      const int c = range.firstContact + i - nodes;
      if (set[log.node[13 * log.capacity + c]] == name)
        s.value[6] = length(log.vector(log.gamma, c)), s.value[7] = 1;
      return s;
    });
    team.each([&](int thread) {
      const double* const t = total.value;
      if (thread == 0) outcome.sets[first + name] = {{t[0], t[1], t[2]}, {t[3], t[4], t[5]}, t[6], t[7]};
    });
  }
};

/// Sums over the nodes and sets of each substep, a team per substep.
struct SumSolves {
  static constexpr int kThreads = 128;
  GridView grid;
  OutcomeView outcome;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (grid.stopped()) return;
    const std::int64_t first = outcome.firstNode(team.index());
    const Sums<4> total = team.template sums<4>(outcome.reports[team.index()].nodes, [&](int i) {
      const V3<double>& taken = outcome.nodes[first + i].taken;
      const bool names = outcome.set[first + i] == i;
      return Sums<4>{{taken.x, taken.y, taken.z, names ? length(outcome.sets[first + i].remainder) : 0}};
    });
    team.each([&](int thread) {
      const double* const t = total.value;
      if (thread == 0) outcome.solves[team.index()] = {{t[0], t[1], t[2]}, t[3]};
    });
  }
};

/// Keys of all contacts of the step: their pairs.
struct ListPairs {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  OutcomeView outcome;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, outcome.entries(), [&](int i) {
      const int substep = i / outcome.log.capacity, c = i - substep * outcome.log.capacity;
      const bool exists = !grid.stopped() && c < outcome.reports[substep].contacts;
      outcome.keys[i] =
          exists ? outcome.key(outcome.log.geometry[i], outcome.log.particle[i]) : outcome.noKey();
      outcome.values[i] = i;
    });
  }
};

/// Whether there is room for all pairs.
struct JudgePairs {
  static constexpr int kThreads = kWarp;
  GridView grid;
  OutcomeView outcome;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    team.each([&](int thread) {
      if (thread != 0 || grid.stopped()) return;
      const int last = outcome.entries() - 1;
      grid.counts->pairs = outcome.before[last] + outcome.head[last];
      if (grid.counts->pairs > outcome.pairCapacity) grid.counts->failed = 1;
    });
  }
};

/// mpm::StepAccount's sums of each pair over the substeps, a thread per pair.
struct SumPairs {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  OutcomeView outcome;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, outcome.entries(), [&](int first) {
      if (grid.stopped() || outcome.head[first] == 0) return;
      const int end = endOf(first), pair = outcome.before[first];
      outcome.sums[pair] = contactSum(first, end);
      outcome.given[pair] = toBody(first, end);
    });
  }

 private:
  /// A contact where the log has it.
  struct Entry {
    ContactLog log;  ///< of its substep
    int substep, c;

    SIM_HD V3<double> gamma() const { return log.vector(log.gamma, c); }
    SIM_HD V3<double> normal() const { return log.vector(log.normal, c); }
    SIM_HD V3<double> position() const { return log.vector(log.position, c); }
    SIM_HD double penetration() const { return static_cast<double>(log.penetration[c]); }
    SIM_HD V3<double> velocity() const { return log.vector(log.u, c); }
    /// Tangential relative velocity.
    SIM_HD V3<double> slip() const {
      const V3<double> u = velocity(), n = normal();
      return u - dot(u, n) * n;
    }
    /// Of the contact's spring at the substep's end.
    SIM_HD double springDepth(double dt) const {
      return lanes::max(0.0, penetration() - dt * dot(velocity(), normal()));
    }
  };
  /// @param i  in the order of pairs; of one pair, substeps rise
  SIM_HD Entry entry(int i) const {
    const int at = outcome.sortedValues[i], substep = at / outcome.log.capacity;
    return {outcome.log.of(substep), substep, at - substep * outcome.log.capacity};
  }
  SIM_HD int endOf(int first) const {
    int end = first + 1;
    while (end < outcome.entries() && outcome.sortedKeys[end] == outcome.sortedKeys[first]) ++end;
    return end;
  }
  /// Weights that are all zero stand for equal ones.
  SIM_HD static double normalWeight(const Entry& e) { return lanes::max(0.0, dot(e.gamma(), e.normal())); }

  SIM_HD DeviceContactSum contactSum(int first, int end) const {
    double weight = 0, pressed = 0;
    for (int i = first; i < end; ++i) {
      const Entry e = entry(i);
      weight += length(e.gamma());
      pressed += normalWeight(e);
    }
    DeviceContactSum sum{};
    V3<double> slip{0, 0, 0};
    for (int i = first; i < end; ++i) {
      const Entry e = entry(i);
      const V3<double> gamma = e.gamma();
      const double along = pressed > 0 ? normalWeight(e) : 1;
      sum.particle = e.log.particle[e.c];
      sum.geometry = e.log.geometry[e.c];
      addDepth(e.penetration(), static_cast<double>(e.log.middle[e.c]), sum);
      sum.frictionBound += static_cast<double>(e.log.friction[e.c]) * static_cast<double>(e.log.n0[e.c]);
      sum.impulse += gamma;
      sum.point += (weight > 0 ? length(gamma) : 1) * e.position();
      sum.normal += along * e.normal();
      slip += along * e.slip();
    }
    const Entry last = entry(end - 1);
    if (last.substep + 1 == outcome.substeps)
      sum.springDepth = last.springDepth(static_cast<double>(outcome.dt));
    sum.point = (1 / (weight > 0 ? weight : end - first)) * sum.point;
    const double size = length(sum.normal);
    if (size > 0) sum.normal = (1 / size) * sum.normal;
    sum.slipSpeed = length(slip) / (pressed > 0 ? pressed : end - first);
    return sum;
  }

  /// The last depth, and the one that is furthest beyond the middle.
  SIM_HD static void addDepth(double depth, double middle, DeviceContactSum& sum) {
    sum.penetration = depth;
    if (!(middle > 0) || depth <= middle * sum.beyondMiddle) return;
    sum.beyondMiddle = depth / middle;
    sum.middle = middle;
  }

  SIM_HD BodyImpulse toBody(int first, int end) const {
    BodyImpulse total{};
    for (int i = first; i < end; ++i) {
      const Entry e = entry(i);
      const V3<double> gamma = e.gamma();
      const double size = length(gamma);
      const V3<double> origin = along(outcome.geometries[e.log.geometry[e.c]].p_WB);
      total.force -= gamma;
      total.torque -= cross(e.position() - origin, gamma);
      total.magnitude += size;
      const std::int64_t nodes = outcome.firstNode(e.substep);
      const SetSums& set = outcome.sets[nodes + outcome.set[nodes + e.log.node[13 * e.log.capacity + e.c]]];
      const double share = set.magnitude > 0 ? size / set.magnitude : 1 / set.contacts;
      const V3<double> force = -share * set.remainder;
      total.remainderForce += force;
      total.remainderTorque += -share * set.moment - cross(origin, force);
    }
    return total;
  }
};

/// What each body receives, a team per body.
struct SumBodies {
  static constexpr int kThreads = 128;
  GridView grid;
  OutcomeView outcome;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    if (grid.stopped()) return;
    const Sums<13> total = team.template sums<13>(grid.counts->pairs, [&](int pair) {
      const bool own = outcome.geometries[outcome.sums[pair].geometry].body == team.index();
      return own ? sumsOf(outcome.given[pair]) : Sums<13>::zero();
    });
    team.each([&](int thread) {
      const double* const t = total.value;
      if (thread == 0)
        outcome.ofBody[team.index()] = {
            {t[0], t[1], t[2]}, {t[3], t[4], t[5]}, {t[6], t[7], t[8]}, {t[9], t[10], t[11]}, t[12]};
    });
  }

 private:
  SIM_HD static Sums<13> sumsOf(const BodyImpulse& b) {
    Sums<13> s;
    for (int a = 0; a < 3; ++a) {
      s.value[a] = b.force[a];
      s.value[3 + a] = b.torque[a];
      s.value[6 + a] = b.remainderForce[a];
      s.value[9 + a] = b.remainderTorque[a];
    }
    s.value[12] = b.magnitude;
    return s;
  }
};

}  // namespace slipstick::gpu

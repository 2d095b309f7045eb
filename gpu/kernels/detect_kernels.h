// Which particles touch which geometry, and the contact problem that follows: contacts in order of (slot, geometry), nodes
// in order of (block of nodes, node).
#pragma once

#include "engine/contact/potential.h"
#include "engine/geometry/signed_distance.h"
#include "engine/mpm/contact/held_side.h"
#include "gpu/contact_log.h"
#include "gpu/contact_memory.h"
#include "gpu/contact_view.h"
#include "gpu/kernels/boundary_kernels.h"
#include "gpu/kernels/facts_kernels.h"

namespace slipstick::gpu {

/// A rigid geometry as one substep sees it.
struct DeviceGeometry {
  GeometryShape<float> shape;  ///< a mesh's distances lie in device memory
  int body;
  float heldReach;          ///< mpm::StepGeometry's [m]
  double R_WG[9], p_WG[3];  ///< [m]
  double v_WB[3], w_WB[3];  ///< of the body's origin, which is …
  double p_WB[3];           ///< … here [m/s], [rad/s], [m]
};
struct DeviceLaw {
  int enabled;
  float friction, stiffness, dissipation;
};

/// A block's corner in a geometry's frame, and whether any of its particles may touch it.
struct BlockPlacement {
  float p_GX[3];  ///< [m]
  int near;
};

/// All arrays of detection.
struct DetectView {
  GridView grid;
  const DeviceGeometry* geometries;
  const DeviceLaw* laws;  ///< [deformable · geometries + geometry]
  int geometryCount;
  BlockPlacement* placements;     ///< [block · geometries + geometry]
  int *found, *before;            ///< contacts of a slot, and of all slots before it
  std::uint64_t* touched;         ///< per block of nodes: those that contacts touch
  int *touchedCount, *firstNode;  ///< of a block of nodes, and of all before it
  LastImpulsesView last;
  BoundaryView boundaries;
  ContactView contacts;
  ContactLog log;  ///< of this substep; where it has a column, the problem has it there
  int* gridNode;   ///< per node of the problem
};

SIM_HD V3<double> along(const double (&a)[3]) {
  return {a[0], a[1], a[2]};
}
/// R_WGᵀ (x − p_WG)
SIM_HD V3<double> toGeometry(const DeviceGeometry& g, const V3<double>& x) {
  const V3<double> d = x - along(g.p_WG);
  V3<double> out;
  for (int i = 0; i < 3; ++i) out[i] = g.R_WG[i] * d.x + g.R_WG[3 + i] * d.y + g.R_WG[6 + i] * d.z;
  return out;
}

/// The sphere around a tile's reach against each geometry.
struct PlaceBlocks {
  static constexpr int kThreads = kPlainThreads;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const GridView& grid = detect.grid;
    forEntries(team, grid.blockCapacity * detect.geometryCount, [&](int i) {
      const int block = i / detect.geometryCount;
      if (grid.stopped() || block >= grid.counts->blocks) return;
      const DeviceGeometry& g = detect.geometries[i % detect.geometryCount];
      const BlockPlace place = placeOfBlock(grid.blockKeys[block]);
      const V3<double> corner{cornerAlong(grid, place.x), cornerAlong(grid, place.y),
                              cornerAlong(grid, place.z)};
      const V3<double> p_GX = toGeometry(g, corner);
      const double middle = 2.5 * grid.h;  // base nodes −1 … 4 of the block: x/h within its corner + [−½, 5½)
      const V3<double> centre = toGeometry(g, corner + V3<double>{middle, middle, middle});
      const float radius = 1.7320508f * 3 * static_cast<float>(grid.h);
      const float phi = signedDistance<float>(g.shape, floats(centre)).phi;
      // Outside its grid, a mesh's value may exceed the true distance up to three times.
      const float reach = radius + g.heldReach;
      const V3<float> p = floats(p_GX);
      detect.placements[i] = {{p.x, p.y, p.z},
                              phi < (g.shape.type == ShapeType::Mesh ? 3 * reach : reach) ? 1 : 0};
    });
  }
  SIM_HD static V3<float> floats(const V3<double>& a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
  }
};

SIM_HD V3<float> velocityAt(const DeviceGeometry& g, const V3<double>& x) {
  return PlaceBlocks::floats(along(g.v_WB) + cross(along(g.w_WB), x - along(g.p_WB)));
}

/// mpm::LastImpulses::of()
SIM_HD V3<float> lastImpulse(const LastImpulsesView& last, int particle, int g) {
  for (int i = last.first[particle]; i < last.first[particle] + last.count[particle]; ++i)
    if (last.geometry[i] == g) return last.impulse(i);
  return {0, 0, 0};
}

/// The side of a thin geometry that holds a particle, if it is not the nearest one. A call of its own: where nothing is
/// thin, detection does without its registers. @param x_G  where it is
SIM_HD_RARE mpm::HeldSide<float> heldSideOf(const DetectView& d, int slot, int g, const M3<float>& R_GW,
                                            const V3<float>& x_G, const SignedDistance<float>& nearest) {
  const DeviceGeometry& geometry = d.geometries[g];
  const GridView& grid = d.grid;
  const V3<float> v = grid.at.vector(PackField::V, slot) - velocityAt(geometry, positionOf(grid, slot));
  const V3<float> impulse = lastImpulse(d.last, grid.particleOfSlot[slot], g);
  return mpm::heldSide<float>(geometry.shape, x_G, nearest, R_GW * impulse, d.contacts.dt * (R_GW * v),
                              geometry.heldReach);
}

/// What detection knows of one particle and one geometry.
struct Touch {
  bool touches;
  float depth;         ///< below the side that holds it [m]
  V3<float> normal_G;  ///< outward, of that side
  float middle;        ///< depth of the shape's middle, where the particle has passed it; else 0 [m]
};
SIM_HD Touch touchOf(const DetectView& d, int slot, int g) {
  const GridView& grid = d.grid;
  const DeviceLaw& law = d.laws[grid.deformableAt(slot) * d.geometryCount + g];
  const BlockPlacement& at = d.placements[grid.blockOfSlot[slot] * d.geometryCount + g];
  if (law.enabled == 0 || at.near == 0) return {false, 0, {0, 0, 0}, 0};
  const DeviceGeometry& geometry = d.geometries[g];
  M3<float> R_GW;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) R_GW(i, j) = static_cast<float>(geometry.R_WG[3 * j + i]);
  const V3<float> corner{at.p_GX[0], at.p_GX[1], at.p_GX[2]};
  const V3<float> x =
      R_GW * grid.at.vector(PackField::X, slot) + (R_GW * grid.at.vector(PackField::XLow, slot) + corner);
  const SignedDistance<float> nearest = signedDistance<float>(geometry.shape, x);
  const Touch touch{nearest.phi < 0, -nearest.phi, nearest.normal, 0};
  if (!(nearest.phi < geometry.heldReach)) return touch;
  const mpm::HeldSide<float> held = heldSideOf(d, slot, g, R_GW, x, nearest);
  return held.isHeld ? Touch{true, held.depth, held.normal, held.middle} : touch;
}

/// How many geometries each particle touches.
struct CountContacts {
  static constexpr int kThreads = kPlainThreads;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, detect.grid.particles, [&](int slot) {
      int count = 0;
      if (!detect.grid.stopped())
        for (int g = 0; g < detect.geometryCount; ++g) count += touchOf(detect, slot, g).touches ? 1 : 0;
      detect.found[slot] = count;
    });
  }
};

/// How many contacts there are; whether there is room for them.
struct JudgeContacts {
  static constexpr int kThreads = kWarp;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    team.each([&](int thread) {
      if (thread != 0) return;
      const int last = detect.grid.particles - 1, count = detect.before[last] + detect.found[last];
      const bool fits = count <= detect.contacts.contactCapacity;
      *detect.contacts.counts = {fits ? count : 0, 0, 0, fits ? 0 : 1};
      raiseTo(&detect.grid.counts->contactsNeeded, count);
      if (!fits) detect.grid.counts->failed = 1;
    });
  }
};

/// Fills the problem's contacts, all but their nodes.
struct WriteContacts {
  static constexpr int kThreads = kPlainThreads;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, detect.grid.particles, [&](int slot) {
      if (detect.grid.stopped() || detect.found[slot] == 0) return;
      int c = detect.before[slot];
      for (int g = 0; g < detect.geometryCount; ++g) {
        const Touch touch = touchOf(detect, slot, g);
        if (touch.touches) describe(c++, slot, g, touch);
      }
    });
  }

 private:
  SIM_HD void describe(int c, int slot, int g, const Touch& touch) const {
    const ContactView& to = detect.contacts;
    const DeviceGeometry& geometry = detect.geometries[g];
    const GridView& grid = detect.grid;
    const int particle = grid.particleOfSlot[slot];
    const DeviceLaw& law = detect.laws[grid.deformableAt(slot) * detect.geometryCount + g];
    const V3<double> x = positionOf(grid, slot);
    const V3<float> vBody = velocityAt(geometry, x);
    V3<float> normal;
    for (int i = 0; i < 3; ++i)
      normal[i] = static_cast<float>(geometry.R_WG[3 * i]) * touch.normal_G.x +
                  static_cast<float>(geometry.R_WG[3 * i + 1]) * touch.normal_G.y +
                  static_cast<float>(geometry.R_WG[3 * i + 2]) * touch.normal_G.z;
    const float f0 = law.stiffness * touch.depth;
    const float vn0 = dot(normal, grid.at.vector(PackField::V, slot) - vBody);
    storeVector(to.normal, to.contactCapacity, c, normal);
    storeVector(to.vBody, to.contactCapacity, c, vBody);
    storeVector(to.guess, to.contactCapacity, c, lastImpulse(detect.last, particle, g));
    to.f0[c] = f0;
    to.stiffness[c] = law.stiffness;
    to.dissipation[c] = law.dissipation;
    to.friction[c] = law.friction;
    to.n0[c] = contact::laggedNormalImpulse(f0, law.dissipation, vn0, to.dt);
    to.bound[c] = -1;
    detect.log.particle[c] = particle;
    detect.log.geometry[c] = g;
    detect.log.penetration[c] = touch.depth;
    detect.log.middle[c] = touch.middle;
    for (int a = 0; a < 3; ++a) detect.log.position[a * to.contactCapacity + c] = x[a];
    const Bspline<float> b =
        mpm::bspline(grid.at.vector(PackField::X, slot), grid.at.vector(PackField::XLow, slot),
                     static_cast<float>(1.0 / grid.h));
    for (int a = 0; a < 3; ++a)
      for (int n = 0; n < 3; ++n) to.weight[(3 * a + n) * to.contactCapacity + c] = b.w[a][n];
    touchNodes(c, slot, b);
  }
  /// Notes where the contact's nodes stand in the grid, and marks those with mass; the middle one always has some,
  /// unless that is too small a number.
  SIM_HD void touchNodes(int c, int slot, const Bspline<float>& b) const {
    const GridView& grid = detect.grid;
    const int block = grid.blockOfSlot[slot];
    const int base[3] = {static_cast<int>(b.base.x), static_cast<int>(b.base.y), static_cast<int>(b.base.z)};
    for (int n = 0; n < 27; ++n) {
      const int x = base[0] + n / 9, y = base[1] + n / 3 % 3, z = base[2] + n % 3;
      const int neighbour = 9 * (mpm::blockOf(x) + 1) + 3 * (mpm::blockOf(y) + 1) + mpm::blockOf(z) + 1;
      const int local =
          (mpm::withinBlock(x) * kBlockEdge + mpm::withinBlock(y)) * kBlockEdge + mpm::withinBlock(z);
      const int gridBlock = grid.gridBlocks[27 * block + neighbour];
      const std::uint64_t bit = std::uint64_t{1} << local;
      if (n == 13 || (grid.massive[gridBlock] & bit) != 0) setBits(&detect.touched[gridBlock], bit);
      detect.contacts.node[n * detect.contacts.contactCapacity + c] = gridBlock * kBlockNodes + local;
    }
  }
};

struct CountTouched {
  static constexpr int kThreads = kPlainThreads;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, detect.grid.gridBlockCapacity, [&](int g) {
      const bool there = !detect.grid.stopped() && g < detect.grid.counts->gridBlocks;
      detect.touchedCount[g] = there ? bitCount(detect.touched[g]) : 0;
    });
  }
};

struct JudgeNodes {
  static constexpr int kThreads = kWarp;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    team.each([&](int thread) {
      if (thread != 0 || detect.grid.stopped()) return;
      const int last = detect.grid.gridBlockCapacity - 1,
                count = detect.firstNode[last] + detect.touchedCount[last];
      const bool fits = count <= detect.contacts.nodeCapacity;
      detect.contacts.counts->nodes = fits ? count : 0;
      raiseTo(&detect.grid.counts->nodesNeeded, count);
      if (fits) return;
      detect.contacts.counts->overflow = 1;
      detect.grid.counts->failed = 1;
    });
  }
};

/// The problem's nodes, from the grid's.
struct WriteNodes {
  static constexpr int kThreads = kPlainThreads;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const ContactView& to = detect.contacts;
    forEntries(team, detect.grid.gridBlockCapacity * kBlockNodes, [&](int i) {
      const int block = i / kBlockNodes, local = i % kBlockNodes;
      if (detect.grid.stopped() || block >= detect.grid.counts->gridBlocks) return;
      if ((detect.touched[block] >> local & 1) == 0) return;
      const int node = numberOf(detect, i);
      const DeviceNode& from = detect.grid.nodes[i];
      detect.gridNode[node] = i;
      to.mass[node] = from.mass;
      to.vStar[node] = from.x;
      to.vStar[to.nodeCapacity + node] = from.y;
      to.vStar[2 * to.nodeCapacity + node] = from.z;
      const bool bounded =
          detect.boundaries.boundaries > 0 && (detect.boundaries.bounded[block] >> local & 1) != 0;
      const BoundRange range = bounded ? detect.boundaries.ranges[i] : BoundRange{0, 0};
      to.firstBound[node] = range.first;
      to.bounds[node] = range.count;
    });
  }
  /// Of a touched node of the grid.
  SIM_HD static int numberOf(const DetectView& d, int gridNode) {
    const int block = gridNode / kBlockNodes, local = gridNode % kBlockNodes;
    return d.firstNode[block] + bitCount(d.touched[block] & ((std::uint64_t{1} << local) - 1));
  }
};

/// From nodes of the grid to those of the problem.
struct LinkContacts {
  static constexpr int kThreads = kPlainThreads;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const ContactView& to = detect.contacts;
    forEntries(team, 27 * to.contactCapacity, [&](int i) {
      if (detect.grid.stopped() || i % to.contactCapacity >= to.counts->contacts) return;
      const int gridNode = to.node[i];
      const bool touched = (detect.touched[gridNode / kBlockNodes] >> gridNode % kBlockNodes & 1) != 0;
      to.node[i] = touched ? WriteNodes::numberOf(detect, gridNode) : -1;
    });
  }
};

/// Whether the friction of boundaries has found room.
struct JudgeSolve {
  static constexpr int kThreads = kWarp;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    team.each([&](int thread) {
      const ContactCounts& c = *detect.contacts.counts;
      if (thread != 0 || detect.grid.stopped() || c.overflow == 0) return;
      raiseTo(&detect.grid.counts->contactsNeeded, c.contacts + c.boundaryContacts);
      detect.grid.counts->failed = 1;
    });
  }
};

/// The grid receives the velocities that were solved for.
struct ApplyContacts {
  static constexpr int kThreads = kPlainThreads;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const ContactView& from = detect.contacts;
    forEntries(team, from.nodeCapacity, [&](int i) {
      if (detect.grid.stopped() || i >= from.counts->nodes) return;
      DeviceNode& node = detect.grid.nodes[detect.gridNode[i]];
      node = {from.v[i], from.v[from.nodeCapacity + i], from.v[2 * from.nodeCapacity + i], node.mass};
    });
  }
};

/// What each contact received becomes the next solve's guess, and tells its side.
struct RememberImpulses {
  static constexpr int kThreads = kPlainThreads;
  DetectView detect;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const LastImpulsesView& last = detect.last;
    const int particles = detect.grid.particles, capacity = detect.contacts.contactCapacity;
    forEntries(team, particles > capacity ? particles : capacity, [&](int i) {
      if (detect.grid.stopped()) return;
      if (i < particles) {
        const int particle = detect.grid.particleOfSlot[i];
        last.first[particle] = detect.before[i];
        last.count[particle] = detect.found[i];
      }
      if (i >= detect.contacts.counts->contacts) return;
      const int g = detect.log.geometry[i];
      last.geometry[i] = g;
      const V3<float> gamma = loadVector(detect.contacts.gamma, capacity, i);
      storeVector(last.gamma, last.capacity, i,
                  mpm::rememberedImpulse(gamma, loadVector(detect.contacts.normal, capacity, i),
                                         detect.geometries[g].heldReach));
    });
  }
};

}  // namespace slipstick::gpu

// What every part of a solve on a device knows: the problem, the team that solves it, and where the numbers are.
#pragma once

#include "engine/contact/potential.h"
#include "gpu/contact_memory.h"
#include "gpu/contact_view.h"
#include "gpu/device_bounds.h"
#include "gpu/team.h"

namespace slipstick::gpu {

/// Weight w_ip of contact c at its node (x, y, z), each 0 … 2.
SIM_HD float weightOf(const ContactView& view, int c, int x, int y, int z) {
  const int capacity = view.contactCapacity;
  return view.weight[x * capacity + c] * view.weight[(3 + y) * capacity + c] *
         view.weight[(6 + z) * capacity + c];
}
/// f(node, weight) at all nodes that contact c touches.
template <class F>
SIM_HD void forNodesOf(const ContactView& view, int c, const F& f) {
  SIM_ROLLED
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 3; ++z) {
        const int node = view.node[(9 * x + 3 * y + z) * view.contactCapacity + c];
        if (node >= 0) f(node, weightOf(view, c, x, y, z));
      }
}

template <class Team>
struct SolveContext {
  Team& team;
  const ContactView& view;
  const ContactMemory& memory;
  float* state = nullptr;  ///< columns of contacts, then of nodes
  int particleContacts = 0, nodes = 0;
  int contacts = 0;       ///< friction of boundaries included
  bool bounded = false;   ///< boundaries act on some nodes
  bool oneSided = false;  ///< some are half-spaces

  SIM_HD float* ofContacts(int column) const { return state + column * contacts; }
  SIM_HD float* ofNodes(int column) const { return state + ContactColumn::Count * contacts + column * nodes; }
  SIM_HD float* ofNewton(int column) const { return memory.newton + column * nodes; }

  SIM_HD Vector contact(int column, int c) const { return loadVector(ofContacts(column), contacts, c); }
  SIM_HD void setContact(int column, int c, const Vector& v) const {
    storeVector(ofContacts(column), contacts, c, v);
  }
  SIM_HD Vector node(int column, int i) const { return loadVector(ofNodes(column), nodes, i); }
  SIM_HD void setNode(int column, int i, const Vector& v) const { storeVector(ofNodes(column), nodes, i, v); }
  SIM_HD Vector newton(int column, int i) const { return loadVector(ofNewton(column), nodes, i); }
  SIM_HD void setNewton(int column, int i, const Vector& v) const {
    storeVector(ofNewton(column), nodes, i, v);
  }

  SIM_HD Vector normal(int c) const { return loadVector(view.normal, view.contactCapacity, c); }
  SIM_HD Vector freeVelocity(int i) const { return loadVector(view.vStar, view.nodeCapacity, i); }
  SIM_HD contact::LaggedContact<float> law(int c) const {
    return {
        normal(c),       view.f0[c], view.stiffness[c], view.dissipation[c], view.friction[c] * view.n0[c],
        view.epsilon[c], view.dt};
  }

  SIM_HD bool held(int i) const { return bounded && view.bounds[i] > 0; }

  /// (J v)_c of the node vectors in three columns.
  SIM_HD Vector gathered(const float* columns, int c) const {
    Vector sum{0, 0, 0};
    forNodesOf(view, c, [&](int node, float w) { sum += w * loadVector(columns, nodes, node); });
    return sum;
  }
  /// J v − v_body of contact c at the velocities in a column of the nodes.
  SIM_HD Vector relativeVelocity(int column, int c) const {
    return gathered(ofNodes(column), c) - loadVector(view.vBody, view.contactCapacity, c);
  }
  /// (Jᵀ x)_i of the contact vectors in three columns.
  SIM_HD Vector scattered(const float* columns, int length, int i) const {
    Vector sum{0, 0, 0};
    const Share* const share = memory.shares + memory.firstShare[i];
    const int count = memory.shareCount[i];
    for (int s = 0; s < count; ++s) sum += share[s].weight * loadVector(columns, length, share[s].contact);
    return sum;
  }
  /// Gives contact c a lagged normal impulse, and the ε that goes with it.
  SIM_HD void setNormalImpulse(int c, float n0) const {
    float wt = 0;
    forNodesOf(view, c, [&](int node, float w) { wt += w * w / view.mass[node]; });
    view.n0[c] = n0;
    view.epsilon[c] =
        contact::frictionEpsilon(view.stictionSpeed, view.friction[c] * n0, wt, view.stictionSoftness);
  }
};

}  // namespace slipstick::gpu

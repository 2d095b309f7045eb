// What a solve finds out before it begins: contacts that stand for the friction of boundaries, and for each node the
// contacts that touch it. The same numbers whatever the order of the threads.
#pragma once

#include "gpu/atomics.h"
#include "gpu/solve_context.h"

namespace slipstick::gpu {

/// A bound whose friction becomes a contact, see mpm::addBoundaryFriction.
SIM_HD bool rubs(const DeviceBound& bound) {
  return !isKind(bound, BoundaryKind::Sticky) && bound.friction > 0;
}
SIM_HD int frictionContactsOf(const ContactView& view, int node) {
  const DeviceBounds bounds(view, node);
  int count = 0;
  for (int k = 0; k < bounds.count; ++k) count += rubs(bounds.first[k]) ? 1 : 0;
  return count;
}

/// Contact c is the friction of bound k of a node; its normal impulse is what the bound gives at v*.
template <class Team>
SIM_HD void writeFrictionContact(const SolveContext<Team>& s, int c, int node, int k, float n0) {
  const ContactView& view = s.view;
  const DeviceBound& bound = view.boundList[view.firstBound[node] + k];
  const int capacity = view.contactCapacity;
  storeVector(view.normal, capacity, c, normalOf(bound));
  storeVector(view.vBody, capacity, c, velocityOf(bound));
  storeVector(view.guess, capacity, c, {0, 0, 0});
  view.f0[c] = view.dissipation[c] = 0;
  view.stiffness[c] = static_cast<float>(mpm::kNoStiffness);
  view.friction[c] = bound.friction;
  view.n0[c] = n0;
  view.bound[c] = k;
  for (int j = 0; j < 27; ++j) view.node[j * capacity + c] = j == 0 ? node : -1;
  for (int j = 0; j < 9; ++j) view.weight[j * capacity + c] = j % 3 == 0 ? 1.0f : 0.0f;
}

/// Appends them in the order of nodes and their bounds.
template <class Team>
SIM_HD void addBoundaryFriction(SolveContext<Team>& s) {
  const ContactView& view = s.view;
  int* const ofPart = s.memory.frictionOf;
  const int share = (s.nodes + kFrictionParts - 1) / kFrictionParts;
  const auto endOf = [&](int part) {
    const int end = (part + 1) * share;
    return end < s.nodes ? end : s.nodes;
  };
  s.team.loop(kFrictionParts, [&](int part) {
    int count = 0;
    for (int i = part * share; i < endOf(part); ++i) count += frictionContactsOf(view, i);
    ofPart[part] = count;
  });
  s.team.loop(kFrictionParts, [&](int part) {
    if (ofPart[part] == 0) return;
    int c = s.particleContacts;
    for (int before = 0; before < part; ++before) c += ofPart[before];
    for (int i = part * share; i < endOf(part); ++i) {
      if (frictionContactsOf(view, i) == 0) continue;
      const DeviceBounds bounds(view, i);
      const AllowedVelocity freely = bounds.nearest(s.freeVelocity(i));
      for (int k = 0; k < bounds.count; ++k)
        if (rubs(bounds.first[k])) writeFrictionContact(s, c++, i, k, view.mass[i] * freely.pushOf(k));
    }
  });
}

/// Each node's contacts, ascending. Where a list begins depends on the order of threads, what it says does not.
template <class Team>
SIM_HD void linkNodes(SolveContext<Team>& s) {
  const ContactView& view = s.view;
  const ContactMemory& memory = s.memory;
  SolveScalars* const scalars = memory.scalars;
  // Threads side by side take contacts side by side, which touch the same nodes.
  const auto forEntries = [&](const auto& f) {
    s.team.loop(27 * s.contacts, [&](int entry) {
      const int j = entry / s.contacts, c = entry - j * s.contacts;
      const int node = view.node[j * view.contactCapacity + c];
      if (node >= 0) f(c, j, node);
    });
  };
  s.team.loop(s.nodes, [&](int i) {
    memory.shareCount[i] = memory.taken[i] = 0;
    if (i > 0) return;
    scalars->nextShare = 0;
    view.counts->boundaryContacts = s.contacts - s.particleContacts;
  });
  forEntries([&](int, int, int node) { fetchAdd(&memory.shareCount[node], 1); });
  s.team.loop(s.nodes,
              [&](int i) { memory.firstShare[i] = fetchAdd(&scalars->nextShare, memory.shareCount[i]); });
  forEntries([&](int c, int, int node) {
    memory.unsorted[memory.firstShare[node] + fetchAdd(&memory.taken[node], 1)] = c;
  });
  forEntries([&](int c, int j, int node) {
    const int* const list = memory.unsorted + memory.firstShare[node];
    int rank = 0;
    for (int k = 0; k < memory.shareCount[node]; ++k) rank += list[k] < c ? 1 : 0;
    memory.shares[memory.firstShare[node] + rank] = {c, weightOf(view, c, j / 9, j / 3 % 3, j % 3)};
  });
}

/// Everything that a solve needs besides the particles' contacts. @return false: there is no room for the friction of
/// boundaries, and counts say so
template <class Team>
SIM_HD bool prepareContacts(SolveContext<Team>& s) {
  const ContactView& view = s.view;
  const Sums<3> found = s.team.template sums<3>(s.nodes, [&](int i) {
    Sums<3> sum = Sums<3>::zero();
    if (view.bounds[i] == 0) return sum;
    sum.value[0] = 1;
    sum.value[1] = DeviceBounds(view, i).ofKind(BoundaryKind::Separate) != 0 ? 1 : 0;
    sum.value[2] = frictionContactsOf(view, i);
    return sum;
  });
  s.bounded = found.value[0] > 0;
  s.oneSided = found.value[1] > 0;
  const int friction = static_cast<int>(found.value[2]);
  s.contacts = s.particleContacts + friction;
  if (s.contacts > view.contactCapacity) {
    s.team.each([&](int thread) {
      if (thread != 0) return;
      view.counts->overflow = 1;
      view.counts->boundaryContacts = friction;
    });
    return false;
  }
  if (friction > 0) addBoundaryFriction(s);
  linkNodes(s);
  s.team.loop(s.contacts, [&](int c) { s.setNormalImpulse(c, view.n0[c]); });
  return true;
}

}  // namespace slipstick::gpu

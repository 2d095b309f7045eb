// The kernels that solve contacts. Three are launched, one after the other; the numbers of contacts and nodes, which only
// the device knows, and how much memory its blocks have say which one does it. The others return at once.
#pragma once

#include "gpu/contact_solve.h"
#include "gpu/executor.h"

namespace slipstick::gpu {

/// A cluster's barrier costs a fraction of a grid's, but a cluster has 8 of some 130 multiprocessors: worth it up to
/// about so many contacts, or nodes.
inline constexpr int kClusterMost = 5000;

/// Which kernel solves what.
struct SolveThresholds {
  int blockFloats;  ///< a block takes states of up to so many floats
  int clusterMost = kClusterMost;
};

SIM_HD long stateFloats(int contacts, int nodes) {
  return static_cast<long>(ContactColumn::Count) * contacts + static_cast<long>(NodeColumn::Count) * nodes;
}
/// @param contacts  of particles
SIM_HD Scope solverScope(const SolveThresholds& thresholds, int contacts, int nodes) {
  if (contacts == 0 || stateFloats(contacts, nodes) <= thresholds.blockFloats) return Scope::Block;
  return contacts <= thresholds.clusterMost && nodes <= thresholds.clusterMost ? Scope::Cluster : Scope::Grid;
}

/// Where the contacts of the view are solved by a team of one scope.
template <class Kernel>
struct ContactSolveKernel {
  ContactView view;
  ContactMemory memory;
  DeviceSolveSettings settings;
  SolveThresholds thresholds;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const ContactCounts counts = team.uniform(view.counts);
    if (solverScope(thresholds, counts.contacts, counts.nodes) != Kernel::kScope) return;
    SolveContext<Team> s{team, view, memory};
    s.particleContacts = counts.contacts;
    s.nodes = counts.nodes;
    if (counts.contacts == 0 || counts.overflow != 0) return reportNothing(s, counts.overflow == 0);
    if (!prepareContacts(s)) return reportNothing(s, false);
    s.state = static_cast<const Kernel&>(*this).stateOf(s);
    ContactSolve<Team>(s, settings).run();
  }

  /// Where the state is kept: in device memory, unless the kernel knows better.
  template <class Team>
  SIM_HD float* stateOf(const SolveContext<Team>& s) const {
    return s.memory.state;
  }

 private:
  /// Nothing to solve, or not enough room: the nodes keep v*.
  template <class Team>
  SIM_HD static void reportNothing(const SolveContext<Team>& s, bool converged) {
    const ContactView& view = s.view;
    s.team.loop(s.nodes, [&](int i) { storeVector(view.v, view.nodeCapacity, i, s.freeVelocity(i)); });
    s.team.each([&](int thread) {
      if (thread > 0) return;
      if (s.particleContacts == 0) view.counts->boundaryContacts = 0;
      *view.report = {s.particleContacts, s.nodes, 0, 0, converged ? 1 : 0, 0, 0, 0};
    });
  }
};

/// Few contacts: one block, the state in its own memory, of which it takes all that the device gives. Friction of
/// boundaries that goes beyond that memory moves the state to the device's.
struct BlockContactSolve : ContactSolveKernel<BlockContactSolve> {
  /// With 1,024, the 64 registers of each are too few: iterations would spill.
  static constexpr int kThreads = 256, kBlocksTogether = 1;
  static constexpr Scope kScope = Scope::Block;
  using Shared = float[];
  int sharedFloats;  ///< how many that is

  template <class Team>
  SIM_HD float* stateOf(const SolveContext<Team>& s) const {
    const bool fits = stateFloats(s.contacts, s.nodes) <= sharedFloats;
    return fits ? s.team.template shared<Shared>() : s.memory.state;
  }
};
/// A few thousand: a cluster of blocks.
struct ClusterContactSolve : ContactSolveKernel<ClusterContactSolve> {
  static constexpr int kThreads = 256, kBlocksTogether = 1;
  static constexpr Scope kScope = Scope::Cluster;
};
/// More: the whole grid.
struct GridContactSolve : ContactSolveKernel<GridContactSolve> {
  static constexpr int kThreads = 256, kBlocksTogether = 1;
  static constexpr Scope kScope = Scope::Grid;
};

/// Floats of state in a block's own memory: with 227 KiB about 790 contacts and as many nodes, with 99 KiB 337.
inline int blockFloatsOn(const Executor& executor) {
  return static_cast<int>(sharedBytesOf<BlockContactSolve>(executor.blockSharedBytes()) / sizeof(float));
}
/// The thresholds that suit the executor's device.
inline SolveThresholds thresholdsOn(const Executor& executor) {
  return {blockFloatsOn(executor)};
}

/// Solves the contacts of the view, by the kernel that the thresholds choose.
template <class Exec>
void launchContactSolve(Exec& executor, const ContactView& view, const ContactMemory& memory,
                        const DeviceSolveSettings& settings, const SolveThresholds& thresholds) {
  executor.launch(BlockContactSolve{{view, memory, settings, thresholds}, blockFloatsOn(executor)}, 1);
  executor.launch(ClusterContactSolve{{view, memory, settings, thresholds}}, 1);
  executor.launch(GridContactSolve{{view, memory, settings, thresholds}}, executor.gridBlocks());
}

}  // namespace slipstick::gpu

// Where a step's contacts are kept until its end, the kernels that sum them up there, and what of this comes back.
#pragma once

#include <bit>
#include <vector>

#include "engine/mpm/step_account.h"
#include "gpu/copied_memory.h"
#include "gpu/kernels/outcome_kernels.h"

namespace slipstick::gpu {

class OutcomeMemory {
 public:
  OutcomeMemory(const Model& model, Executor& executor);

  /// @return whether anything has another place than before
  bool ensure(int substeps, int contactCapacity, int nodeCapacity);
  void placeReadBack(CopyLayout& layout, int substeps);
  /// Makes room for as many pairs as the counts say. @return whether there was too little
  bool grow(const GridCounts& counts);

  /// Names, in a view of detection and solve, the columns that stay behind of a substep.
  void show(DetectView& view, int substep) const;
  /// After the solve of a substep, whose view this is.
  template <class Exec>
  void recordSubstep(Exec& executor, const DetectView& detect, const ContactMemory& solve, int substep) {
    view_.dt = detect.contacts.dt;
    executor.launch(RecordNodes{detect, solve, view_.nodes + view_.firstNode(substep)},
                    teamsFor(view_.nodeCapacity));
  }
  /// After the last substep. @param geometries  at t_n
  template <class Exec>
  void recordSums(Exec& executor, const GridView& grid, const DeviceGeometry* geometries, int substeps);

  /// After the read-back: enters all substeps in the account, contacts excepted.
  void enter(int substeps, mpm::StepAccount& account) const;
  /// What each pair received. @param pairs  how many there are
  void takeContacts(int pairs, std::vector<TouchImpulse>& contacts) const;

 private:
  void layOut();

  int substepCapacity_ = 0, pairCapacity_ = 256;
  OutcomeView view_{};
  DeviceArray<std::byte> memory_;
  Copied<SolveReport> reports_;
  Copied<SolveSums> solves_;
  Copied<BodyImpulse> bodies_;
  Copied<DeviceContactSum> sums_;
};

template <class Exec>
void OutcomeMemory::recordSums(Exec& executor, const GridView& grid, const DeviceGeometry* geometries,
                               int substeps) {
  OutcomeView v = view_;
  v.substeps = substeps;
  v.geometries = geometries;
  const int entries = v.entries();
  executor.launch(FindSets{grid, v}, substeps);
  executor.launch(SumSets{grid, v}, SumSets::teams(v));
  executor.launch(SumSolves{grid, v}, substeps);
  executor.launch(ListPairs{grid, v}, teamsFor(entries));
  executor.sortPairs(v.keys, v.sortedKeys, v.values, v.sortedValues, entries,
                     static_cast<int>(std::bit_width(v.noKey())));
  executor.launch(MarkHeads{v.sortedKeys, entries, 0, v.noKey(), v.head}, teamsFor(entries));
  executor.exclusiveScan(v.head, v.before, entries);
  executor.launch(JudgePairs{grid, v}, 1);
  executor.launch(SumPairs{grid, v}, teamsFor(entries));
  executor.launch(SumBodies{grid, v}, v.bodies);
}

}  // namespace slipstick::gpu

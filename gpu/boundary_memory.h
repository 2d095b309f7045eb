// The scene's boundaries in device memory, where each substep sees them, and the order of their kernels.
#pragma once

#include <vector>

#include "engine/mpm/boundary_nodes.h"
#include "gpu/copied_memory.h"
#include "gpu/executor.h"
#include "gpu/kernels/boundary_kernels.h"

namespace slipstick::gpu {

class BoundaryMemory {
 public:
  BoundaryMemory(Executor& executor, const Model& model);

  /// Looks at a step that begins now. @return whether the boundaries are somewhere else in each of its substeps: graphs
  /// for the one are none for the other
  bool plan(const mpm::StepInput& input, double dt, int substeps);
  /// Memory for what the last attempt asked for. @return whether anything was allocated
  bool ensure(int gridBlocks);
  void placeUploads(CopyLayout& layout) { list_ = layout.take<DeviceBoundary>(lists_ * boundaries()); }
  void placeReadBack(CopyLayout& layout);
  /// Where the boundaries are in each substep of the planned step, into the memory that is uploaded.
  void freeze(const mpm::StepInput& input, double dt, int substeps);

  // What a graph consists of: begin(); in each substep findNodes(), apply() once the grid has velocities, and
  // sumUp().
  template <class Exec>
  void begin(Exec& executor) {
    if (empty()) return;
    executor.clear(counts_.device, sizeof(BoundCounts));
    executor.clear(total_.device, boundaries() * sizeof(DeviceImpulse));
  }
  /// @param sorted  since the last substep
  template <class Exec>
  void findNodes(Exec& executor, const GridView& grid, int substep, bool sorted) {
    if (empty() || !(sorted || moves())) return;
    const DeviceBoundary* const list =
        list_.device + (moves() ? static_cast<std::size_t>(substep) * boundaries() : 0);
    executor.launch(FindBounds{grid, view_, list}, grid.gridBlockCapacity);
    executor.launch(JudgeBounds{grid, view_}, 1);
  }
  /// @param touched  per block of nodes: those that contacts decide about; or null
  template <class Exec>
  void apply(Exec& executor, const GridView& grid, const std::uint64_t* touched) {
    if (!empty())
      executor.launch(ApplyBounds{grid, view_, touched}, teamsFor(grid.gridBlockCapacity * kBlockNodes));
  }
  /// @param last  before a sort, or of all
  template <class Exec>
  void sumUp(Exec& executor, const GridView& grid, bool last) {
    if (empty() || !(last || moves())) return;
    executor.launch(SumGroups{grid, view_}, groupsFor(grid.gridBlockCapacity));
    executor.launch(SumBoundaries{grid, view_}, view_.boundaries);
  }

  /// After an attempt that failed: asks for more capacity, where that was it.
  void learn();
  /// What the boundaries have received, after an attempt that succeeded.
  void addTo(SoftOutcome& result) const;
  /// The bounds of the grid's nodes, between findNodes() and the next.
  const BoundaryView& view() const { return view_; }

 private:
  bool empty() const { return view_.boundaries == 0 || lists_ == 0; }
  bool moves() const { return lists_ > 1; }
  std::size_t boundaries() const { return static_cast<std::size_t>(view_.boundaries); }
  void write(DeviceBoundary* list) const;

  const Model& model_;
  std::vector<mpm::FrozenBoundary> frozen_;
  std::size_t lists_ = 0;  ///< of boundaries: one, or one per substep; 0: no step yet
  Copied<DeviceBoundary> list_;
  Copied<BoundCounts> counts_;
  Copied<DeviceImpulse> total_;  ///< per boundary
  DeviceArray<std::uint64_t> bounded_;
  DeviceArray<BoundRange> ranges_;
  DeviceArray<DeviceBound> bounds_;
  DeviceArray<DeviceImpulse> given_, groups_;
  std::size_t boundsWanted_;
  BoundaryView view_{};
};

}  // namespace slipstick::gpu

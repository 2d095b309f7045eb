// The scene's boundaries in device memory, where each substep sees them, and the order of their kernels.
#pragma once

#include <vector>

#include "engine/mpm/boundary_nodes.h"
#include "gpu/executor.h"
#include "gpu/kernels/boundary_kernels.h"

namespace slipstick::gpu {

class BoundaryMemory {
 public:
  BoundaryMemory(Executor& executor, const Model& model);

  /// Where the boundaries are in each substep of a step that begins now; before its graph is replayed.
  void freeze(const mpm::StepInput& input, double dt, int substeps);
  /// Whether the boundaries are somewhere else in each substep: graphs for the one are none for the other.
  bool move() const { return lists_ > 1; }
  /// Rooms for the last freeze() and for what the last attempt asked for. @return whether anything was
  /// allocated
  bool ensure(int gridBlocks);

  // What a graph consists of: begin(); in each substep findNodes(), apply() once the grid has velocities, and
  // sumUp(); end().
  template <class Exec>
  void begin(Exec& executor) {
    if (empty()) return;
    executor.upload(device_.data(), pinned_.data(), lists_ * boundaries() * sizeof(DeviceBoundary));
    executor.clear(counts_.data(), sizeof(BoundCounts));
    executor.clear(total_.data(), boundaries() * sizeof(DeviceImpulse));
  }
  /// @param sorted  since the last substep
  template <class Exec>
  void findNodes(Exec& executor, const GridView& grid, int substep, bool sorted) {
    if (empty() || !(sorted || move())) return;
    const DeviceBoundary* const list =
        device_.data() + (move() ? static_cast<std::size_t>(substep) * boundaries() : 0);
    executor.launch(FindBounds{grid, view_, list}, grid.gridBlockRoom);
    executor.launch(JudgeBounds{grid, view_}, 1);
  }
  /// @param touched  per block of nodes: those that contacts decide about; or null
  template <class Exec>
  void apply(Exec& executor, const GridView& grid, const std::uint64_t* touched) {
    if (!empty())
      executor.launch(ApplyBounds{grid, view_, touched}, teamsFor(grid.gridBlockRoom * kBlockNodes));
  }
  /// @param last  before a sort, or of all
  template <class Exec>
  void sumUp(Exec& executor, const GridView& grid, bool last) {
    if (empty() || !(last || move())) return;
    executor.launch(SumGroups{grid, view_}, groupsFor(grid.gridBlockRoom));
    executor.launch(SumBoundaries{grid, view_}, view_.boundaries);
  }
  template <class Exec>
  void end(Exec& executor) {
    if (empty()) return;
    executor.download(hostCounts_.data(), counts_.data(), sizeof(BoundCounts));
    executor.download(hostTotal_.data(), total_.data(), boundaries() * sizeof(DeviceImpulse));
  }

  /// After an attempt that failed: asks for more room, where that was it.
  void learn();
  /// What the boundaries have received, after an attempt that succeeded.
  void addTo(mpm::StepResult& result) const;
  /// The bounds of the grid's nodes, between findNodes() and the next.
  const BoundaryView& view() const { return view_; }

 private:
  bool empty() const { return view_.boundaries == 0 || lists_ == 0; }
  std::size_t boundaries() const { return static_cast<std::size_t>(view_.boundaries); }
  void write(DeviceBoundary* list) const;

  const Model& model_;
  std::vector<mpm::FrozenBoundary> frozen_;
  std::size_t lists_ = 0;  ///< of boundaries: one, or one per substep; 0: no step yet
  PinnedArray<DeviceBoundary> pinned_;
  DeviceArray<DeviceBoundary> device_;
  bool grown_ = false;  ///< since the last ensure()
  DeviceArray<BoundCounts> counts_;
  DeviceArray<std::uint64_t> bounded_;
  DeviceArray<BoundRange> ranges_;
  DeviceArray<DeviceBound> bounds_;
  DeviceArray<DeviceImpulse> given_, groups_, total_;
  PinnedArray<BoundCounts> hostCounts_;
  PinnedArray<DeviceImpulse> hostTotal_;
  std::size_t boundsWanted_;
  BoundaryView view_{};
};

}  // namespace slipstick::gpu

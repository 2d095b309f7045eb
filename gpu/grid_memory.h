// The grid's arrays in device memory and those that a sort works in.
#pragma once

#include <algorithm>

#include "engine/model/model.h"
#include "engine/mpm/position_format.h"
#include "gpu/executor.h"
#include "gpu/kernels/sort_kernels.h"
#include "gpu/particle_store.h"

namespace slipstick::gpu {

class GridMemory {
 public:
  explicit GridMemory(Executor& executor)
      : gridKeys_(executor),
        massive_(executor),
        gridBlocks_(executor),
        around_(executor),
        tiles_(executor),
        nodes_(executor),
        keys_(executor),
        sortedKeys_(executor),
        values_(executor),
        sortedValues_(executor),
        head_(executor),
        before_(executor) {}

  /// @return whether anything was allocated
  bool ensure(int particles, int blocks, int gridBlocks) {
    const auto b = static_cast<std::size_t>(blocks), g = static_cast<std::size_t>(gridBlocks);
    const std::size_t entries = std::max(static_cast<std::size_t>(particles), 27 * b);
    bool grown = gridKeys_.ensure(g);
    grown = massive_.ensure(g) || grown;
    grown = gridBlocks_.ensure(27 * b) || grown;
    grown = around_.ensure(27 * g) || grown;
    grown = tiles_.ensure(b * kTileNodes) || grown;
    grown = nodes_.ensure(g * kBlockNodes) || grown;
    for (auto* keys : {&keys_, &sortedKeys_}) grown = keys->ensure(entries) || grown;
    for (auto* values : {&values_, &sortedValues_, &head_, &before_})
      grown = values->ensure(entries) || grown;
    return grown;
  }
  int gridBlockCapacity() const { return static_cast<int>(gridKeys_.size()); }

  void show(GridView& view) {
    view.gridBlockCapacity = gridBlockCapacity();
    view.gridKeys = gridKeys_.data();
    view.gridBlocks = gridBlocks_.data();
    view.around = around_.data();
    view.tiles = tiles_.data();
    view.nodes = nodes_.data();
    view.massive = massive_.data();
  }

  /// Takes the particles from one store to another, each where it is now, and lays out the grid around them.
  template <class Exec>
  void sort(Exec& executor, const GridView& from, const GridView& to) {
    const int count = to.particles, links = 27 * to.blockCapacity;
    executor.launch(FindKeys{from, keys_.data(), values_.data()}, teamsFor(count));
    order(executor, count, kBlockKeyBits + kCellBits, kCellBits);
    executor.launch(Arrange{from, to, sortedKeys_.data(), sortedValues_.data(), head_.data(), before_.data()},
                    teamsFor(count));
    executor.launch(JudgeCapacities{to}, 1);
    executor.launch(ListNeighbours{to, keys_.data(), values_.data()}, teamsFor(links));
    order(executor, links, kBlockKeyBits + 1, 0);
    executor.launch(
        LinkNodeBlocks{to, sortedKeys_.data(), sortedValues_.data(), head_.data(), before_.data()},
        teamsFor(links));
    executor.launch(JudgeCapacities{to}, 1);
    executor.launch(LinkParticleBlocks{to}, teamsFor(27 * to.gridBlockCapacity));
  }

 private:
  /// Sorts keys with their values and counts the blocks that they name.
  template <class Exec>
  void order(Exec& executor, int count, int bits, int shift) {
    executor.sortPairs(keys_.data(), sortedKeys_.data(), values_.data(), sortedValues_.data(), count, bits);
    executor.launch(MarkHeads{sortedKeys_.data(), count, shift, kNoBlock, head_.data()}, teamsFor(count));
    executor.exclusiveScan(head_.data(), before_.data(), count);
  }

  DeviceArray<std::uint64_t> gridKeys_, massive_;
  DeviceArray<int> gridBlocks_, around_;
  DeviceArray<DeviceNode> tiles_, nodes_;
  DeviceArray<std::uint64_t> keys_, sortedKeys_;
  DeviceArray<int> values_, sortedValues_, head_, before_;
};

}  // namespace slipstick::gpu

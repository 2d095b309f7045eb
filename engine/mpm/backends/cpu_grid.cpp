#include "engine/mpm/backends/cpu_grid.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace slipstick::mpm {
namespace {

constexpr int kFirstOwn = 1,
              kEndOwn = kFirstOwn + kBlockEdge;  // a block's own nodes in its tile, along an axis

/// Which nodes of a row load() fills: whole blocks' shares.
std::pair<int, int> loadedAlongZ(const TileBox& box) {
  return {box.lower[2] < kFirstOwn ? 0 : kFirstOwn, box.upper[2] > kEndOwn ? kTileEdge : kEndOwn};
}

}  // namespace

void CpuGrid::resize(const ParticleBlocks& blocks) {
  tiles_.resize(blocks.blocks.size() * kTileFloats);
  boxes_.resize(blocks.blocks.size());
  nodes_.resize(blocks.gridBlocks.size() * kBlockNodes * 4);
  massive_.resize(blocks.gridBlocks.size());
  fresh_ = true;
}

int CpuGrid::activeNodes() const {
  return std::accumulate(massive_.begin(), massive_.end(), 0,
                         [](int count, NodeMask nodes) { return count + std::popcount(nodes); });
}

void CpuGrid::reduce(const ParticleBlocks& blocks, float dt, const Vec3& gravity, ThreadTeam& team) {
  // Most blocks take less time than it takes to hand one out.
  constexpr std::size_t kTogether = 16;
  const std::size_t count = blocks.gridBlocks.size();
  team.run(static_cast<int>((count + kTogether - 1) / kTogether), [&](int index) {
    const std::size_t first = kTogether * static_cast<std::size_t>(index);
    for (std::size_t g = first; g < std::min(count, first + kTogether); ++g) {
      ReduceArgs args{};
      args.tiles = tiles_.data();
      args.boxes = boxes_.data();
      const std::span<const TileAround> around = blocks.tilesAround(g);
      args.around = around.data();
      args.count = static_cast<int>(around.size());
      args.wasZero = !fresh_ && massive_[g] == 0;
      args.nodes = nodes_.data() + g * kBlockNodes * 4;
      for (int a = 0; a < 3; ++a) args.gravityStep[a] = dt * static_cast<float>(gravity(a));
      massive_[g] = kernels_.reduce(args);
    }
  });
  fresh_ = false;
}

bool CpuGrid::reads(const ParticleBlock& block, std::size_t index, const std::vector<NodeMask>& nodes) const {
  TileBox box = boxes_[index];
  std::tie(box.lower[2], box.upper[2]) = loadedAlongZ(box);
  for (int n = 0; n < 27; ++n) {
    const NodeMask mask = nodes[static_cast<std::size_t>(block.gridBlocks[static_cast<std::size_t>(n)])];
    if (mask == 0) continue;
    const std::array<int, 3> offset = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
    std::array<int, 3> lower, upper;
    for (std::size_t a = 0; a < 3; ++a) {
      const int shift = kFirstOwn + kBlockEdge * offset[a];
      lower[a] = std::clamp(box.lower[a] - shift, 0, kBlockEdge);
      upper[a] = std::clamp(box.upper[a] - shift, 0, kBlockEdge);
    }
    if ((mask & nodesWithin(lower, upper)) != 0) return true;
  }
  return false;
}

/// Row by row: the last node of the lower neighbour, our four, three of the upper one.
void CpuGrid::load(const ParticleBlock& block, std::size_t index) {
  const TileBox& box = boxes_[index];
  const auto [lowest, end] = loadedAlongZ(box);
  float* const tile = this->tile(index);
  const auto copyNodes = [&](std::size_t neighbour, int local, int count, float* to) {
    const float* from = nodes_.data() + (static_cast<std::size_t>(block.gridBlocks[neighbour]) * kBlockNodes +
                                         static_cast<std::size_t>(local)) *
                                            4;
    std::memcpy(to, from, static_cast<std::size_t>(count) * 4 * sizeof(float));
  };
  for (int i = box.lower[0]; i < box.upper[0]; ++i)
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      const auto n =
          static_cast<std::size_t>(9 * (blockOf(i - kFirstOwn) + 1) + 3 * (blockOf(j - kFirstOwn) + 1));
      const int row = (withinBlock(i - kFirstOwn) * kBlockEdge + withinBlock(j - kFirstOwn)) * kBlockEdge;
      float* to = tile + (i * kTileEdge + j) * kTileEdge * 4;
      if (lowest < kFirstOwn) copyNodes(n, row + kBlockEdge - 1, 1, to);
      copyNodes(n + 1, row, kBlockEdge, to + 4 * kFirstOwn);
      if (end > kEndOwn) copyNodes(n + 2, row, kTileEdge - kEndOwn, to + 4 * kEndOwn);
    }
}

}  // namespace slipstick::mpm

#include "engine/mpm/backends/cpu_boundaries.h"

#include <algorithm>
#include <cmath>

#include "engine/geometry/signed_distance.h"
#include "engine/lanes/eigen_lanes.h"

namespace slipstick::mpm {
namespace {

/// Nodes that one thread takes at a time; fixed, so that sums do not depend on the number of threads.
constexpr std::size_t kChunk = 256;

/// Blocks that RestingBounds keeps at most, about 100 MB: cloth that is dragged far leaves many behind.
constexpr int kMaxBlocks = 1 << 14;

/// Lowest node of a block, in nodes.
Vec3 cornerOf(const BlockCoordinates& at) {
  return kBlockEdge * Vec3(at.x, at.y, at.z);
}

/// A node of a block, in nodes from its corner.
Vec3 placeOf(int n) {
  return Vec3(n / (kBlockEdge * kBlockEdge), n / kBlockEdge % kBlockEdge, n % kBlockEdge);
}

bool isAtRest(const FrozenBoundary& boundary) {
  return boundary.V_WS.v.isZero(0) && boundary.V_WS.w.isZero(0);
}

}  // namespace

void RestingBounds::begin(const std::vector<FrozenBoundary>& boundaries) {
  std::size_t count = 0;
  bool same = true;
  for (const FrozenBoundary& b : boundaries) {
    if (!isAtRest(b)) continue;
    same = same && count < resting_.size() && resting_[count].index == b.index &&
           resting_[count].X_WS.p == b.X_WS.p && resting_[count].X_WS.R == b.X_WS.R;
    ++count;
  }
  if (same && count == resting_.size() && blocks_.size() < kMaxBlocks) return;
  forget();
  resting_.clear();
  for (const FrozenBoundary& b : boundaries)
    if (isAtRest(b)) resting_.push_back({b.index, b.X_WS});
}

void RestingBounds::forget() {
  blocks_.clear();
  firstNode_.assign(1, 0);
  nodes_.clear();
  bounds_.clear();
}

void RestingBounds::add(std::size_t gridBlock, const BlockCoordinates& at,
                        std::span<const FrozenBoundary* const> boundaries, double gridSpacing,
                        BoundaryNodes& nodes) {
  const int known = blocks_.size();
  const auto block = static_cast<std::size_t>(blocks_.insert(blockKey(at.x, at.y, at.z)));
  if (blocks_.size() > known) {
    try {
      addBlock(at, boundaries, gridSpacing);
    } catch (...) {
      forget();  // it is there by half
      throw;
    }
  }
  for (std::size_t i = firstNode_[block]; i < firstNode_[block + 1]; ++i)
    nodes.add(gridBlock * kBlockNodes + nodes_[i].place,
              NodeBounds(bounds_).subspan(nodes_[i].begin, nodes_[i].end - nodes_[i].begin));
}

/// What is known of the block that has been numbered last.
void RestingBounds::addBlock(const BlockCoordinates& at, std::span<const FrozenBoundary* const> boundaries,
                             double gridSpacing) {
  for (int n = 0; n < kBlockNodes; ++n) {
    const std::size_t begin = bounds_.size();
    addBounds(gridSpacing * (cornerOf(at) + placeOf(n)), boundaries, gridSpacing, bounds_);
    if (bounds_.size() > begin) nodes_.push_back({static_cast<std::size_t>(n), begin, bounds_.size()});
  }
  firstNode_.push_back(nodes_.size());
}

void CpuBoundaries::findBlocks(const std::vector<BlockCoordinates>& blocks, double time) {
  near_.clear();
  nearBoundaries_.clear();
  if (frozen_.empty()) return;
  const double h = model_.gridSpacing, middle = 0.5 * (kBlockEdge - 1);
  const double radius = 1.01 * std::sqrt(3.0) * middle * h;  // of a block's nodes around its centre
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Vec3 centre = h * (cornerOf(blocks[b]) + Vec3::Constant(middle));
    const std::size_t begin = nearBoundaries_.size();
    for (const FrozenBoundary& f : frozen_) {
      const double way = time * (f.V_WS.v.norm() + f.V_WS.w.norm() * (centre - f.X_WS.p).norm());
      if (signedDistance<double>(f.shape, toLanes<double>(Vec3(f.X_SW * centre))).phi < radius + way)
        nearBoundaries_.push_back(&f);
    }
    if (nearBoundaries_.size() > begin) near_.push_back({b, begin, nearBoundaries_.size()});
  }
}

void CpuBoundaries::findNodes(const std::vector<BlockCoordinates>& blocks) {
  nodes_.clear();
  if (near_.empty()) return;
  nodes_.begin(blocks.size() * kBlockNodes);
  const double h = model_.gridSpacing;
  for (const NearBlock& near : near_) {
    const Vec3 corner = cornerOf(blocks[near.block]);
    const auto boundaries = std::span(nearBoundaries_).subspan(near.begin, near.end - near.begin);
    if (std::all_of(boundaries.begin(), boundaries.end(), [](const auto* b) { return isAtRest(*b); })) {
      resting_.add(near.block, blocks[near.block], boundaries, h, nodes_);
      continue;
    }
    for (int n = 0; n < kBlockNodes; ++n)
      nodes_.test(near.block * kBlockNodes + static_cast<std::size_t>(n), h * (corner + placeOf(n)),
                  boundaries, h);
  }
}

void CpuBoundaries::apply(ThreadTeam& team, AlignedVector<float>& grid, std::span<const NodeMask> touched,
                          StepAccount& account) {
  const std::size_t count = nodes_.nodes().size(), chunks = (count + kChunk - 1) / kChunk;
  if (count == 0) return;
  if (impulses_.size() < chunks) impulses_.resize(chunks);
  team.run(static_cast<int>(chunks), [&](int index) {
    const auto chunk = static_cast<std::size_t>(index);
    impulses_[chunk].assign(model_.boundaries.size(), {});
    applyTo(chunk * kChunk, std::min(count, (chunk + 1) * kChunk), grid, touched, impulses_[chunk]);
  });
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) account.addBoundaries(impulses_[chunk]);
}

void CpuBoundaries::applyTo(std::size_t begin, std::size_t end, AlignedVector<float>& grid,
                            std::span<const NodeMask> touched, std::vector<BoundaryImpulse>& impulses) const {
  for (std::size_t i = begin; i < end; ++i) {
    const BoundaryNodes::Node& n = nodes_.nodes()[i];
    float* node = grid.data() + 4 * n.gridNode;
    if (!(node[3] > 0)) continue;
    if (!touched.empty() && (touched[n.gridNode / kBlockNodes] >> n.gridNode % kBlockNodes & 1) != 0)
      continue;
    const Vec3 v = toEigen(V3<float>{node[0], node[1], node[2]});
    const V3<float> bounded =
        toLanes<float>(boundedVelocity(v, static_cast<double>(node[3]), nodes_.boundsOf(n), impulses));
    node[0] = bounded.x, node[1] = bounded.y, node[2] = bounded.z;
  }
}

}  // namespace slipstick::mpm

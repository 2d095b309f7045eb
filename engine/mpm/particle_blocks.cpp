#include "engine/mpm/particle_blocks.h"

#include <algorithm>
#include <numeric>

namespace slipstick::mpm {
namespace {

/// First node of the particle's stencil.
BlockCoordinates baseNode(const Vec3& x, float h) {
  const auto along = [h](double c) { return static_cast<int>(std::floor(static_cast<float>(c) / h - 0.5f)); };
  return {along(x.x()), along(x.y()), along(x.z())};
}

template <class Visit>
void forEachNeighbour(const BlockCoordinates& at, Visit visit) {
  std::size_t n = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) visit(n++, blockKey(at.x + i, at.y + j, at.z + k));
}

}  // namespace

void ParticleBlocks::load(const Model& model, const ParticleState& state) {
  assignBlocks(model, state);
  layOutRanges(model);
  const std::size_t deformables = model.deformables.size();
  for (std::size_t d = 0; d < deformables; ++d)
    for (int p = model.deformables[d].begin; p < model.deformables[d].end; ++p) {
      const auto block = static_cast<std::size_t>(
          rank_[static_cast<std::size_t>(blockOfParticle_[static_cast<std::size_t>(p)])]);
      fillLane(model, state, cursor_[block * deformables + d]++, p);
    }
  // The last pack of a range is filled up with massless copies of its first particle, which move as that one
  // does.
  for (const ParticleRange& r : ranges)
    for (int slot = r.firstSlot + r.count; slot % kPackLanes != 0; ++slot) {
      fillLane(model, state, slot, particleOfSlot[static_cast<std::size_t>(slot - slot % kPackLanes)]);
      pack(slot)[PackField::Mass * kPackLanes + slot % kPackLanes] = 0;
      particleOfSlot[static_cast<std::size_t>(slot)] = -1;
    }
  linkGridBlocks();
}

/// Finds the blocks and numbers them by key.
void ParticleBlocks::assignBlocks(const Model& model, const ParticleState& state) {
  found_.clear();
  blockOfParticle_.resize(state.x.size());
  const auto h = static_cast<float>(model.gridSpacing);
  std::uint64_t lastKey = KeyIndex::kNoKey;
  int lastBlock = -1;
  for (std::size_t p = 0; p < state.x.size(); ++p) {
    const BlockCoordinates node = baseNode(state.x[p], h);
    const std::uint64_t key = blockKey(blockOf(node.x), blockOf(node.y), blockOf(node.z));
    if (key != lastKey) {  // neighbours in the state are mostly neighbours in space
      lastBlock = found_.insert(key);
      lastKey = key;
    }
    blockOfParticle_[p] = lastBlock;
  }
  const std::vector<std::uint64_t>& keys = found_.keys();
  order_.resize(keys.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int a, int b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  rank_.resize(keys.size());
  for (std::size_t r = 0; r < order_.size(); ++r)
    rank_[static_cast<std::size_t>(order_[r])] = static_cast<int>(r);
}

/// Counting sort: how many particles each (block, deformable) has, then where their slots begin.
void ParticleBlocks::layOutRanges(const Model& model) {
  const std::size_t deformables = model.deformables.size();
  cursor_.assign(order_.size() * deformables, 0);
  for (std::size_t d = 0; d < deformables; ++d)
    for (int p = model.deformables[d].begin; p < model.deformables[d].end; ++p) {
      const auto block = static_cast<std::size_t>(
          rank_[static_cast<std::size_t>(blockOfParticle_[static_cast<std::size_t>(p)])]);
      ++cursor_[block * deformables + d];
    }
  blocks.clear();
  ranges.clear();
  int slot = 0;
  for (std::size_t b = 0; b < order_.size(); ++b) {
    ParticleBlock block;
    block.at = blockCoordinates(found_.keys()[static_cast<std::size_t>(order_[b])]);
    block.firstRange = static_cast<int>(ranges.size());
    for (std::size_t d = 0; d < deformables; ++d) {
      int& cursor = cursor_[b * deformables + d];
      const int count = cursor;
      cursor = slot;
      if (count == 0) continue;
      ranges.push_back({static_cast<int>(d), slot, count});
      slot += (count + kPackLanes - 1) / kPackLanes * kPackLanes;
    }
    block.endRange = static_cast<int>(ranges.size());
    blocks.push_back(block);
  }
  particleOfSlot.assign(static_cast<std::size_t>(slot), -1);
  packs_.resize(static_cast<std::size_t>(slot / kPackLanes) * kPackFloats);
}

void ParticleBlocks::fillLane(const Model& model, const ParticleState& state, int slot, int particle) {
  const auto p = static_cast<std::size_t>(particle);
  float* lane = pack(slot) + slot % kPackLanes;
  const auto put = [lane](int field, double value) { lane[field * kPackLanes] = static_cast<float>(value); };
  for (int a = 0; a < 3; ++a) {
    put(PackField::X + a, state.x[p](a));
    put(PackField::V + a, state.v[p](a));
    for (int b = 0; b < 3; ++b) {
      put(PackField::F + 3 * a + b, state.F[p](a, b));
      put(PackField::C + 3 * a + b, state.C[p](a, b));
    }
  }
  put(PackField::Mass, model.particles.mass[p]);
  put(PackField::Volume, model.particles.volume[p]);
  put(PackField::Plastic, state.plastic[p]);
  put(PackField::Internal, state.internal[p].x());
  put(PackField::Internal + 1, state.internal[p].y());
  particleOfSlot[static_cast<std::size_t>(slot)] = particle;
}

void ParticleBlocks::store(ParticleState& state) const {
  for (std::size_t s = 0; s < particleOfSlot.size(); ++s) {
    if (particleOfSlot[s] < 0) continue;
    const auto p = static_cast<std::size_t>(particleOfSlot[s]);
    const float* lane = pack(static_cast<int>(s)) + s % kPackLanes;
    const auto get = [lane](int field) { return static_cast<double>(lane[field * kPackLanes]); };
    for (int a = 0; a < 3; ++a) {
      state.x[p](a) = get(PackField::X + a);
      state.v[p](a) = get(PackField::V + a);
      for (int b = 0; b < 3; ++b) {
        state.F[p](a, b) = get(PackField::F + 3 * a + b);
        state.C[p](a, b) = get(PackField::C + 3 * a + b);
      }
    }
    state.plastic[p] = get(PackField::Plastic);
    state.internal[p] = {get(PackField::Internal), get(PackField::Internal + 1)};
  }
}

/// Grid blocks: every particle block and the 26 around it, which its tile overlaps.
void ParticleBlocks::linkGridBlocks() {
  gridIndex_.clear();
  for (ParticleBlock& block : blocks)
    forEachNeighbour(block.at,
                     [&](std::size_t n, std::uint64_t key) { block.gridBlocks[n] = gridIndex_.insert(key); });
  gridBlocks.assign(static_cast<std::size_t>(gridIndex_.size()), {});
  for (std::size_t g = 0; g < gridBlocks.size(); ++g) {
    gridBlocks[g].at = blockCoordinates(gridIndex_.keys()[g]);
    gridBlocks[g].particleBlocks.fill(-1);
  }
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t n = 0; n < 27; ++n)  // seen from the neighbour, we stand on the opposite side
      gridBlocks[static_cast<std::size_t>(blocks[b].gridBlocks[n])].particleBlocks[26 - n] =
          static_cast<int>(b);
}

}  // namespace slipstick::mpm

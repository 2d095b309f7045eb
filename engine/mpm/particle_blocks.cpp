#include "engine/mpm/particle_blocks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

namespace slipstick::mpm {
namespace {

/// Block of the first node of a particle's stencil. From the position alone, in double: wherever the particle
/// came from, it gets the same one.
std::uint64_t keyOf(const Vec3& x, double h) {
  const auto block = [h](double c) { return blockOf(static_cast<int>(std::floor(c / h - 0.5))); };
  return blockKey(block(x.x()), block(x.y()), block(x.z()));
}

template <class Visit>
void forEachNeighbour(const BlockCoordinates& at, Visit visit) {
  std::size_t n = 0;
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) visit(n++, blockKey(at.x + i, at.y + j, at.z + k));
}

int packsOf(int particles) {
  return (particles + kPackLanes - 1) / kPackLanes;
}

}  // namespace

Vec3 ParticleBlocks::position(int slot, const ParticleBlock& block) const {
  const float* lane = pack(slot) + slot % kPackLanes;
  const auto along = [&](int a) {
    return block.corner(a) + static_cast<double>(lane[(PackField::X + a) * kPackLanes]) +
           static_cast<double>(lane[(PackField::XLow + a) * kPackLanes]);
  };
  return {along(0), along(1), along(2)};
}

void ParticleBlocks::setPosition(int slot, const Vec3& local) {
  float* lane = pack(slot) + slot % kPackLanes;
  for (int a = 0; a < 3; ++a) {
    const PositionFormat::Parts parts = format_.split(local(a));
    lane[(PackField::X + a) * kPackLanes] = parts.high;
    lane[(PackField::XLow + a) * kPackLanes] = parts.low;
  }
}

void ParticleBlocks::load(const ParticleState& state) {
  keys_.resize(state.x.size());
  for (std::size_t p = 0; p < keys_.size(); ++p)
    keys_[p] = keyOf(format_.rounded(state.x[p]), model_->gridSpacing);
  assignBlocks();
  layOutRanges();
  giveSlots();
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    const ParticleRange& range = ranges[r];
    for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot)
      fillLane(state, slot, blocks[static_cast<std::size_t>(blockOfRange[r])]);
    fillUp(range);
  }
  linkGridBlocks();
}

void ParticleBlocks::sortFrom(const ParticleBlocks& unsorted, ThreadTeam& team) {
  keys_.resize(unsorted.slotOfParticle.size());
  stays_.resize(unsorted.ranges.size());
  team.run(static_cast<int>(unsorted.ranges.size()), [&](int index) {
    const auto r = static_cast<std::size_t>(index);
    stays_[r] = findKeys(unsorted, r);
  });
  assignBlocks();
  layOutRanges();
  giveSlots();
  team.run(static_cast<int>(ranges.size()) + 1, [&](int index) {
    if (index == 0) return linkGridBlocks();
    const auto r = static_cast<std::size_t>(index) - 1;
    if (!copyWhole(r, unsorted)) copyLanes(r, unsorted);
  });
}

/// Keys of a range's particles. @return whether all of them are still in their block
bool ParticleBlocks::findKeys(const ParticleBlocks& unsorted, std::size_t r) {
  const ParticleRange& range = unsorted.ranges[r];
  const ParticleBlock& block = unsorted.blocks[static_cast<std::size_t>(unsorted.blockOfRange[r])];
  const std::uint64_t home = blockKey(block.at.x, block.at.y, block.at.z);
  bool stays = true;
  for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot) {
    const std::uint64_t key = keyOf(unsorted.position(slot, block), model_->gridSpacing);
    keys_[static_cast<std::size_t>(unsorted.particleOfSlot[static_cast<std::size_t>(slot)])] = key;
    stays = stays && key == home;
  }
  return stays;
}

/// Finds the blocks of all keys and numbers them by key.
void ParticleBlocks::assignBlocks() {
  found_.clear();
  blockOfParticle_.resize(keys_.size());
  std::uint64_t lastKey = KeyIndex::kNoKey;
  int lastBlock = -1;
  for (std::size_t p = 0; p < keys_.size(); ++p) {
    if (keys_[p] != lastKey) {  // neighbours in the model are mostly neighbours in space
      lastBlock = found_.insert(keys_[p]);
      lastKey = keys_[p];
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
void ParticleBlocks::layOutRanges() {
  const std::size_t deformables = model_->deformables.size();
  cursor_.assign(order_.size() * deformables, 0);
  for (std::size_t d = 0; d < deformables; ++d)
    for (int p = model_->deformables[d].begin; p < model_->deformables[d].end; ++p)
      ++cursor_[rankOf(p) * deformables + d];
  blocks.clear();
  ranges.clear();
  blockOfRange.clear();
  int slot = 0;
  for (std::size_t b = 0; b < order_.size(); ++b) {
    ParticleBlock block;
    block.at = blockCoordinates(found_.keys()[static_cast<std::size_t>(order_[b])]);
    block.corner = format_.corner(block.at);
    block.firstRange = static_cast<int>(ranges.size());
    for (std::size_t d = 0; d < deformables; ++d) {
      int& cursor = cursor_[b * deformables + d];
      const int count = cursor;
      cursor = slot;
      if (count == 0) continue;
      ranges.push_back({static_cast<int>(d), slot, count});
      blockOfRange.push_back(static_cast<int>(b));
      slot += packsOf(count) * kPackLanes;
    }
    block.endRange = static_cast<int>(ranges.size());
    blocks.push_back(block);
  }
  particleOfSlot.assign(static_cast<std::size_t>(slot), -1);
  packs_.resize(static_cast<std::size_t>(slot / kPackLanes) * kPackFloats);
}

/// In each range the particles stand in the model's order.
void ParticleBlocks::giveSlots() {
  const std::size_t deformables = model_->deformables.size();
  slotOfParticle.resize(keys_.size());
  for (std::size_t d = 0; d < deformables; ++d)
    for (int p = model_->deformables[d].begin; p < model_->deformables[d].end; ++p) {
      const int slot = cursor_[rankOf(p) * deformables + d]++;
      particleOfSlot[static_cast<std::size_t>(slot)] = p;
      slotOfParticle[static_cast<std::size_t>(p)] = slot;
    }
}

/// Takes over the packs of a range that nobody has left or entered. @return whether this is one
bool ParticleBlocks::copyWhole(std::size_t r, const ParticleBlocks& from) {
  const ParticleRange& range = ranges[r];
  const BlockCoordinates& at = blocks[static_cast<std::size_t>(blockOfRange[r])].at;
  const int found = from.found_.find(blockKey(at.x, at.y, at.z));
  if (found < 0) return false;
  const ParticleBlock& old =
      from.blocks[static_cast<std::size_t>(from.rank_[static_cast<std::size_t>(found)])];
  for (auto o = static_cast<std::size_t>(old.firstRange); o < static_cast<std::size_t>(old.endRange); ++o) {
    const ParticleRange& was = from.ranges[o];
    if (was.deformable != range.deformable) continue;
    if (!stays_[o] || was.count != range.count) return false;
    std::memcpy(pack(range.firstSlot), from.pack(was.firstSlot),
                static_cast<std::size_t>(packsOf(range.count) * kPackFloats) * sizeof(float));
    fillUp(range);  // a pull moves the particles, not the copies that fill up
    return true;
  }
  return false;
}

void ParticleBlocks::copyLanes(std::size_t r, const ParticleBlocks& from) {
  const ParticleRange& range = ranges[r];
  const Vec3& corner = blocks[static_cast<std::size_t>(blockOfRange[r])].corner;
  for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot) {
    const int old =
        from.slotOfParticle[static_cast<std::size_t>(particleOfSlot[static_cast<std::size_t>(slot)])];
    const float* source = from.pack(old) + old % kPackLanes;
    float* lane = pack(slot) + slot % kPackLanes;
    for (int field = 0; field < PackField::Count; ++field)
      lane[field * kPackLanes] = source[field * kPackLanes];
    const Vec3& oldCorner = from.cornerOf(old);
    if (oldCorner != corner) {
      const auto part = [&](int field) { return static_cast<double>(source[field * kPackLanes]); };
      Vec3 local = oldCorner - corner;
      for (int a = 0; a < 3; ++a) local(a) += part(PackField::X + a) + part(PackField::XLow + a);
      setPosition(slot, local);
    }
  }
  fillUp(range);
}

/// The last pack of a range is filled up with massless copies of its first particle, which move as that one
/// does.
void ParticleBlocks::fillUp(const ParticleRange& range) {
  for (int slot = range.firstSlot + range.count; slot % kPackLanes != 0; ++slot) {
    float* lanes = pack(slot);
    for (int field = 0; field < PackField::Count; ++field)
      lanes[field * kPackLanes + slot % kPackLanes] = lanes[field * kPackLanes];
    lanes[PackField::Mass * kPackLanes + slot % kPackLanes] = 0;
  }
}

void ParticleBlocks::fillLane(const ParticleState& state, int slot, const ParticleBlock& block) {
  const auto p = static_cast<std::size_t>(particleOfSlot[static_cast<std::size_t>(slot)]);
  float* lane = pack(slot) + slot % kPackLanes;
  const auto put = [lane](int field, double value) { lane[field * kPackLanes] = static_cast<float>(value); };
  setPosition(slot, format_.rounded(state.x[p]) - block.corner);
  for (int a = 0; a < 3; ++a) {
    put(PackField::V + a, state.v[p](a));
    for (int b = 0; b < 3; ++b) {
      put(PackField::F + 3 * a + b, state.F[p](a, b));
      put(PackField::C + 3 * a + b, state.C[p](a, b));
    }
  }
  put(PackField::Mass, model_->nodes.mass[p]);
  put(PackField::Volume, model_->nodes.volume[p]);
  put(PackField::Plastic, state.plastic[p]);
  put(PackField::Internal, state.internal[p].x());
  put(PackField::Internal + 1, state.internal[p].y());
}

void ParticleBlocks::store(ParticleState& state) const {
  const std::size_t count = slotOfParticle.size();
  for (auto* vectors : {&state.x, &state.v}) vectors->resize(count);
  for (auto* matrices : {&state.F, &state.C}) matrices->resize(count);
  state.plastic.resize(count);
  state.internal.resize(count);
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    const ParticleBlock& block = blocks[static_cast<std::size_t>(blockOfRange[r])];
    for (int slot = ranges[r].firstSlot; slot < ranges[r].firstSlot + ranges[r].count; ++slot) {
      const auto p = static_cast<std::size_t>(particleOfSlot[static_cast<std::size_t>(slot)]);
      const float* lane = pack(slot) + slot % kPackLanes;
      const auto get = [lane](int field) { return static_cast<double>(lane[field * kPackLanes]); };
      state.x[p] = position(slot, block);
      for (int a = 0; a < 3; ++a) {
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
}

/// Grid blocks: every particle block and the 26 around it, which its tile overlaps.
void ParticleBlocks::linkGridBlocks() {
  gridIndex_.clear();
  for (ParticleBlock& block : blocks)
    forEachNeighbour(block.at,
                     [&](std::size_t n, std::uint64_t key) { block.gridBlocks[n] = gridIndex_.insert(key); });
  const auto count = static_cast<std::size_t>(gridIndex_.size());
  gridBlocks.resize(count);
  for (std::size_t g = 0; g < count; ++g) gridBlocks[g] = blockCoordinates(gridIndex_.keys()[g]);

  // Counting sort of the same links by grid block.
  firstAround_.assign(count + 1, 0);
  for (const ParticleBlock& block : blocks)
    for (const int g : block.gridBlocks) ++firstAround_[static_cast<std::size_t>(g)];
  int end = 0;
  for (int& first : firstAround_) first = std::exchange(end, end + first);
  around_.resize(static_cast<std::size_t>(end));
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (std::size_t n = 0; n < 27; ++n) {  // seen from the neighbour, we stand on the opposite side
      int& next = firstAround_[static_cast<std::size_t>(blocks[b].gridBlocks[n])];
      around_[static_cast<std::size_t>(next++)] = {static_cast<int>(b), 26 - static_cast<int>(n)};
    }
  // Each entry now stands where its block's links end, which is where the next one's begin.
  std::copy_backward(firstAround_.begin(), firstAround_.end() - 1, firstAround_.end());
  firstAround_[0] = 0;
}

}  // namespace slipstick::mpm

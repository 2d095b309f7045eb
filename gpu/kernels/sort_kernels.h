// Once per step: which block and cell each particle is in, particles in that order, the blocks of nodes that they need,
// and how blocks of particles and of nodes find each other. Everything depends on positions alone.
#pragma once

#include "engine/lanes/lane.h"
#include "gpu/atomics.h"
#include "gpu/particle_view.h"

namespace slipstick::gpu {

/// Threads of teams that treat every entry of an array alike.
inline constexpr int kPlainThreads = 256;
constexpr int teamsFor(int count) {
  return (count + kPlainThreads - 1) / kPlainThreads;
}

/// f(i) for the entries i < count of this team.
template <class Team, class F>
SIM_HD void forEntries(Team& team, int count, const F& f) {
  team.each([&](int thread) {
    const int i = team.index() * kPlainThreads + thread;
    if (i < count) f(i);
  });
}

/// Keys of the particles, in the model's order: block, then cell within it.
struct FindKeys {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  std::uint64_t* keys;
  int* values;  ///< the particles themselves

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, grid.particles, [&](int slot) {
      if (grid.stopped()) return;
      const BlockPlace place = placeOfBlock(grid.blockKeys[grid.blockOfSlot[slot]]);
      const int block[3] = {place.x, place.y, place.z};
      int base[3];
      for (int a = 0; a < 3; ++a) {
        const double x =
            (cornerAlong(grid, block[a]) + static_cast<double>(grid.at.at(PackField::X + a, slot))) +
            static_cast<double>(grid.at.at(PackField::XLow + a, slot));
        base[a] = static_cast<int>(lanes::floor(x / grid.h - 0.5));
      }
      const std::uint64_t block42 =
          deviceBlockKey(mpm::blockOf(base[0]), mpm::blockOf(base[1]), mpm::blockOf(base[2]));
      const int cell = (mpm::withinBlock(base[0]) * kBlockEdge + mpm::withinBlock(base[1])) * kBlockEdge +
                       mpm::withinBlock(base[2]);
      const int particle = grid.particleOfSlot[slot];
      keys[particle] = block42 << kCellBits | static_cast<std::uint64_t>(cell);
      values[particle] = particle;
    });
  }
};

/// 1 where a sorted key's name differs from the one before; keys with names from `end` on are none.
struct MarkHeads {
  static constexpr int kThreads = kPlainThreads;
  const std::uint64_t* keys;
  int count;
  int shift;  ///< of the bits that do not belong to the name
  std::uint64_t end;
  int* head;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, count, [&](int i) {
      const bool exists = keys[i] >> shift < end;
      head[i] = exists && (i == 0 || keys[i] >> shift != keys[i - 1] >> shift) ? 1 : 0;
    });
  }
};

/// Names the blocks of particles, and takes each particle to its new place.
struct Arrange {
  static constexpr int kThreads = kPlainThreads;
  GridView from, to;          ///< `to` has the same counts
  const std::uint64_t* keys;  ///< sorted …
  const int* particles;       ///< … with their particles
  const int* head;
  const int* before;  ///< heads before an entry

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, to.particles, [&](int slot) {
      if (to.stopped()) return;
      const int block = before[slot] + head[slot] - 1, particle = particles[slot];
      const std::uint64_t key = keys[slot] >> kCellBits;
      to.particleOfSlot[slot] = particle;
      to.slotOfParticle[particle] = slot;
      take(from.slotOfParticle[particle], slot, placeOfBlock(key));
      if (slot == to.particles - 1) {
        to.counts->blocks = block < to.blockCapacity ? block + 1 : 0;
        to.counts->blocksNeeded = block + 1;
      }
      if (block >= to.blockCapacity) return;
      to.blockOfSlot[slot] = block;
      if (head[slot] != 0) {
        to.blockKeys[block] = key;
        to.firstSlot[block] = slot;
      }
      if (slot == to.particles - 1) to.firstSlot[block + 1] = to.particles;
    });
  }

 private:
  SIM_HD void take(int old, int slot, const BlockPlace& place) const {
    for (int field = PackField::V; field < PackField::Count; ++field)
      to.at.at(field, slot) = from.at.at(field, old);
    const BlockPlace was = placeOfBlock(from.blockKeys[from.blockOfSlot[old]]);
    const int oldBlock[3] = {was.x, was.y, was.z}, newBlock[3] = {place.x, place.y, place.z};
    for (int a = 0; a < 3; ++a) {
      const float high = from.at.at(PackField::X + a, old), low = from.at.at(PackField::XLow + a, old);
      const double way = cornerAlong(from, oldBlock[a]) - cornerAlong(to, newBlock[a]);
      const double local = way + (static_cast<double>(high) + static_cast<double>(low));
      const mpm::FixedPoint<float> split = splitPosition(to, local);
      to.at.at(PackField::X + a, slot) = oldBlock[a] == newBlock[a] ? high : split.high;
      to.at.at(PackField::XLow + a, slot) = oldBlock[a] == newBlock[a] ? low : split.low;
    }
  }
};

/// The impulses of the last contacts go with the particles.
struct CopyImpulses {
  static constexpr int kThreads = kPlainThreads;
  LastImpulsesView from, to;
  int particles;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const int capacity = from.capacity < to.capacity ? from.capacity : to.capacity;
    forEntries(team, particles > capacity ? particles : capacity, [&](int i) {
      if (i < particles) {
        to.first[i] = from.first[i];
        to.count[i] = from.count[i];
      }
      if (i >= capacity) return;
      to.geometry[i] = from.geometry[i];
      for (int a = 0; a < 3; ++a) to.gamma[a * to.capacity + i] = from.gamma[a * from.capacity + i];
    });
  }
};

/// Keys of the 27 blocks of nodes around each block of particles, and whom they belong to.
struct ListNeighbours {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  std::uint64_t* keys;
  int* values;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, 27 * grid.blockCapacity, [&](int i) {
      const int block = i / 27, n = i % 27;
      values[i] = i;
      keys[i] = kNoBlock;
      if (grid.stopped() || block >= grid.counts->blocks) return;
      const BlockPlace at = placeOfBlock(grid.blockKeys[block]);
      keys[i] = deviceBlockKey(at.x + n / 9 - 1, at.y + n / 3 % 3 - 1, at.z + n % 3 - 1);
    });
  }
};

/// Names the blocks of nodes and tells each block of particles its own.
struct LinkNodeBlocks {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;
  const std::uint64_t* keys;  ///< sorted neighbours …
  const int* links;           ///< … and their places in gridBlocks
  const int* head;
  const int* before;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    const int count = 27 * grid.blockCapacity;
    forEntries(team, count, [&](int i) {
      if (grid.stopped()) return;
      const int block = before[i] + head[i] - 1;
      if (i == count - 1) {
        grid.counts->gridBlocks = block < grid.gridBlockCapacity ? block + 1 : 0;
        grid.counts->gridBlocksNeeded = block + 1;
      }
      if (keys[i] >= kNoBlock || block >= grid.gridBlockCapacity) return;
      grid.gridBlocks[links[i]] = block;
      if (head[i] != 0) grid.gridKeys[block] = keys[i];
    });
  }
};

/// Whether all blocks have found capacity; a kernel of its own, so that no other one sees the answer change. A step
/// that has stopped has no blocks any more: nobody has sorted its particles.
struct JudgeCapacities {
  static constexpr int kThreads = kWarp;
  GridView grid;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    team.each([&](int thread) {
      if (thread != 0) return;
      GridCounts& c = *grid.counts;
      if (!grid.stopped())
        c.failed = c.blocksNeeded > grid.blockCapacity || c.gridBlocksNeeded > grid.gridBlockCapacity ? 1 : 0;
      if (grid.stopped()) c.blocks = c.gridBlocks = 0;
    });
  }
};

/// Of each block of nodes, the blocks of particles around it.
struct LinkParticleBlocks {
  static constexpr int kThreads = kPlainThreads;
  GridView grid;

  template <class Team>
  SIM_HD void operator()(Team& team) const {
    forEntries(team, 27 * grid.gridBlockCapacity, [&](int i) {
      const int block = i / 27, n = i % 27;
      if (grid.stopped() || block >= grid.counts->gridBlocks) return;
      const BlockPlace at = placeOfBlock(grid.gridKeys[block]);
      grid.around[i] = find(deviceBlockKey(at.x + n / 9 - 1, at.y + n / 3 % 3 - 1, at.z + n % 3 - 1));
    });
  }

 private:
  /// The block of particles with this key, −1 if there is none.
  SIM_HD int find(std::uint64_t key) const {
    int low = 0, high = grid.counts->blocks;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (grid.blockKeys[middle] < key)
        low = middle + 1;
      else
        high = middle;
    }
    return low < grid.counts->blocks && grid.blockKeys[low] == key ? low : -1;
  }
};

}  // namespace slipstick::gpu

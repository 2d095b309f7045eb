// One set of sorted particles in device memory, and its way from and to the engine's form.
#pragma once

#include <memory>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/state.h"
#include "engine/mpm/position_format.h"
#include "gpu/executor.h"
#include "gpu/particle_view.h"

namespace slipstick::gpu {

class ParticleStore {
 public:
  explicit ParticleStore(Executor& executor)
      : packs_(executor),
        particleOfSlot_(executor),
        slotOfParticle_(executor),
        blockOfSlot_(executor),
        firstSlot_(executor),
        blockKeys_(executor) {}

  /// Room for so many particles and blocks. @return whether anything was allocated: then what was here is gone
  bool ensure(int particles, int blocks);
  int blockRoom() const { return static_cast<int>(blockKeys_.size()); }
  const float* packs() const { return packs_.data(); }
  /// Names these arrays in a view.
  void show(GridView& view);

  /// Fills it from the host, each particle in the block where it is, in the model's order; only a sort makes of this
  /// what kernels step. Waits. @param staging  pinned memory that it may use
  void load(Executor& executor, const Model& model, const ParticleState& particles, PinnedArray<std::byte>& staging);
  /// Of sorted particles; waits. x, v, F, C, plastic and internal.
  void save(Executor& executor, const Model& model, ParticleState& particles, PinnedArray<std::byte>& staging) const;

  friend void swap(ParticleStore& a, ParticleStore& b) noexcept {
    swap(a.packs_, b.packs_);
    swap(a.particleOfSlot_, b.particleOfSlot_);
    swap(a.slotOfParticle_, b.slotOfParticle_);
    swap(a.blockOfSlot_, b.blockOfSlot_);
    swap(a.firstSlot_, b.firstSlot_);
    swap(a.blockKeys_, b.blockKeys_);
  }

 private:
  DeviceArray<float> packs_;
  DeviceArray<int> particleOfSlot_, slotOfParticle_, blockOfSlot_, firstSlot_;
  DeviceArray<std::uint64_t> blockKeys_;
};

}  // namespace slipstick::gpu

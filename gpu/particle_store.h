// One set of sorted particles in device memory, and its way from and to the engine's form.
#pragma once

#include <memory>
#include <vector>

#include "engine/model/model.h"
#include "engine/mpm/particle_state.h"
#include "engine/mpm/position_format.h"
#include "gpu/executor.h"
#include "gpu/particle_view.h"

namespace slipstick::gpu {

class ParticleStore {
 public:
  explicit ParticleStore(Executor& executor)
      : executor_(&executor),
        packs_(executor),
        particleOfSlot_(executor),
        slotOfParticle_(executor),
        blockOfSlot_(executor),
        firstSlot_(executor),
        blockKeys_(executor),
        firstImpulse_(executor),
        impulseCount_(executor),
        impulseGeometry_(executor),
        impulse_(executor) {}

  /// Room for so many particles, blocks and contacts. @return whether anything was allocated: then what was here is
  /// gone
  bool ensure(int particles, int blocks, int contacts);
  int blockCapacity() const { return static_cast<int>(blockKeys_.size()); }
  int impulseCapacity() const { return static_cast<int>(impulseGeometry_.size()); }
  /// Which of all sets of arrays this is: none has had the number before. It goes with the arrays when stores swap.
  long layout() const { return layout_; }
  /// Names these arrays in a view.
  void show(GridView& view);
  LastImpulsesView lastImpulses();

  /// Fills it from the host, each particle in the block where it is, in the model's order; only a sort makes of this
  /// what kernels step. Waits. @param staging  pinned memory that it may use
  void load(const Model& model, const mpm::ParticleState& particles, PinnedArray<std::byte>& staging);
  /// Of sorted particles; waits.
  void save(const Model& model, mpm::ParticleState& particles, PinnedArray<std::byte>& staging) const;

  friend void swap(ParticleStore& a, ParticleStore& b) noexcept {
    std::swap(a.layout_, b.layout_);
    swap(a.packs_, b.packs_);
    swap(a.particleOfSlot_, b.particleOfSlot_);
    swap(a.slotOfParticle_, b.slotOfParticle_);
    swap(a.blockOfSlot_, b.blockOfSlot_);
    swap(a.firstSlot_, b.firstSlot_);
    swap(a.blockKeys_, b.blockKeys_);
    swap(a.firstImpulse_, b.firstImpulse_);
    swap(a.impulseCount_, b.impulseCount_);
    swap(a.impulseGeometry_, b.impulseGeometry_);
    swap(a.impulse_, b.impulse_);
  }

 private:
  Executor* executor_;
  long layout_ = 0;
  DeviceArray<float> packs_;
  DeviceArray<int> particleOfSlot_, slotOfParticle_, blockOfSlot_, firstSlot_;
  DeviceArray<std::uint64_t> blockKeys_;
  DeviceArray<int> firstImpulse_, impulseCount_, impulseGeometry_;
  DeviceArray<float> impulse_;
};

}  // namespace slipstick::gpu

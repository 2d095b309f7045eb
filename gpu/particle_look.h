// What people see of the particles, on its way from the device: one array, one copy to pinned memory.
#pragma once

#include "engine/mpm/particle_facts.h"
#include "gpu/executor.h"
#include "gpu/kernels/look_kernels.h"

namespace slipstick::gpu {

class ParticleLook {
 public:
  explicit ParticleLook(Executor& executor) : executor_(executor), columns_(executor), pinned_(executor) {}

  /// Where kernels write it.
  LookView begin(std::size_t particles);
  /// Fills the view with what they have written. Waits.
  void finish(mpm::ParticleView& view);

 private:
  Executor& executor_;
  std::size_t particles_ = 0;
  DeviceArray<float> columns_;
  PinnedArray<float> pinned_;
};

}  // namespace slipstick::gpu

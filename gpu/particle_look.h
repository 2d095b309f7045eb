// What people see of the particles: one array on the device, one copy of it to pinned memory, and the array itself for
// whoever draws on the device.
#pragma once

#include "engine/mpm/particle_facts.h"
#include "gpu/executor.h"
#include "gpu/kernels/look_kernels.h"

namespace slipstick::gpu {

/// A step's array serves again once its source is gone; sources are used, and go, in other threads.
class ParticleLook {
 public:
  explicit ParticleLook(Executor& executor);
  ~ParticleLook();  ///< sources that are left have nothing to give from here on
  ParticleLook(const ParticleLook&) = delete;
  ParticleLook& operator=(const ParticleLook&) = delete;

  /// Where kernels write it.
  LookView begin(std::size_t particles);
  /// Fills the view, which has no source yet, with what they have written; it gets one unless too many are still about.
  /// Waits.
  void finish(SoftView& view);

 private:
  struct Arrays;
  class Source;

  Executor& executor_;
  std::shared_ptr<Arrays> arrays_;
  std::size_t particles_ = 0, now_ = 0;  ///< begun, in which array
  PinnedArray<float> pinned_;
};

}  // namespace slipstick::gpu

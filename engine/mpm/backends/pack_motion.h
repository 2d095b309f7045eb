// Particles in their packs, where a person pulls at them.
#pragma once

#include "engine/mpm/particle_blocks.h"
#include "engine/mpm/particle_pull.h"

namespace slipstick::mpm {

/// As pullParticles() wants them.
struct PackMotion {
  ParticleBlocks& blocks;

  int slotOf(int particle) const { return blocks.slotOfParticle[static_cast<std::size_t>(particle)]; }
  Vec3 vector(int slot, int field) const {
    const V3<float> v = blocks.vector(slot, field);
    return Vec3(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
  }
  Vec3 position(int particle) const {
    const int slot = slotOf(particle);
    return blocks.cornerOf(slot) + vector(slot, PackField::X);
  }
  Vec3 velocity(int particle) const { return vector(slotOf(particle), PackField::V); }
  void setVelocity(int particle, const Vec3& v) {
    const int slot = slotOf(particle);
    for (int a = 0; a < 3; ++a)
      blocks.pack(slot)[(PackField::V + a) * kPackLanes + slot % kPackLanes] = static_cast<float>(v(a));
  }
};

}  // namespace slipstick::mpm

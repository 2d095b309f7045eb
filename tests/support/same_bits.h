// Whether what was computed is the same to the last bit.
#pragma once

#include <cstring>
#include <vector>

#include "engine/mpm/particle_state.h"

namespace slipstick::testing {

/// Of elements without padding.
template <class T, class Allocator>
bool sameBits(const std::vector<T, Allocator>& a, const std::vector<T, Allocator>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

inline bool sameBits(const mpm::ParticleState& a, const mpm::ParticleState& b) {
  return sameBits(a.x, b.x) && sameBits(a.v, b.v) && sameBits(a.F, b.F) && sameBits(a.C, b.C) &&
         sameBits(a.plastic, b.plastic) && sameBits(a.internal, b.internal) &&
         sameBits(a.contacts, b.contacts);
}

}  // namespace slipstick::testing

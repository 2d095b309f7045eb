// What each contact received in the substep before: the start of the next solve.
#pragma once

#include <vector>

#include "engine/mpm/key_index.h"
#include "engine/mpm/lanes.h"
#include "engine/mpm/particle_state.h"

namespace slipstick::mpm {

/// Impulses by (particle, geometry). Part of the state, so that a step depends on that alone.
template <class Real>
class LastImpulses {
 public:
  void forget() {
    pairs_.clear();
    impulses_.clear();
  }
  /// [N s]; 0 for a contact that is new.
  V3<Real> of(int particle, int geometry) const {
    const int index = pairs_.find(contactKey(geometry, particle));
    return index < 0 ? V3<Real>{0, 0, 0} : impulses_[static_cast<std::size_t>(index)];
  }
  void add(int particle, int geometry, const V3<Real>& impulse) {
    pairs_.insert(contactKey(geometry, particle));
    impulses_.push_back(impulse);
  }
  void load(const std::vector<ContactImpulse>& from) {
    forget();
    for (const auto& [particle, geometry, impulse] : from)
      add(particle, geometry,
          {static_cast<Real>(impulse.x()), static_cast<Real>(impulse.y()), static_cast<Real>(impulse.z())});
  }
  void store(std::vector<ContactImpulse>& to) const {
    to.clear();
    for (std::size_t i = 0; i < impulses_.size(); ++i) {
      const std::uint64_t key = pairs_.keys()[i];
      const V3<Real>& impulse = impulses_[i];
      to.push_back({static_cast<int>(key & 0xffffffffu), static_cast<int>(key >> 32),
                    Vec3(static_cast<double>(impulse.x), static_cast<double>(impulse.y),
                         static_cast<double>(impulse.z))});
    }
  }

 private:
  KeyIndex pairs_;
  std::vector<V3<Real>> impulses_;
};

}  // namespace slipstick::mpm

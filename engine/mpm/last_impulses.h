// What each contact received in the substep before: the start of the next solve.
#pragma once

#include <vector>

#include "engine/mpm/key_index.h"
#include "engine/mpm/lanes.h"

namespace slipstick::mpm {

/// Impulses by (particle, geometry). Forgotten at the start of every step, so that a step depends on its
/// state alone.
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

 private:
  KeyIndex pairs_;
  std::vector<V3<Real>> impulses_;
};

}  // namespace slipstick::mpm

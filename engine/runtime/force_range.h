// The largest contact force that a run has shown so far: the scale of its force arrows, which never shrinks.
#pragma once

#include <algorithm>

#include "engine/model/snapshot.h"

namespace slipstick {

/// Running maximum, over the steps that it was given, of the largest |contactWrench[body].force| of any body.
/// What comes later never changes what it was at a step.
class ForceRange {
 public:
  ForceRange() = default;
  /// @param largest  of the steps before [N]
  explicit ForceRange(double largest) : largest_(largest) {}

  /// Takes in the next step. @return the largest force up to and including it [N]
  double update(const StepFacts& step) {
    for (const Wrench& wrench : step.contactWrench) largest_ = std::max(largest_, wrench.force.norm());
    return largest_;
  }
  double largest() const { return largest_; }  ///< [N]

 private:
  double largest_ = 0;
};

}  // namespace slipstick

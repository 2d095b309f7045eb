// The largest contact force that a run has shown so far: the scale of its force arrows, which never shrinks.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/model/snapshot.h"

namespace slipstick {

/// Running maximum, over the steps that it was given in their order, of the largest |contactWrench[body].force| of any
/// body, each smoothed over 50 ms: what lasts counts, an impact of a few steps does not dwarf it. What comes later never
/// changes what it was at a step.
class ForceRange {
 public:
  ForceRange() = default;
  /// Goes on from a step at `time` [s]. @param largest  up to and including it [N]
  ForceRange(double largest, double time) : largest_(largest), time_(time) {}

  /// Takes in the next step. @return the largest force up to and including it [N]
  double update(const StepFacts& step) {
    const double passed = time_ ? step.time - *time_ : 0;
    time_ = step.time;
    smooth_.resize(step.contactWrench.size(), 0);
    const double part = 1 - std::exp(-passed / kSmooth);
    for (std::size_t b = 0; b < smooth_.size(); ++b) {
      smooth_[b] += part * (step.contactWrench[b].force.norm() - smooth_[b]);
      largest_ = std::max(largest_, smooth_[b]);
    }
    return largest_;
  }
  double largest() const { return largest_; }  ///< [N]

 private:
  static constexpr double kSmooth = 0.05;  // [s]

  double largest_ = 0;
  std::optional<double> time_;  ///< of the last step [s]
  std::vector<double> smooth_;  ///< per body [N]
};

}  // namespace slipstick

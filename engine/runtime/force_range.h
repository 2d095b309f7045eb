// The largest contact force that a run has shown so far: the scale of its force arrows, which never shrinks.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "engine/facts/contact_pair.h"
#include "engine/model/snapshot.h"

namespace slipstick {

/// Running maximum, over the steps that it was given in their order, of the largest |contactWrench[body].force| of any
/// body that can move (where none can, of any), each smoothed over 50 ms: what lasts counts, an impact of a few steps
/// does not dwarf it, nor does all that a fixed floor carries. What comes later never changes what it was at a step.
class ForceRange {
 public:
  ForceRange() = default;
  /// Goes on from a step at `time` [s]. @param largest  up to and including it [N]
  ForceRange(double largest, double time) : largest_(largest), time_(time) {}

  /// Takes in the next step. @param model  null: all bodies count
  /// @return the largest force up to and including it [N]
  double update(const StepFacts& step, const Model* model) {
    const double passed = time_ ? step.time - *time_ : 0;
    time_ = step.time;
    smooth_.resize(step.contactWrench.size(), 0);
    const double part = 1 - std::exp(-passed / kSmooth);
    const bool any = anyMoves(step, model);
    for (std::size_t b = 0; b < smooth_.size(); ++b) {
      if (any && !canMove(*model, static_cast<int>(b))) continue;
      smooth_[b] += part * (step.contactWrench[b].force.norm() - smooth_[b]);
      largest_ = std::max(largest_, smooth_[b]);
    }
    return largest_;
  }
  double largest() const { return largest_; }  ///< [N]

 private:
  static constexpr double kSmooth = 0.05;  // [s]

  static bool anyMoves(const StepFacts& step, const Model* model) {
    bool any = false;
    for (std::size_t b = 0; model && b < step.contactWrench.size(); ++b)
      any |= canMove(*model, static_cast<int>(b));
    return any;
  }

  double largest_ = 0;
  std::optional<double> time_;  ///< of the last step [s]
  std::vector<double> smooth_;  ///< per body [N]
};

}  // namespace slipstick

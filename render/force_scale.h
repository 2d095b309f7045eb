// How long the arrow of a force is.
#pragma once

#include <map>
#include <optional>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "render/view.h"

namespace slipstick::render {

/// One for all arrows of a kind, so that they compare.
struct ForceScale {
  double metresPerNewton = 0;  ///< in the logarithmic scale, of the top
  double top = 0;              ///< the round force that the longest arrows stand for [N]
  bool logarithmic = false;

  /// Of an arrow [m]. The logarithmic scale spans two decades: length(f) = length(top) log₁₀(1 + 99 f/top)/2.
  double length(double force) const;
};

/// The largest net force of a pair over the last second, slowly forgotten: a scale by it holds still. Impacts
/// of a few steps count for little.
class ForceMemory {
 public:
  /// Every step in turn; starts afresh where time goes back.
  void add(const Model& model, const Snapshot& snapshot);
  double largest() const { return largest_; }  ///< [N]

 private:
  std::map<ContactPair, double> smooth_;  ///< |force| behind a filter [N]
  double largest_ = 0;
  std::optional<double> time_;  ///< of the last step [s]
};

/// @param largest  force that is to be drawn, of the run so far [N]
/// @param longest  arrow, in those of a net force [-]
ForceScale forceScale(const Model& model, const ViewOptions& options, double largest, double longest = 1);

}  // namespace slipstick::render

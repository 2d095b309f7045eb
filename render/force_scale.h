// How long the arrow of a force is.
#pragma once

#include <limits>

#include "engine/model/model.h"
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

/// As long as the scene's objects suggest, but from nearby no longer than the view has room for.
/// @param largest  force that is to be drawn, of the run so far [N]
/// @param viewSize  the smaller side of what the view shows at the camera's target [m]
/// @param longest  arrow, in those of a net force [-]
ForceScale forceScale(const Model& model, const ViewOptions& options, double largest,
                      double viewSize = std::numeric_limits<double>::infinity(), double longest = 1);

}  // namespace slipstick::render

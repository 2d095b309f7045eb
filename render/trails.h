// The ways that things came over the last second: whose they are, where they led, and the lines that show
// them.
#pragma once

#include <string>
#include <vector>

#include "engine/runtime/columns.h"
#include "render/frame.h"

namespace slipstick::render {

inline constexpr double kTrailSeconds = 1;

/// Something that leaves a trail.
struct Trailed {
  std::string name;         ///< of its observables: "pin.roller" has x, y and z as "pin.roller.x" …
  Vec3 com = Vec3::Zero();  ///< of a body, in its frame [m]
  bool turns = false;       ///< it has a frame: a body
};

/// What is selected: a body, the last link of a robot, a deformable; otherwise all deformables, and the
/// bodies that are driven and touch something; where none is driven, those that can move.
std::vector<Trailed> trailedOf(const FrameInput& input);

/// Centres of mass over the last second up to a step; what stood still the whole time has none.
std::vector<Trail> trailsOf(const RunColumns& columns, const std::vector<Trailed>& things, std::uint64_t step,
                            double dt);

/// As lines of constant width that fade towards the past.
std::vector<Stroke> strokesOf(const std::vector<Trail>& trails, Hex color);

}  // namespace slipstick::render

// What of a snapshot is drawn, and what is selected.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/model/contact.h"
#include "engine/model/math.h"

namespace slipstick::render {

enum class ParticleColor : std::uint8_t { Plain, Stress, PlasticStrain, Speed };

struct ViewOptions {
  bool contactPoints = false;  ///< discs (stick) and rings (slip) at contacts
  bool pressure = true;     ///< contact surfaces of rigid bodies, coloured; marks where they touch in points
  bool forces = true;       ///< contact force arrows
  bool splitForces = true;  ///< normal and friction arrows instead of the total
  bool forcesOnTop = true;  ///< arrows are not hidden by geometry
  bool transparentRobots = false;
  bool wireframe = false;
  bool joints = false;   ///< joint axes
  bool inertia = false;  ///< inertia boxes
  bool centersOfMass = false;
  bool shadows = true;
  bool hud = true;
  bool ground = true;
  bool whiteBackground = false;  ///< figures for papers
  ParticleColor particleColor = ParticleColor::Stress;
  double forceScale =
      0;  ///< metres per newton; 0 = automatic from the largest force, with hysteresis in the studio
  double forceThreshold = 0.01;  ///< smaller forces draw no arrow [N]
  double colorMax = 0;           ///< top of the colour bar [unit of the quantity]; 0 = automatic
};

/// One thing a person pointed at.
struct Selection {
  std::optional<std::int32_t> body;
  std::optional<std::int32_t> deformable;
  std::optional<ContactKey> contact;
  bool operator==(const Selection&) const = default;
};

}  // namespace slipstick::render

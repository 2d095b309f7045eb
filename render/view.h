// What of a snapshot is drawn, and what is selected.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/foundation/math.h"
#include "engine/model/contact.h"

namespace slipstick::render {

enum class ParticleColor : std::uint8_t {
  Automatic,  ///< stress on solids; liquids, grains, snow and cloth in their own colour
  Plain,
  Stress,
  Pressure,
  PlasticStrain,
  Speed,
};

/// What people call the colourings, on the command line and in menus.
struct ParticleColorName {
  ParticleColor color;
  std::string_view key, title;
};
inline constexpr std::array<ParticleColorName, 6> kParticleColorNames = {
    {{ParticleColor::Automatic, "auto", "Automatic"},
     {ParticleColor::Plain, "material", "Material"},
     {ParticleColor::Stress, "stress", "Von Mises stress"},
     {ParticleColor::Pressure, "pressure", "Pressure"},
     {ParticleColor::PlasticStrain, "strain", "Plastic strain"},
     {ParticleColor::Speed, "speed", "Speed"}}};

/// How deformables are drawn.
enum class SoftStyle : std::uint8_t {
  Scene,      ///< each as its scene says (Deformable::draw), cloth as its mesh
  Particles,  ///< all as particles, cloth too
  Surface,    ///< all as surfaces
};

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
  bool boundaries = true;        ///< what imposes its velocity on the grid, while it acts
  bool whiteBackground = false;  ///< figures for papers
  ParticleColor particleColor = ParticleColor::Automatic;
  SoftStyle softStyle = SoftStyle::Scene;
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
  std::optional<std::int32_t> boundary;  ///< into Model::boundaries
  bool operator==(const Selection&) const = default;
};

}  // namespace slipstick::render

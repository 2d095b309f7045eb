// What of a snapshot is drawn. render/view_actions.h is the table of what a person may
// switch.
#pragma once

#include <cstdint>

#include "render/palette.h"

namespace slipstick::render {

enum class ParticleColor : std::uint8_t {
  Automatic,  ///< stress on solids; liquids, grains, snow and cloth in their own colour
  Plain,
  Stress,
  Pressure,
  PlasticStrain,
  Speed,
};

/// How deformables are drawn.
enum class SoftStyle : std::uint8_t {
  Scene,      ///< each as its scene says (Deformable::draw), cloth as its mesh
  Particles,  ///< all as particles, cloth too
  Surface,    ///< all as surfaces
};

/// From how near contact is looked at.
enum class ContactView : std::uint8_t {
  Automatic,   ///< pairs; the footprint of those that are selected, pointed at, or near
  Pairs,       ///< one net force per pair
  Footprints,  ///< pressure painted on the surfaces, friction as strokes over it; and the net forces
  Points,      ///< of the selected pair its contacts, clustered; of the others the net forces
};

/// What a footprint paints.
enum class FootprintValue : std::uint8_t { Pressure, Depth };

/// Whether the shapes that touch are drawn, beside those that one sees.
enum class CollisionShapes : std::uint8_t { None, Over, Alone };

/// What is cut away: the half space on the far side of a plane.
enum class Section : std::uint8_t { None, Facing, X, Y, Z };

struct ViewOptions {
  bool forces = true;       ///< contact force arrows
  bool splitForces = true;  ///< normal and friction arrows instead of the total
  bool moments = true;      ///< rings for the moments of pairs about their centres of pressure
  bool forceLabels = true;  ///< numbers in newtons beside the net forces
  bool forcesOnTop = true;  ///< arrows are not hidden by geometry
  bool cones = false;       ///< friction cones at the net forces
  bool logForces = false;   ///< the length of an arrow grows with the logarithm of its force
  bool everyContact =
      false;  ///< the contacts of every body, not of those alone that a robot moves or that is selected
  ContactView contactView = ContactView::Automatic;
  FootprintValue footprintValue = FootprintValue::Pressure;
  bool transparentRobots = false;
  bool wireframe = false;
  CollisionShapes collisionShapes = CollisionShapes::None;
  bool joints = false;   ///< joint axes
  bool inertia = false;  ///< inertia boxes
  bool frames = false;   ///< reference frames of bodies
  bool centersOfMass = false;
  bool trails = false;  ///< ways of the selected body or of those that a robot moves, over the last second
  bool shadows = true;
  bool hud = true;
  // What of the overlay is there, while it is:
  bool timeCard = true;      ///< the time
  bool forceLegend = true;   ///< what the arrows mean, and how long a force is
  bool contactCard = true;   ///< of the selected contact or pair
  bool colorBars = true;     ///< what the colours mean
  bool insets = true;        ///< footprints unrolled
  bool ghostCaption = true;  ///< which times the ghosts are of
  bool ground = true;
  bool boundaries = true;        ///< what imposes its velocity on the grid, while it acts
  bool whiteBackground = false;  ///< figures for papers
  bool light = false;            ///< the window around the picture is light
  /// No background, and of the floor what shadows it bears: for pictures that have an opacity.
  bool transparentBackground = false;
  ParticleColor particleColor = ParticleColor::Automatic;
  SoftStyle softStyle = SoftStyle::Scene;
  ColorMap colorMap = ColorMap::Ember;
  Section section = Section::None;
  double sectionOffset =
      0;  ///< of the plane from the middle of what moves, in halves of its size, −1 … 1 [-]
  double forceScale = 0;   ///< metres per newton; 0 = automatic from the largest force of the run so far
  double arrowLength = 1;  ///< of the arrows, in those of the automatic scale; > 0 [-]
  double forceThreshold = 0.01;  ///< smaller forces draw no arrow; their sum is stated [N]
  double colorMax = 0;           ///< top of the colour bar [unit of the quantity]; 0 = automatic

  Backdrop backdrop() const {
    return whiteBackground ? Backdrop::White : light ? Backdrop::Light : Backdrop::Dark;
  }
  const Tokens& tokens() const { return tokensOn(backdrop()); }
  bool operator==(const ViewOptions&) const = default;
};

}  // namespace slipstick::render

// The plane that scenes of tests stand on.
#pragma once

#include "engine/model/scene.h"

namespace slipstick::testing {

/// z = 0, welded to the world.
inline RobotSpec ground() {
  RobotSpec ground;
  ground.name = "ground";
  ground.description.links.resize(1);
  LinkGeometry plane;
  plane.shape = shape::Plane{};
  ground.description.links[0].collisions = {plane};
  return ground;
}

}  // namespace slipstick::testing

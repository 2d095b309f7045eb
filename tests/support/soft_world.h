// A hand-built world of soft things, for tests of drawing and of the window: a cloth over an edge, water in a
// heap, a lump of dough, a pile of sand, and three boundaries. Nothing is simulated.
#pragma once

#include <memory>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::testing {

struct SoftWorld {
  std::shared_ptr<const Model> model;
  int cloth = 0, water = 1, dough = 2, sand = 3;  ///< deformables
  int clamp = 0, floor = 1, ball = 2;             ///< boundaries; the ball acts from 1 s to 2 s
};

/// @param cells  of the cloth along each side of its 0.3 m
SoftWorld softWorld(int cells = 40);

/// Cloth: stress grows with x. Water: pressure by depth. Dough:
/// pressure from −4 kPa to 4 kPa along x. The ball is pressed by (3, 0, 4) N.
std::shared_ptr<const Snapshot> softSnapshot(const SoftWorld& world, double time);

}  // namespace slipstick::testing

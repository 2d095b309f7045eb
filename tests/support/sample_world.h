// A hand-built world for tests of drawing and of the window: two seven-joint arms hold a pin over dough on a
// board. Nothing is simulated; poses and forces are closed formulas of time, plausible to look at and easy to
// reason about.
#pragma once

#include <memory>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::testing {

struct SampleWorld {
  std::shared_ptr<const Model> model;
  int roller = -1;  ///< body indices
  int board = -1;
  int leftFlange = -1;
  int rollerGeometry = -1;  ///< index into Model::geometries
  int boardGeometry = -1;
};

/// 5,920 particles of dough, .32 × .12 × .10 m, on a fixed board; the roller's axis is along x.
SampleWorld sampleWorld();

/// The pin has moved along y and spun by the time; `step` is time / Δt. About 80 contacts roller ↔ dough, the
/// outer ones slip; with `boardContacts` several hundred more, dough ↔ board, all sticking.
std::shared_ptr<const Snapshot> sampleSnapshot(const SampleWorld& world, double time,
                                               bool boardContacts = false);

}  // namespace slipstick::testing

// A hand-built world of rigid bodies only, for tests of drawing and of the window: two crates stacked on the
// ground press through surfaces, a bar lies on four points, a ball slides. Nothing is simulated; forces are
// closed formulas of time.
#pragma once

#include <memory>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::testing {

struct RigidWorld {
  std::shared_ptr<const Model> model;
  int ground = -1, lower = -1, upper = -1, bar = -1, ball = -1;  ///< body indices, one geometry each
  /// Index of the geometry of a body; in the order of the bodies.
  int geometryOf(int body) const { return body - 1; }
};

/// Crates of 12 cm and 3 kg, a bar of 24 cm, a ball of 8 cm, a tether between ball and upper crate.
RigidWorld rigidWorld();

/// Contacts, in this order: 4 of patch 0 (lower crate on the ground), 4 of patch 1 (upper on lower), 4 points
/// of the bar on the ground, 1 of the ball on the ground; the last slips, the others stick. Of every contact
/// the body with the lower index is Contact::body.
std::shared_ptr<const Snapshot> rigidSnapshot(const RigidWorld& world, double time);

}  // namespace slipstick::testing

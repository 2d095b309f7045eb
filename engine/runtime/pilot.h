// Who drives while a simulation runs: asked between two steps, so that what a hand does now acts in the very next one.
#pragma once

#include <memory>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/snapshot.h"

namespace slipstick {

/// Called on the simulation thread; must not wait.
class Pilot {
 public:
  virtual ~Pilot() = default;
  /// What the next step shall do beside what was posted. It is logged like any other command, and so replays without the
  /// pilot. Where a step is refused it is asked again.
  /// @param now       newest step, with its model, whose indices the commands have
  /// @param commands  to be added to; each passes check()
  virtual void addCommands(const std::shared_ptr<const Snapshot>& now, std::vector<Command>& commands) = 0;
  /// A step is done; each one is told, in their order.
  virtual void stepped(const std::shared_ptr<const Snapshot>& snapshot) { (void)snapshot; }
};

}  // namespace slipstick

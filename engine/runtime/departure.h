// How a simulation comes to a step that another run has been at.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/command.h"
#include "engine/runtime/history.h"

namespace slipstick {

/// From a state by what was done after it, to a step that must be the same then.
struct Departure {
  std::shared_ptr<const Keyframe> keyframe;
  std::vector<StampedCommand> commands;  ///< from the state to the step
  std::uint64_t step = 0;
  std::uint64_t stateHash = 0;
  std::string runsOn;  ///< what computed it, see RunStatus; only an equal one gives equal bits
  std::string name;    ///< of the run, for people
};

}  // namespace slipstick

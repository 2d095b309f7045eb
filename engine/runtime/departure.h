// How a simulation comes to a step that another run has been at.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/runtime/history.h"
#include "engine/runtime/run_source.h"

namespace slipstick {

/// From a state by what was done after it, to a step that must be the same then.
struct Departure {
  std::shared_ptr<const Keyframe> keyframe;
  std::vector<StampedCommand> commands;  ///< from the state to the step
  std::uint64_t step = 0;
  std::uint64_t stateHash = 0;
  std::string runsOn;  ///< what computed it, see RunStatus; only an equal one gives equal bits
};

/// A run that was simulated elsewhere. It is looked at like any other, and simulations can go on from its steps.
class StoredRun : public RunSource {
 public:
  /// No branch of a simulation has it.
  static constexpr BranchId kBranch = ~BranchId{0};

  virtual std::string name() const = 0;  ///< for people
  virtual std::string file() const = 0;  ///< absolute
  /// The numbers with which a step of it was computed, of its model.
  virtual std::shared_ptr<const Tuning> tuningAt(std::uint64_t step) const = 0;
  /// How a simulation comes to a step of it. Errors: it cannot be read any more.
  virtual Result<Departure> departureFor(std::uint64_t step) const = 0;
};

}  // namespace slipstick

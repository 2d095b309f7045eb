// What takes the steps of a simulation while it goes on: a recording.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/history.h"

namespace slipstick {

/// What computes the steps that follow.
struct Computes {
  std::string method, backend;
  std::string runsOn;      ///< see RunStatus
  bool reproduces = true;  ///< see Stepper::reproduces()
};

/// Called on the simulation thread between its steps: what takes long belongs elsewhere.
class RunSink {
 public:
  virtual ~RunSink() = default;
  /// Steps follow this one without a gap, of its model. Called first, and again where the run has gone on from elsewhere,
  /// with another model or another backend.
  /// @param keyframe  of the same step
  virtual void begin(std::shared_ptr<const Snapshot> first, std::shared_ptr<const Keyframe> keyframe,
                     const Computes& computes) = 0;
  /// Whether add() needs the whole state of a step.
  virtual bool wantsKeyframe(std::uint64_t step) const = 0;
  /// The next step. @param applied  the commands that led to it   @param keyframe  may be null where none is wanted
  virtual void add(std::shared_ptr<const Snapshot> snapshot, std::span<const Command> applied,
                   std::shared_ptr<const Keyframe> keyframe) = 0;
};

/// A sink that writes files. Its functions may be called from every thread.
class RunRecorder : public RunSink {
 public:
  struct Status {
    std::vector<std::string> files;   ///< one for each stretch of steps without a gap; the newest last
    double seconds = 0;               ///< simulated time in them [s]
    std::uint64_t bytes = 0;          ///< on the disk
    std::uint64_t droppedFrames = 0;  ///< pictures left out because the disk was too slow
    std::optional<Error> error;       ///< that has ended it; what was written before stays
  };
  virtual Status status() const = 0;
  /// Writes what waits and closes the files. Nothing is taken from then on.
  virtual Status finish() = 0;
};

}  // namespace slipstick

// A run with other settings that steps beside the live one, under the same commands.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/runtime/run_record.h"
#include "engine/runtime/simulation_thread.h"

namespace slipstick {

/// In what a companion differs from the live run.
struct CompanionSettings {
  std::string name;                   ///< for people
  std::string method;                 ///< that steps it
  std::vector<SetParameter> numbers;  ///< in force from its start on, whatever is commanded
};

/// How far a companion has come.
struct CompanionStatus {
  bool hasBegun = false;
  std::uint64_t step = 0;
  std::uint64_t behind = 0;  ///< steps that the live run is ahead
  double meanStepWall = 0;   ///< over the last steps [s]
  std::string runsOn;        ///< see RunStatus
  std::string error;         ///< why it has stopped; empty: it has not
  std::string notice;  ///< what a person should know of where it began; empty: it began as the scene does
  std::string health;  ///< what was wrong with its newest step, which it has gone on from
  DroppedCommands dropped;  ///< commands of the live run that mean nothing here
  bool isOver = false;      ///< it was ended, and stays to be looked at
  bool operator==(const CompanionStatus&) const = default;
};

/// Steps on a thread of its own, from the start of the live run's way on. It reads what was commanded and edited from the
/// live run's record, so that the live run never waits for it, and it may lag. Where the live run has gone back, it goes on
/// from its own keyframe before that step; where it has none of the same past, it begins anew from the first state of the live
/// run's way. A step that is refused, or a backend that fails, stops it alone, until the live run goes back. Functions may be
/// called from every thread, but end() from one only.
class Companion {
 public:
  /// @param makeStepper  of its method, called on its thread
  Companion(std::shared_ptr<const RunRecord> live, CompanionSettings settings, MakeStepper makeStepper);
  ~Companion();  ///< gives up the step in progress
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  CompanionStatus status() const;
  /// Its own steps on the way to a branch of the live run, as far as it has come; null where it has not been there. The same
  /// object as long as it is the same steps.
  std::shared_ptr<const RunSource> along(BranchId branch) const;
  /// Has it step no more, without waiting for that.
  void stop();
  /// The same, waits, and says what it has come to, for SimulationThread::resumeFrom(). Its steps stay. Errors: it has not
  /// begun, its backend has failed, or the scene was edited after its newest step; then it goes on.
  Result<BesideState> end();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick

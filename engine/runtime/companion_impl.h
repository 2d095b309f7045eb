// What a Companion consists of. What others ask of it is in companion.cpp, what its thread does in companion_steps.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "engine/runtime/companion.h"
#include "engine/runtime/live_run.h"
#include "engine/runtime/rate_meter.h"

namespace slipstick {

struct Companion::Impl {
  /// A way of the live run that it has followed.
  struct Track {
    Way way;                            ///< of the live run
    BranchId own = 0;                   ///< its branch in the record of the companion
    std::uint64_t begin = 0, last = 0;  ///< the first and the newest of its steps
    std::shared_ptr<const RunSource> view;
  };
  /// Where the live run's way leaves a track, or has come to on it.
  struct Meeting {
    Track track;
    bool isNewest = false;  ///< the track is the one that is being followed
    std::uint64_t step = 0;
  };

  const std::shared_ptr<const RunRecord> live;
  const CompanionSettings settings;
  const MakeStepper makeStepper;

  mutable std::mutex mutex;           ///< of what follows; never held while a step is computed
  std::shared_ptr<RunRecord> record;  ///< null before it has begun
  std::vector<Track> tracks;          ///< the last is the one that is being followed
  CompanionStatus facts;              ///< what status() reports besides the lag

  // The thread's own.
  LiveRun run;
  std::shared_ptr<const Model> liveModel;  ///< in whose terms the live run's commands are
  std::size_t modelsTaken = 0;             ///< of those that the live run went through at this step
  bool numbersDue = false;                 ///< its own ones come with the next step
  bool halted = false;                     ///< until the live run goes somewhere else
  std::optional<std::uint64_t> jumps;      ///< of the live run, when it was last looked for
  std::vector<std::pair<std::shared_ptr<const Model>, std::shared_ptr<const Model>>> models;  ///< live, own
  RateMeter meter;

  std::jthread thread;  ///< last: begins when all else is there, and ends before it goes

  Impl(std::shared_ptr<const RunRecord> ofLive, CompanionSettings wanted, MakeStepper make)
      : live(std::move(ofLive)), settings(std::move(wanted)), makeStepper(std::move(make)) {}

  void start() {
    thread = std::jthread([this](const std::stop_token& stop) { loop(stop); });
  }
  void loop(const std::stop_token& stop);
  Result<bool> goOn(const RunRecord::Lead& lead, const std::stop_token& stop);
  void halt(std::string why);
  Result<BesideState> state() const;

  // where it goes on from
  Result<void> place(const RunRecord::Lead& lead);
  std::optional<Meeting> meet(const RunRecord::Lead& lead) const;
  Result<void> begin(const RunRecord::Lead& lead);
  Result<LiveRun> beginning(const Keyframe& start);
  Result<void> checkNumbers(const LiveRun& begun) const;
  Result<void> goBackTo(const Keyframe& keyframe);
  void follow(const Way& way, BranchId own, std::uint64_t begin);
  Result<std::shared_ptr<const Model>> modelFor(const std::shared_ptr<const Model>& ofLive);
  std::shared_ptr<const Model> liveModelOf(const std::shared_ptr<const Model>& own) const;

  // what it does there
  Result<void> take(const std::shared_ptr<const Model>& ofLive);
  Result<void> step(const std::vector<Command>& commands, const std::stop_token& stop);
  std::vector<Command> inOwnTerms(const std::vector<Command>& commands, DroppedCommands& dropped) const;
};

}  // namespace slipstick

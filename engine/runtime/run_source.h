// What a window looks at: the live run, or another branch of it. A recording is another.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/columns.h"
#include "engine/runtime/command_gate.h"
#include "engine/runtime/history.h"

namespace slipstick {

/// What the window shows about the run itself; cheap to copy.
struct RunStatus {
  bool playing = false;
  bool finished = false;   ///< reached Model::time.duration, where play() pauses once
  double speedWanted = 1;  ///< simulated seconds per wall second; infinity = as fast as possible
  double speedMeasured = 0;
  std::uint64_t lastStep = 0;  ///< newest step published
  std::uint64_t firstStored = 0;
  BranchId branch = 0;
  /// The branch was deleted, or its file cannot be read any more, see `error`: what is looked at stays, other steps
  /// cannot be had.
  bool gone = false;
  /// Times that the run went on from another step than its newest: by a resume or a reset.
  std::uint64_t jumps = 0;
  std::size_t historyBytes = 0, historyBudget = 0;
  double meanStepWall = 0;     ///< [s], over the last steps
  std::string error;           ///< why the run stopped, empty if it did not
  bool backendFailed = false;  ///< that was the backend: another one can go on
  DroppedCommands dropped;     ///< since the run began
  std::string runsOn;          ///< what computes the steps: "CPU · 2 threads · avx512"
  /// Going back to a past step, and how far its replay is; none while not going back.
  struct GoingBack {
    std::uint64_t to = 0;  ///< the step
    std::uint64_t stepsDone = 0, stepsToDo = 0;
    bool operator==(const GoingBack&) const = default;
  };
  std::optional<GoingBack> goingBack;
  /// How far the compiling of an edit, or of another scene, is; none while nothing is compiled.
  std::optional<LoadProgress::Report> compiling;
  bool operator==(const RunStatus&) const = default;
};

class RunSource {
 public:
  virtual ~RunSource() = default;

  virtual std::shared_ptr<const Snapshot> latest() const = 0;  ///< newest; never null
  /// Stored snapshot nearest to `step`; never null. All but the newest were packed (packed_snapshot.h).
  virtual std::shared_ptr<const Snapshot> at(std::uint64_t step) const = 0;
  /// The same but without particles and surfaces of patches (Contact::patch then leads nowhere), and so much
  /// sooner; unpacked anew each time.
  virtual std::shared_ptr<const Snapshot> contactsAt(std::uint64_t step) const = 0;
  /// Of one step, also where its snapshot was thinned away; none where it was never simulated.
  virtual std::optional<TimelineMark> mark(std::uint64_t step) const = 0;
  /// Marks of steps ≥ from, also of steps whose snapshot was thinned away. After a change of status().jumps
  /// read from 0.
  virtual std::vector<TimelineMark> marks(std::uint64_t from = 0) const = 0;
  /// Every observable of every step.
  virtual RunColumns columns() const = 0;
  virtual RunStatus status() const = 0;
};

}  // namespace slipstick

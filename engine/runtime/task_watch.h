// Whether what a person does with a scene fulfils its task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

enum class TaskOutcome { Running, Succeeded, Failed, TimedOut };

/// "running", "success", "failure", "timeout": as files say it.
std::string_view nameOf(TaskOutcome outcome);

/// Follows the steps of one try from its start. Equal steps give equal outcomes, whatever else a machine does: time is
/// that of the snapshots, and only finished steps count.
class TaskWatch {
 public:
  /// One test of the task, as the latest step has left it.
  struct Condition {
    std::string observable, unit;
    std::optional<double> above, below;  ///< limits
    double holdFor = 0;                  ///< [s]
    double value = 0;                    ///< now; NaN before the first step
    double heldFor = 0;                  ///< for how long it has been within its limits [s]
    bool holds = false;                  ///< is within its limits now
    bool isMet = false;                  ///< holds, and for long enough

    /// "below 60 mm for 0.5 s"
    std::string limits() const;
    /// "dough.max_z 71 mm, below 60 mm for 0.5 s"
    std::string text() const;
  };

  /// Of a model with a task.
  explicit TaskWatch(std::shared_ptr<const Model> model);

  /// Begins a new try at the next step that it is given.
  void reset();
  /// The next step, or the first of a try; steps may not be left out. One that is not later than the latest begins a
  /// new try. Once the task is decided its outcome stays, and the conditions go on.
  void add(const Snapshot& snapshot);

  const std::shared_ptr<const Model>& model() const { return model_; }
  TaskOutcome outcome() const { return outcome_; }
  /// Why it ended: "dough.min_z -13 mm, below -10 mm", "30 s are over"; empty while it runs and after a success.
  const std::string& why() const { return why_; }
  /// Simulated time from the try's first step to its end, or so far [s].
  double time() const { return time_; }
  double timeLimit() const { return model_->task->timeLimit; }        ///< [s]
  const std::vector<Condition>& success() const { return success_; }  ///< in the order of the scene
  const std::vector<Condition>& failure() const { return failure_; }

 private:
  void update(const std::vector<TaskCondition>& tests, const Snapshot& snapshot, double passed,
              std::vector<Condition>& conditions) const;
  void decide();

  std::shared_ptr<const Model> model_;
  std::vector<Condition> success_, failure_;
  TaskOutcome outcome_ = TaskOutcome::Running;
  std::string why_;
  double time_ = 0;
  std::optional<std::uint64_t> first_, latest_;  ///< steps of this try
};

}  // namespace slipstick

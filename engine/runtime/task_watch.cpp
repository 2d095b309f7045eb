#include "engine/runtime/task_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/foundation/number_text.h"
#include "engine/foundation/require.h"

namespace slipstick {
namespace {

/// Small lengths in millimetres.
std::string withUnit(double value, const std::string& unit, bool inMillimetres) {
  constexpr int kDigits = 4;
  if (inMillimetres) return significant(1000 * value, kDigits) + " mm";
  return significant(value, kDigits) + (unit.empty() ? "" : " " + unit);
}

std::vector<TaskWatch::Condition> conditionsOf(const std::vector<TaskCondition>& tests) {
  std::vector<TaskWatch::Condition> conditions;
  for (const TaskCondition& test : tests) {
    TaskWatch::Condition condition;
    condition.observable = test.observable;
    condition.unit = test.unit;
    condition.above = test.above;
    condition.below = test.below;
    condition.holdFor = test.holdFor;
    condition.value = std::numeric_limits<double>::quiet_NaN();
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

bool isSmallLength(const TaskWatch::Condition& condition) {
  return condition.unit == "m" &&
         std::max(std::abs(condition.above.value_or(0)), std::abs(condition.below.value_or(0))) < 1;
}

bool isMet(const TaskWatch::Condition& condition) {
  return condition.isMet;
}

}  // namespace

std::string_view nameOf(TaskOutcome outcome) {
  static constexpr std::array<std::string_view, 4> kNames = {"running", "success", "failure", "timeout"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::string TaskWatch::Condition::limits() const {
  const bool small = isSmallLength(*this);
  std::string words;
  if (above && below)
    words = "between " + withUnit(*above, unit, small) + " and " + withUnit(*below, unit, small);
  else if (above)
    words = "above " + withUnit(*above, unit, small);
  else if (below)
    words = "below " + withUnit(*below, unit, small);
  return holdFor > 0 ? words + " for " + significant(holdFor, 3) + " s" : words;
}

std::string TaskWatch::Condition::text() const {
  return observable + " " + withUnit(value, unit, isSmallLength(*this)) + ", " + limits();
}

TaskWatch::TaskWatch(std::shared_ptr<const Model> model) : model_(std::move(model)) {
  SIM_REQUIRE(model_ && model_->task, "a task");
  reset();
}

void TaskWatch::reset() {
  success_ = conditionsOf(model_->task->success);
  failure_ = conditionsOf(model_->task->failure);
  outcome_ = TaskOutcome::Running;
  why_.clear();
  time_ = 0;
  first_.reset();
  latest_.reset();
}

void TaskWatch::add(const Snapshot& snapshot) {
  if (latest_ && snapshot.step <= *latest_) reset();
  const double dt = model_->time.dt;
  const double passed = latest_ ? static_cast<double>(snapshot.step - *latest_) * dt : 0;
  if (!first_) first_ = snapshot.step;
  latest_ = snapshot.step;
  update(model_->task->success, snapshot, passed, success_);
  update(model_->task->failure, snapshot, passed, failure_);
  if (outcome_ != TaskOutcome::Running) return;
  time_ = static_cast<double>(snapshot.step - *first_) * dt;
  decide();
}

void TaskWatch::update(const std::vector<TaskCondition>& tests, const Snapshot& snapshot, double passed,
                       std::vector<Condition>& conditions) const {
  const double rounding = 1e-6 * model_->time.dt;  // of sums of steps
  for (std::size_t i = 0; i < tests.size(); ++i) {
    Condition& condition = conditions[i];
    condition.value = tests[i].value(snapshot);
    const bool held = condition.holds;
    condition.holds = std::isfinite(condition.value) &&
                      (!condition.above || condition.value > *condition.above) &&
                      (!condition.below || condition.value < *condition.below);
    condition.heldFor = condition.holds && held ? condition.heldFor + passed : 0;
    condition.isMet = condition.holds && condition.heldFor >= condition.holdFor - rounding;
  }
}

void TaskWatch::decide() {
  const auto failed = std::find_if(failure_.begin(), failure_.end(), isMet);
  if (failed != failure_.end()) {
    outcome_ = TaskOutcome::Failed;
    why_ = failed->text();
  } else if (std::all_of(success_.begin(), success_.end(), isMet)) {
    outcome_ = TaskOutcome::Succeeded;
  } else if (time_ >= timeLimit() - 1e-6 * model_->time.dt) {
    outcome_ = TaskOutcome::TimedOut;
    why_ = significant(timeLimit()) + " s are over";
  }
}

}  // namespace slipstick

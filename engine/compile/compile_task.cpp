// The last stage of compile(): what a task names, and where its reset may put things.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "engine/compile/compilation.h"
#include "engine/compile/task_reset.h"
#include "engine/facts/observables.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_text.h"
#include "engine/foundation/path_key.h"
#include "engine/model/method_rows.h"
#include "engine/model/snapshot.h"

namespace slipstick {
namespace {

/// An observable, or the length of a vector of three of them.
struct Quantity {
  std::string unit;
  std::function<double(const Snapshot&)> value;
};

class Observed {
 public:
  /// Any method may come to step the model: those of all methods are known.
  explicit Observed(const Model& model) : all_(observablesOf(model)) {
    std::erase_if(all_, [](const Observable& observable) { return observable.isWallTime; });
    if (model.methods == nullptr) return;
    for (const auto& own : model.methods->methods())
      for (Observable& observable : observablesOf(*own)) all_.push_back(std::move(observable));
  }

  std::optional<Quantity> find(const std::string& name) const {
    if (const Observable* one = plain(name)) return Quantity{one->unit, one->value};
    if (name.size() < 3 || name.front() != '|' || name.back() != '|') return std::nullopt;
    const std::string vector = name.substr(1, name.size() - 2);
    const Observable *x = plain(vector + "x"), *y = plain(vector + "y"), *z = plain(vector + "z");
    if (!x || !y || !z) return std::nullopt;
    return Quantity{x->unit, [a = x->value, b = y->value, c = z->value](const Snapshot& s) {
                      return std::hypot(a(s), b(s), c(s));
                    }};
  }

  /// What a person may have meant: of a thing that is there, its observables; otherwise the nearest of all.
  std::string suggest(const std::string& name) const {
    std::vector<std::string> names, within;
    for (const Observable& observable : all_) {
      names.push_back(observable.name);
      const std::string& n = observable.name;
      if (name.starts_with('|') && n.ends_with('x')) names.push_back("|" + n.substr(0, n.size() - 1) + "|");
    }
    if (const auto near = nearestName(name, names)) return "did you mean '" + *near + "'?";
    const std::string thing = name.substr(0, name.rfind('.') + 1);
    std::copy_if(names.begin(), names.end(), std::back_inserter(within),
                 [&](const std::string& n) { return !thing.empty() && n.starts_with(thing); });
    return suggestName(name, within.empty() ? names : within);
  }

 private:
  const Observable* plain(const std::string& name) const {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const Observable& o) { return o.name == name; });
    return found == all_.end() ? nullptr : &*found;
  }
  Observables all_;
};

Element conditionElement(const char* list, std::size_t index) {
  return elementOf(std::string(list) + " test", std::string("task.") + list, index);
}

Result<TaskCondition> compileCondition(const Compilation& c, const Observed& observed, const Element& element,
                                       const ConditionSpec& spec) {
  const std::optional<Quantity> quantity = observed.find(spec.observable);
  if (!quantity)
    return Error{ErrorCode::UnknownName, "there is no observable '" + spec.observable + "'",
                 c.where(element.at("observable")), observed.suggest(spec.observable)};
  if (!spec.above && !spec.below)
    return c.invalid(element, "it has no limit", "write 'above: …', 'below: …' or 'between: [lower, upper]'");
  for (const std::optional<double>& limit : {spec.above, spec.below})
    if (limit && !std::isfinite(*limit))
      return c.invalid(element, "a limit is not a number", "write a finite number");
  if (spec.above && spec.below && !(*spec.above < *spec.below))
    return c.invalid(element, "nothing lies between its limits", "write the lower limit first");
  if (!(spec.holdFor >= 0 && std::isfinite(spec.holdFor)))
    return c.invalid(element.at("for"), "the time for which it must hold is not a number",
                     "write 0 or more seconds");
  return TaskCondition{spec.observable, quantity->unit, spec.above,
                       spec.below,      spec.holdFor,   quantity->value};
}

Result<void> compileConditions(Compilation& c, const Observed& observed, const char* list,
                               const std::vector<ConditionSpec>& specs,
                               std::vector<TaskCondition>& conditions) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Result<TaskCondition> condition = compileCondition(c, observed, conditionElement(list, i), specs[i]);
    if (!condition) return condition.error();
    conditions.push_back(std::move(*condition));
  }
  return {};
}

bool isRange(const DrawRange& range) {
  return std::isfinite(range.lower) && std::isfinite(range.upper) && range.lower <= range.upper;
}

Result<void> checkJointDraw(const Compilation& c, const Element& element, const RobotSpec& robot,
                            const std::string& joint, const DrawRange& range) {
  const auto found = std::find_if(robot.description.joints.begin(), robot.description.joints.end(),
                                  [&](const JointSpec& spec) { return spec.name == joint; });
  const Element at = element.at("joints." + pathKey(joint));
  if (found == robot.description.joints.end()) {
    std::vector<std::string> names;
    for (const JointSpec& spec : robot.description.joints) names.push_back(spec.name);
    return c.unknown(at, "joint in '" + robot.name + "'", joint, names);
  }
  if (multibody::positionCount(found->type) != 1 || !found->mimic.empty())
    return c.invalid(at, "the joint '" + joint + "' has no position of its own", "remove it from 'joints'");
  // A scene that was drawn already does not start from the middle of the range.
  if (c.scene.task->seed) return {};
  const double start = *startOf(robot, joint);
  if (start + range.lower >= found->lower && start + range.upper <= found->upper) return {};
  return c.invalid(at, "the reset can put the joint '" + joint + "' beyond its limits",
                   "keep it from " + significant(found->lower - start) + " to " +
                       significant(found->upper - start) + " around its start, " + significant(start));
}

Result<void> checkRobotReset(const Compilation& c, const Element& element, const RobotSpec& robot,
                             const ResetSpec& reset) {
  const bool moves = !reset.yaw.isNone() || std::any_of(reset.position.begin(), reset.position.end(),
                                                        [](const DrawRange& r) { return !r.isNone(); });
  if (moves && !robot.path.empty())
    return c.invalid(element,
                     "'" + robot.name + "' follows the path '" + robot.path + "', which says where it starts",
                     "remove 'position' and 'yaw_deg', or the path");
  const auto isLed = [&](const ControllerSpec& controller) {
    const auto* path = std::get_if<EndEffectorPathSpec>(&controller);
    return path && path->robot == robot.name;
  };
  if (!reset.joints.empty() && std::any_of(c.scene.controllers.begin(), c.scene.controllers.end(), isLed))
    return c.invalid(element.at("joints"),
                     "'" + robot.name + "' starts where its end effector's path does, whatever is drawn",
                     "remove 'joints', or the controller");
  for (const auto& [joint, range] : reset.joints) {
    if (!isRange(range))
      return c.invalid(element.at("joints." + pathKey(joint)), "this is no range", "write [lower, upper]");
    if (Result<void> ok = checkJointDraw(c, element, robot, joint, range); !ok) return ok;
  }
  return {};
}

Result<void> checkReset(const Compilation& c, const Element& element, const ResetSpec& reset) {
  const bool areRanges =
      isRange(reset.yaw) && std::all_of(reset.position.begin(), reset.position.end(), isRange);
  if (!areRanges) return c.invalid(element, "this is no range", "write [lower, upper] with finite numbers");
  for (const RobotSpec& robot : c.scene.robots)
    if (robot.name == reset.name) return checkRobotReset(c, element, robot, reset);
  std::vector<std::string> names;
  for (const RobotSpec& robot : c.scene.robots) names.push_back(robot.name);
  for (const DeformableSpec& deformable : c.scene.deformables) {
    if (deformable.name == reset.name) {
      if (reset.joints.empty()) return {};
      return c.invalid(element.at("joints"), "a deformable has no joints", "remove 'joints'");
    }
    names.push_back(deformable.name);
  }
  return c.unknown(element.at("name"), "robot, body or deformable", reset.name, names);
}

}  // namespace

Result<void> compileTask(Compilation& c) {
  if (!c.scene.task) return {};
  const TaskSpec& spec = *c.scene.task;
  const Element element{"task", "task"};
  if (!(spec.timeLimit > 0 && std::isfinite(spec.timeLimit)))
    return c.invalid(element.at("time_limit"), "the time limit is not positive",
                     "write a number of seconds greater than 0");
  if (spec.success.empty())
    return c.invalid(element, "nothing says when the task is done", "add a test to 'success'");
  if (spec.seed && *spec.seed > kLargestSeed)
    return c.invalid(element.at("seed"), "the seed is too large",
                     "write a whole number from 0 to " + std::to_string(kLargestSeed));
  std::set<std::string> names;
  for (std::size_t i = 0; i < spec.reset.size(); ++i) {
    const Element at = elementOf("reset", "task.reset", i);
    if (!names.insert(spec.reset[i].name).second)
      return c.invalid(at, "two resets are of '" + spec.reset[i].name + "'", "put them into one");
    if (Result<void> ok = checkReset(c, at, spec.reset[i]); !ok) return ok;
  }
  Task task{spec.text, spec.timeLimit, {}, {}, spec.seed};
  const Observed observed(c.model);
  if (Result<void> ok = compileConditions(c, observed, "success", spec.success, task.success); !ok) return ok;
  if (Result<void> ok = compileConditions(c, observed, "failure", spec.failure, task.failure); !ok) return ok;
  c.model.task = std::move(task);
  return {};
}

}  // namespace slipstick

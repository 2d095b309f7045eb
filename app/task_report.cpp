#include "app/task_report.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "engine/foundation/number_text.h"

namespace slipstick::app {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr double kDegrees = 180 / std::numbers::pi;  // in a radian
constexpr const char* kAxes[] = {"x", "y", "z"};

template <class Json, class Number>
Json orNull(const std::optional<Number>& number) {
  return number ? Json(*number) : Json(nullptr);
}

ordered_json conditionReports(const std::vector<TaskWatch::Condition>& conditions) {
  ordered_json list = ordered_json::array();
  for (const TaskWatch::Condition& condition : conditions) {
    const bool isKnown = std::isfinite(condition.value);
    list.push_back({{"observable", condition.observable},
                    {"unit", condition.unit},
                    {"value", isKnown ? ordered_json(condition.value) : ordered_json(nullptr)},
                    {"above", orNull<ordered_json>(condition.above)},
                    {"below", orNull<ordered_json>(condition.below)},
                    {"for_s", condition.holdFor},
                    {"held_s", condition.heldFor},
                    {"holds", condition.holds},
                    {"met", condition.isMet}});
  }
  return list;
}

json rangeReport(const DrawRange& range, double unit = 1) {
  return {range.lower * unit, range.upper * unit};
}

json testReports(const std::vector<ConditionSpec>& tests) {
  json list = json::array();
  for (const ConditionSpec& test : tests)
    list.push_back({{"observable", test.observable},
                    {"above", orNull<json>(test.above)},
                    {"below", orNull<json>(test.below)},
                    {"for_s", test.holdFor}});
  return list;
}

std::string rangeText(const DrawRange& range, double unit, const std::string& name) {
  return significant(range.lower * unit, 4) + " to " + significant(range.upper * unit, 4) + name;
}

std::string resetText(const ResetSpec& reset) {
  std::string parts;
  const auto add = [&parts](const std::string& part) { parts += (parts.empty() ? "" : ", ") + part; };
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!reset.position[axis].isNone())
      add(std::string(kAxes[axis]) + " " + rangeText(reset.position[axis], 1000, " mm"));
  if (!reset.yaw.isNone()) add("yaw " + rangeText(reset.yaw, kDegrees, " degrees"));
  for (const auto& [joint, range] : reset.joints) add(joint + " " + rangeText(range, 1, ""));
  return "  reset of '" + reset.name + "': " + (parts.empty() ? "nothing" : parts) + "\n";
}

std::string testText(const char* what, const std::vector<TaskWatch::Condition>& tests) {
  std::string lines;
  for (const TaskWatch::Condition& test : tests)
    lines += std::string("  ") + what + ": " + test.observable + " " + test.limits() + "\n";
  return lines;
}

}  // namespace

ordered_json taskOutcomeReport(const Model& model, const TaskWatch& watch) {
  return {{"seed", orNull<ordered_json>(model.task->seed)},
          {"outcome", nameOf(watch.outcome())},
          {"why", watch.why()},
          {"time_s", watch.time()},
          {"time_limit_s", watch.timeLimit()},
          {"conditions",
           {{"success", conditionReports(watch.success())}, {"failure", conditionReports(watch.failure())}}}};
}

json taskReport(const TaskSpec& task) {
  json resets = json::array();
  for (const ResetSpec& reset : task.reset) {
    json joints = json::object();
    for (const auto& [joint, range] : reset.joints) joints[joint] = rangeReport(range);
    resets.push_back({{"name", reset.name},
                      {"x_m", rangeReport(reset.position[0])},
                      {"y_m", rangeReport(reset.position[1])},
                      {"z_m", rangeReport(reset.position[2])},
                      {"yaw_deg", rangeReport(reset.yaw, kDegrees)},
                      {"joints", joints}});
  }
  return {
      {"text", task.text}, {"time_limit_s", task.timeLimit},       {"seed", orNull<json>(task.seed)},
      {"reset", resets},   {"success", testReports(task.success)}, {"failure", testReports(task.failure)}};
}

std::string taskText(const TaskSpec& task, const TaskWatch& watch) {
  std::string text = "task, within " + significant(task.timeLimit) + " s: " + task.text + "\n";
  if (task.seed) text += "  drawn with the seed " + std::to_string(*task.seed) + "\n";
  for (const ResetSpec& reset : task.reset) text += resetText(reset);
  return text + testText("success", watch.success()) + testText("failure", watch.failure());
}

}  // namespace slipstick::app

// The task of a scene document, and how it is written again.
#include <cmath>

#include "assets/degree.h"
#include "assets/scene_format.h"
#include "assets/scene_parser.h"
#include "assets/writer_parts.h"

namespace slipstick::assets {
namespace {

constexpr const char* kAxes[] = {"x", "y", "z"};

/// [lower, upper]
DrawRange parseRange(const YamlValue& value, double unit = 1) {
  const std::vector<double> limits = value.numbers(2);
  if (limits[0] > limits[1])
    value.fail(ErrorCode::InvalidValue, "the range ends before it begins", "write [lower, upper]");
  return {limits[0] * unit, limits[1] * unit};
}

YamlOut rangeOf(const DrawRange& range, double unit = 1) {
  return YamlOut::numbers({writer::inUnits(range.lower, unit), writer::inUnits(range.upper, unit)});
}

ResetSpec parseReset(const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("reset"));
  ResetSpec reset;
  reset.name = map.require("name").text();
  if (map.has("position")) {
    const YamlMap position = map["position"].map(keyNamesOf("reset_position"));
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (position.has(kAxes[axis])) reset.position[axis] = parseRange(position[kAxes[axis]]);
  }
  if (map.has("yaw_deg")) reset.yaw = parseRange(map["yaw_deg"], kDegree);
  for (const auto& [joint, range] : map.entries("joints"))
    reset.joints.emplace_back(joint, parseRange(range));
  return reset;
}

ConditionSpec parseCondition(const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("test"));
  ConditionSpec condition;
  condition.observable = map.require("observable").text();
  condition.above = map.maybeNumber("above");
  condition.below = map.maybeNumber("below");
  if (map.has("between")) {
    if (condition.above || condition.below)
      map["between"].fail(ErrorCode::InvalidValue, "'between' says both limits",
                          "remove it, or 'above' and 'below'");
    const DrawRange range = parseRange(map["between"]);
    condition.above = range.lower;
    condition.below = range.upper;
  }
  if (!condition.above && !condition.below)
    map.self().fail(ErrorCode::InvalidValue, "the test has no limit",
                    "write 'above: …', 'below: …' or 'between: [lower, upper]'");
  condition.holdFor = map.number("for", 0, kNonNegative);
  return condition;
}

}  // namespace

TaskSpec SceneParser::parseTask(const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("task"));
  TaskSpec task;
  task.text = map.require("text").text();
  task.timeLimit = map.number("time_limit", task.timeLimit, {0, 1e6, true});
  for (const YamlValue& reset : map.list("reset")) task.reset.push_back(parseReset(reset));
  for (const YamlValue& test : map.require("success").list()) task.success.push_back(parseCondition(test));
  for (const YamlValue& test : map.list("failure")) task.failure.push_back(parseCondition(test));
  if (map.has("seed")) {
    const double seed = map["seed"].number({0, static_cast<double>(kLargestSeed), false});
    if (seed != std::floor(seed))
      map["seed"].fail(ErrorCode::InvalidValue, "a seed is a whole number", "write a whole number from 0");
    task.seed = static_cast<std::uint64_t>(std::max(seed, 0.0));
  }
  return task;
}

namespace writer {

YamlOut resetOf(const ResetSpec& reset) {
  YamlOut map, position, joints;
  map.add("name", YamlOut::text(reset.name));
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!reset.position[axis].isNone()) position.add(kAxes[axis], rangeOf(reset.position[axis]));
  addIf(map, "position", std::move(position));
  if (!reset.yaw.isNone()) map.add("yaw_deg", rangeOf(reset.yaw, kDegree));
  for (const auto& [joint, range] : reset.joints) joints.add(joint, rangeOf(range));
  addIf(map, "joints", std::move(joints));
  return map;
}

YamlOut conditionOf(const ConditionSpec& condition) {
  YamlOut map;
  map.add("observable", YamlOut::text(condition.observable));
  if (condition.above && condition.below && *condition.above <= *condition.below) {
    map.add("between", YamlOut::numbers({*condition.above, *condition.below}));
  } else {
    if (condition.above) map.add("above", YamlOut::number(*condition.above));
    if (condition.below) map.add("below", YamlOut::number(*condition.below));
  }
  addIf(map, "for", condition.holdFor, 0);
  return map;
}

YamlOut seedOf(std::uint64_t seed) {
  return YamlOut::integer(static_cast<long long>(seed));
}

YamlOut taskOf(const TaskSpec& task) {
  const auto list = [](const auto& specs, const auto& write) {
    YamlOut::List items;
    for (const auto& spec : specs) items.push_back(write(spec));
    return YamlOut::list(std::move(items));
  };
  YamlOut map;
  map.add("text", YamlOut::text(task.text));
  addIf(map, "time_limit", task.timeLimit, TaskSpec().timeLimit);
  addIf(map, "reset", list(task.reset, resetOf));
  map.add("success", list(task.success, conditionOf));
  addIf(map, "failure", list(task.failure, conditionOf));
  if (task.seed) map.add("seed", seedOf(*task.seed));
  return map;
}

}  // namespace writer
}  // namespace slipstick::assets

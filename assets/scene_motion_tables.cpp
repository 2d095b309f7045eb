// Tables of paths and loops, of what people drive, and of tasks.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "assets/degree.h"
#include "assets/scene_tables.h"
#include "assets/writer_parts.h"

namespace slipstick::assets {
namespace {

/// A list, or one number for all.
Codec<std::vector<double>> oneOrList(const Codec<double>& one) {
  const Codec<std::vector<double>> list = listOf(one);
  return {.type = one.type + " | " + list.type,
          .unit = one.unit,
          .read =
              [readOne = one.read, readList = list.read](const YamlValue& value) {
                return value.isList() ? readList(value) : std::vector<double>{readOne(value)};
              },
          .write =
              [](const std::vector<double>& numbers) {
                return numbers.size() == 1 ? YamlOut::number(numbers[0]) : YamlOut::numbers(numbers);
              }};
}

/// Of a box that may have no bounds.
Codec<Vec3> corner() {
  Codec<Vec3> codec = vector("m");
  codec.write = [write = codec.write](const Vec3& v) { return v.allFinite() ? write(v) : YamlOut(); };
  return codec;
}

/// [lower, upper], in the file in so many units.
Codec<DrawRange> drawRange(std::string unit, double factor = 1) {
  return {.type = "numbers 2",
          .unit = std::move(unit),
          .read =
              [factor](const YamlValue& value) {
                const std::vector<double> limits = value.numbers(2);
                if (limits[0] > limits[1])
                  value.fail(ErrorCode::InvalidValue, "the range ends before it begins",
                             "write [lower, upper]");
                return DrawRange{limits[0] * factor, limits[1] * factor};
              },
          .write =
              [factor](const DrawRange& range) {
                return YamlOut::numbers(
                    {writer::inUnits(range.lower, factor), writer::inUnits(range.upper, factor)});
              }};
}

Key<ResetSpec> resetAxis(const char* name, std::size_t axis) {
  const Codec<DrawRange> range = drawRange("m");
  return {name,
          OwnCode<ResetSpec>{
              .type = range.type,
              .unit = range.unit,
              .read = [name, axis, read = range.read](
                          const YamlMap& map, ResetSpec& reset) { reset.position[axis] = read(map[name]); },
              .write =
                  [axis, write = range.write](const ResetSpec& reset) {
                    const DrawRange& drawn = reset.position[axis];
                    return drawn.isNone() ? std::nullopt : std::optional(write(drawn));
                  }},
          "[lower, upper]",
          {.fallback = "none"}};
}

OwnCode<ResetSpec> resetJoints() {
  const Codec<DrawRange> range = drawRange("rad, m");
  return {.type = "names " + range.type,
          .unit = range.unit,
          .read =
              [read = range.read](const YamlMap& map, ResetSpec& reset) {
                for (const auto& [joint, value] : map.entries("joints"))
                  reset.joints.emplace_back(joint, read(value));
              },
          .write =
              [write = range.write](const ResetSpec& reset) {
                YamlOut joints;
                for (const auto& [joint, drawn] : reset.joints) joints.add(joint, write(drawn));
                return joints.isEmpty() ? std::nullopt : std::optional(std::move(joints));
              }};
}

/// Whether a test says its limits as 'between', which reads back only where they are in order.
bool isBetween(const ConditionSpec& test) {
  return test.above && test.below && *test.above <= *test.below;
}

OwnCode<ConditionSpec> limit(const char* key, std::optional<double> ConditionSpec::*member) {
  return {
      .type = number().type,
      .read = [key, member](const YamlMap& map, ConditionSpec& test) { test.*member = map[key].number(); },
      .write =
          [member](const ConditionSpec& test) {
            const std::optional<double>& value = test.*member;
            return value && !isBetween(test) ? std::optional(YamlOut::number(*value)) : std::nullopt;
          }};
}

OwnCode<ConditionSpec> between() {
  const Codec<DrawRange> range = drawRange("");
  return {.type = range.type,
          .read =
              [read = range.read](const YamlMap& map, ConditionSpec& test) {
                const YamlValue value = map["between"];
                if (test.above || test.below)
                  value.fail(ErrorCode::InvalidValue, "'between' says both limits",
                             "remove it, or 'above' and 'below'");
                const DrawRange limits = read(value);
                test.above = limits.lower;
                test.below = limits.upper;
              },
          .write =
              [](const ConditionSpec& test) {
                return isBetween(test) ? std::optional(YamlOut::numbers({*test.above, *test.below}))
                                       : std::nullopt;
              }};
}

/// A whole number up to what a double holds.
Codec<std::uint64_t> taskSeed() {
  return {.type = "integer 0 .. " + std::to_string(kLargestSeed),
          .read =
              [](const YamlValue& value) {
                const double seed = value.number({0, static_cast<double>(kLargestSeed), false});
                if (seed != std::floor(seed))
                  value.fail(ErrorCode::InvalidValue, "a seed is a whole number",
                             "write a whole number from 0");
                return static_cast<std::uint64_t>(std::max(seed, 0.0));
              },
          .write = writer::seedOf};
}

}  // namespace

Codec<Interpolation> interpolation() {
  return words<Interpolation>({{"linear", Interpolation::Linear},
                               {"smooth", Interpolation::Smooth},
                               {"spline", Interpolation::Spline}});
}

const Keys<PathSpec>& pathTable() {
  static const Keys<PathSpec> kKeys{
      "path",
      {"mirrored"},
      {{"in", Elsewhere{"text"}, "a name of 'frames' that its poses are in", {.fallback = "world"}},
       {"keys", Elsewhere{"list path_key"}, "poses and their times"},
       {"start", Elsewhere{"block pose"}, "with moves: where it begins"},
       {"moves", Elsewhere{"list move"}, "in place of keys: what adds up from the start"},
       {"interpolation", &PathSpec::interpolation, interpolation(), "what lies between the keys"}}};
  return kKeys;
}

const Keys<LoopSpec>& loopTable() {
  using Spec = LoopSpec;
  static const Keys<Spec> kKeys{
      "loop",
      {"weld"},
      {{"kind",
        &Spec::kind,
        words<LoopKind>(
            {{"weld", LoopKind::Weld}, {"ball", LoopKind::Ball}, {"distance", LoopKind::Distance}}),
        "what the two frames keep",
        {.page = "`weld`: the frames stay together; `ball`: their origins stay together; `distance`: their "
                 "origins keep a distance",
         .isRequired = true,
         .turn = Turn::First}},
       {"distance",
        &Spec::distance,
        number(kPositive, "m"),
        "of the kind distance",
        {.page = "of the kind `distance`", .fallback = "that of the start"}}}};
  return kKeys;
}

const Keys<GripperRangeSpec>& gripperTable() {
  using Spec = GripperRangeSpec;
  static const Keys<Spec> kKeys{
      "gripper",
      {},
      {{"robot", &Spec::robot, text(), "of the fingers", {.isRequired = true}},
       {"joints", &Spec::joints, listOf(text()), "all that move by themselves"},
       {"open", &Spec::open, oneOrList(number(kAny, "m or rad")), "one per joint or one for all"},
       {"closed", &Spec::closed, oneOrList(number(kAny, "m or rad")), "one per joint or one for all"},
       {"effort", &Spec::effort, number(kPositive, "N or N m"), "largest, per joint"},
       {"closing_time",
        &Spec::closingTime,
        number(kPositive, "s"),
        "from open to closed",
        {.was = "closing_time_s"}}}};
  return kKeys;
}

const Keys<EffectorSpec>& workspaceTable() {
  using Spec = EffectorSpec;
  static const Keys<Spec> kKeys{"workspace",
                                {},
                                {{"lower", &Spec::lower, corner(), "corner of the box, in the world"},
                                 {"upper", &Spec::upper, corner(), "corner of the box, in the world"}}};
  return kKeys;
}

const Keys<EffectorSpec>& effectorTable() {
  using Spec = EffectorSpec;
  constexpr auto kSpeed = &Spec::speed;
  static const Keys<Spec> kKeys{
      "effector",
      {"pose"},
      {{"robot", &Spec::robot, text(), "the arm", {.isRequired = true, .turn = Turn::First}},
       {"link", &Spec::link, text(), "that the tool is fixed to", {.isRequired = true, .turn = Turn::First}},
       {"speed", kSpeed, &EffectorSpeed::linear, number(kPositive, "m/s"), "largest of the tool's way"},
       {"acceleration", kSpeed, &EffectorSpeed::acceleration, number(kPositive, "m/s²"),
        "largest of the tool's way"},
       {"turn_speed", kSpeed, &EffectorSpeed::turn, number(kPositive, "rad/s"), "largest of its turns"},
       {"turn_acceleration", kSpeed, &EffectorSpeed::turnAcceleration, number(kPositive, "rad/s²"),
        "largest of its turns"},
       {"workspace", within("workspace", workspaceTable()), "a box that the tool stays in"},
       {"gripper", &Spec::gripper, block(gripperTable()), "the fingers that hang on it"}}};
  return kKeys;
}

const Keys<ResetSpec>& resetPositionTable() {
  static const Keys<ResetSpec> kKeys{
      "reset_position", {}, {resetAxis("x", 0), resetAxis("y", 1), resetAxis("z", 2)}};
  return kKeys;
}

const Keys<ResetSpec>& resetTable() {
  using Spec = ResetSpec;
  static const Keys<Spec> kKeys{
      "reset",
      {},
      {{"name",
        &Spec::name,
        text(),
        "of a robot, body or deformable",
        {.page = "of the robot, body or deformable; each once", .isRequired = true}},
       {"position",
        within("position", resetPositionTable(), "m"),
        "ranges that are added",
        {.page = "`x`, `y`, `z`: ranges `[lower, upper]` that are added to its `position`, in the same axes",
         .fallback = "none"}},
       {"yaw_deg",
        &Spec::yaw,
        drawRange("°", kDegree),
        "range by which it is turned about z",
        {.page = "range by which it is turned about its own origin and the z axis of those axes",
         .fallback = "none"}},
       {"joints",
        resetJoints(),
        "ranges that are added",
        {.page = "`NAME: [lower, upper]`, added to the initial positions of a robot's joints; never beyond "
                 "their limits",
         .fallback = "none"}}}};
  return kKeys;
}

const Keys<ConditionSpec>& testTable() {
  using Spec = ConditionSpec;
  static const Keys<Spec> kKeys{
      "test",
      {},
      {{"observable", &Spec::observable, text(), "as of run --csv, or \"|a.b|\"", {.isRequired = true}},
       {"above", limit("above", &Spec::above), "limit"},
       {"below", limit("below", &Spec::below), "limit"},
       {"between", between(), "both limits"},
       {"for",
        &Spec::holdFor,
        number(kNonNegative, "s"),
        "how long it must hold without a break",
        {.was = "for_s", .turn = Turn::Last}}},
      [](const YamlMap& map, const Spec& test) {
        if (!test.above && !test.below)
          map.self().fail(ErrorCode::InvalidValue, "the test has no limit",
                          "write 'above: …', 'below: …' or 'between: [lower, upper]'");
      }};
  return kKeys;
}

const Keys<TaskSpec>& taskTable() {
  using Spec = TaskSpec;
  static const Keys<Spec> kKeys{
      "task",
      {},
      {{"text", &Spec::text, text(), "one or two sentences for the person", {.isRequired = true}},
       {"time_limit",
        &Spec::timeLimit,
        number({0, 1e6, true}, "s"),
        "from the start of a try",
        {.page = "simulated time from the start of a try", .was = "time_limit_s"}},
       {"reset",
        &Spec::reset,
        blocks(resetTable()),
        "how things are moved away from where the scene puts them",
        {.page = "a list: how one robot, body or deformable is moved away from where the scene puts it",
         .fallback = "none"}},
       {"success",
        &Spec::success,
        blocks(testTable()),
        "all of them must hold at once",
        {.page = "tests; all of them must hold at once", .isRequired = true}},
       {"failure",
        &Spec::failure,
        blocks(testTable()),
        "any of them ends the try",
        {.page = "tests; any of them ends the try. Where success and failure come at one step, it has failed",
         .fallback = "none"}},
       {"seed",
        &Spec::seed,
        taskSeed(),
        "what the reset was drawn with",
        {.page = "written by the program: what the reset was drawn with. The scene is then as it was drawn, "
                 "and is not drawn again",
         .fallback = "none"}}}};
  return kKeys;
}

}  // namespace slipstick::assets

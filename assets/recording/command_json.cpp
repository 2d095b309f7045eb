#include "assets/recording/command_json.h"

#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace slipstick::assets::recording {
namespace {

using Json = nlohmann::json;

// What is written is put together as text: an array or object of nlohmann's allocates as it goes, and where there is no memory
// that ends the program.

std::string jsonOf(const std::string& words) {
  return Json(words).dump();
}
std::string jsonOf(bool value) {
  return value ? "true" : "false";
}
std::string jsonOf(std::int32_t index) {
  return std::to_string(index);
}
/// JSON has no infinity: it is a word, as in scenes.
std::string jsonOf(double number) {
  if (std::isfinite(number)) return Json(number).dump();
  return std::isnan(number) ? R"("nan")" : number > 0 ? R"("inf")" : R"("-inf")";
}
template <class Values, class ToJson>
std::string listOf(const Values& values, const ToJson& toJson) {
  std::string list = "[";
  for (const auto& value : values) {
    if (list.size() > 1) list += ',';
    list += toJson(value);
  }
  return list += ']';
}
std::string jsonOf(std::span<const double> numbers) {
  return listOf(numbers, [](double number) { return jsonOf(number); });
}
std::string jsonOf(const VecX& values) {
  return jsonOf(std::span(values.data(), static_cast<std::size_t>(values.size())));
}
std::string jsonOf(const Vec3& v) {
  return jsonOf(std::span(v.data(), 3));
}
std::string jsonOf(const Quat& q) {
  return jsonOf(std::array{q.w(), q.x(), q.y(), q.z()});
}
std::string objectOf(std::initializer_list<std::pair<std::string_view, std::string>> fields) {
  std::string object = "{";
  for (const auto& [name, value] : fields) {
    if (object.size() > 1) object += ',';
    ((object += '"') += name) += "\":";
    object += value;
  }
  return object += '}';
}

std::string jsonOf(const Pull& p) {
  return objectOf({{"body", jsonOf(p.body)},
                   {"particle", jsonOf(p.particle)},
                   {"point", jsonOf(p.p_B)},
                   {"goal", jsonOf(p.goal_W)},
                   {"frequency", jsonOf(p.naturalFrequency)}});
}
std::string jsonOf(const Twist& t) {
  return objectOf(
      {{"body", jsonOf(t.body)}, {"goal", jsonOf(t.goal_WB)}, {"frequency", jsonOf(t.naturalFrequency)}});
}
std::string jsonOf(const State::Drive& d) {
  return objectOf(
      {{"joint", jsonOf(d.joint)}, {"goal", jsonOf(d.goal)}, {"q", jsonOf(d.q)}, {"v", jsonOf(d.v)}});
}
std::string jsonOf(const State::Goal& g) {
  return objectOf({{"effector", jsonOf(g.effector)},
                   {"position", jsonOf(g.p)},
                   {"quaternion", jsonOf(g.R)},
                   {"q", jsonOf(g.q)},
                   {"v", jsonOf(g.v)},
                   {"home", jsonOf(g.home)},
                   {"detour", jsonOf(g.detour)},
                   {"grips", jsonOf(g.grips)},
                   {"closing", jsonOf(g.closing)},
                   {"closed", jsonOf(g.closed)}});
}
std::string jsonOf(const Pose& X) {
  const std::string rows = listOf(std::array{0, 1, 2}, [&X](int row) { return jsonOf(Vec3(X.R.row(row))); });
  return objectOf({{"position", jsonOf(X.p)}, {"rotation", rows}});
}

double numberOf(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const double infinity = std::numeric_limits<double>::infinity();
  return json == "inf" ? infinity : json == "-inf" ? -infinity : std::nan("");
}
std::vector<double> numbersOf(const Json& json) {
  std::vector<double> numbers;
  for (const Json& number : json) numbers.push_back(numberOf(number));
  return numbers;
}
Vec3 vectorOf(const Json& json) {
  return {numberOf(json.at(0)), numberOf(json.at(1)), numberOf(json.at(2))};
}
Quat quaternionOf(const Json& json) {
  return {numberOf(json.at(0)), numberOf(json.at(1)), numberOf(json.at(2)), numberOf(json.at(3))};
}
Pull pullOf(const Json& json) {
  return {json.at("body").get<std::int32_t>(), json.at("particle").get<std::int32_t>(),
          vectorOf(json.at("point")), vectorOf(json.at("goal")), numberOf(json.at("frequency"))};
}
Twist twistOf(const Json& json) {
  return {json.at("body").get<std::int32_t>(), quaternionOf(json.at("goal")), numberOf(json.at("frequency"))};
}
Pose poseOf(const Json& json) {
  Pose X;
  X.p = vectorOf(json.at("position"));
  for (int i = 0; i < 3; ++i) X.R.row(i) = vectorOf(json.at("rotation").at(static_cast<std::size_t>(i)));
  return X;
}

VecX valuesOf(const Json& json) {
  const auto values = numbersOf(json);
  return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
}
State::Goal stateGoalOf(const Json& json) {
  State::Goal g;
  g.effector = json.at("effector").get<std::int32_t>();
  g.p = vectorOf(json.at("position"));
  g.R = quaternionOf(json.at("quaternion"));
  g.q = valuesOf(json.at("q"));
  g.v = valuesOf(json.at("v"));
  g.home = valuesOf(json.at("home"));
  g.detour = valuesOf(json.at("detour"));
  g.grips = json.at("grips").get<bool>();
  g.closing = numberOf(json.at("closing"));
  g.closed = numberOf(json.at("closed"));
  return g;
}

struct ToJson {
  std::string operator()(const SetParameter& c) const {
    return objectOf({{"set", jsonOf(c.path)}, {"value", jsonOf(std::span(c.value))}});
  }
  std::string operator()(const Pull& c) const { return objectOf({{"pull", jsonOf(c)}}); }
  std::string operator()(const Twist& c) const { return objectOf({{"twist", jsonOf(c)}}); }
  std::string operator()(const Release&) const { return objectOf({{"release", "true"}}); }
  std::string operator()(const DriveJoint& c) const {
    return objectOf({{"drive", jsonOf(c.joint)}, {"goal", jsonOf(c.goal)}});
  }
  std::string operator()(const FreeJoint& c) const { return objectOf({{"free", jsonOf(c.joint)}}); }
  std::string operator()(const Goal& c) const {
    return objectOf(
        {{"goal_of", jsonOf(c.effector)}, {"position", jsonOf(c.p)}, {"quaternion", jsonOf(c.R)}});
  }
  std::string operator()(const Grip& c) const {
    return objectOf({{"grip", jsonOf(c.effector)}, {"closing", jsonOf(c.closing)}});
  }
  std::string operator()(const Reposture& c) const { return objectOf({{"reposture", jsonOf(c.effector)}}); }
  std::string operator()(const LetGo& c) const { return objectOf({{"let_go", jsonOf(c.effector)}}); }
  std::string operator()(const Place& c) const {
    return objectOf({{"place", jsonOf(c.body)}, {"pose", jsonOf(c.X_WB)}});
  }
};

Command fromJson(const Json& json) {
  if (json.contains("set"))
    return SetParameter{json.at("set").get<std::string>(), numbersOf(json.at("value"))};
  if (json.contains("pull")) return pullOf(json.at("pull"));
  if (json.contains("twist")) return twistOf(json.at("twist"));
  if (json.contains("drive"))
    return DriveJoint{json.at("drive").get<std::int32_t>(), numberOf(json.at("goal"))};
  if (json.contains("free")) return FreeJoint{json.at("free").get<std::int32_t>()};
  if (json.contains("place")) return Place{json.at("place").get<std::int32_t>(), poseOf(json.at("pose"))};
  if (json.contains("goal_of"))
    return Goal{json.at("goal_of").get<std::int32_t>(), vectorOf(json.at("position")),
                quaternionOf(json.at("quaternion"))};
  if (json.contains("grip")) return Grip{json.at("grip").get<std::int32_t>(), numberOf(json.at("closing"))};
  if (json.contains("reposture")) return Reposture{json.at("reposture").get<std::int32_t>()};
  if (json.contains("let_go")) return LetGo{json.at("let_go").get<std::int32_t>()};
  json.at("release");  // throws where it is none of all
  return Release{};
}

/// A damaged file may have any bytes, and a terminal obeys some of them.
std::string printable(std::string text) {
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

/// nlohmann's exceptions end here.
template <class Read>
auto reading(const std::string& text, const Read& read) -> Result<decltype(read(Json()))> {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& e) {
    return Error{ErrorCode::SyntaxError, "it cannot be read: " + printable(e.what()),
                 printable(text.substr(0, 60)), "record again; this file is damaged or of a newer program"};
  }
}

}  // namespace

std::string textOf(const Command& command) {
  return std::visit(ToJson{}, command);
}

Result<Command> commandOf(const std::string& text) {
  return reading(text, fromJson);
}

std::string textOfGrips(const State& state) {
  const auto toJson = [](const auto& part) { return jsonOf(part); };
  return objectOf({{"pulls", listOf(state.pulls, toJson)},
                   {"twists", listOf(state.twists, toJson)},
                   {"drives", listOf(state.drives, toJson)},
                   {"goals", listOf(state.goals, toJson)}});
}

Result<void> readGrips(const std::string& text, State& state) {
  const Result<bool> read = reading(text, [&state](const Json& json) {
    for (const Json& pull : json.at("pulls")) state.pulls.push_back(pullOf(pull));
    for (const Json& twist : json.at("twists")) state.twists.push_back(twistOf(twist));
    for (const Json& d : json.at("drives"))
      state.drives.push_back({d.at("joint").get<std::int32_t>(), numberOf(d.at("goal")), numberOf(d.at("q")),
                              numberOf(d.at("v"))});
    if (json.contains("goals"))
      for (const Json& goal : json.at("goals")) state.goals.push_back(stateGoalOf(goal));
    return true;
  });
  if (!read) return read.error();
  return {};
}

}  // namespace slipstick::assets::recording

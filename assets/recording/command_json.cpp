#include "assets/recording/command_json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace slipstick::assets::recording {
namespace {

using Json = nlohmann::json;

/// JSON has no infinity: it is a word, as in scenes.
Json jsonOf(double number) {
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}
double numberOf(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const double infinity = std::numeric_limits<double>::infinity();
  return json == "inf" ? infinity : json == "-inf" ? -infinity : std::nan("");
}
Json jsonOf(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(jsonOf(number));
  return list;
}
std::vector<double> numbersOf(const Json& json) {
  std::vector<double> numbers;
  for (const Json& number : json) numbers.push_back(numberOf(number));
  return numbers;
}

Json jsonOf(const Vec3& v) {
  return jsonOf(std::vector<double>{v.x(), v.y(), v.z()});
}
Json jsonOf(const Quat& q) {
  return jsonOf(std::vector<double>{q.w(), q.x(), q.y(), q.z()});
}
Json jsonOf(const Pull& p) {
  return {{"body", p.body},
          {"particle", p.particle},
          {"point", jsonOf(p.p_B)},
          {"goal", jsonOf(p.goal_W)},
          {"frequency", jsonOf(p.naturalFrequency)}};
}
Json jsonOf(const Twist& t) {
  return {{"body", t.body}, {"goal", jsonOf(t.goal_WB)}, {"frequency", jsonOf(t.naturalFrequency)}};
}
Json jsonOf(const VecX& values) {
  return jsonOf(std::vector<double>(values.begin(), values.end()));
}
Json jsonOf(const State::Goal& g) {
  return {{"effector", g.effector},     {"position", jsonOf(g.p)}, {"quaternion", jsonOf(g.R)},
          {"q", jsonOf(g.q)},           {"v", jsonOf(g.v)},        {"home", jsonOf(g.home)},
          {"detour", jsonOf(g.detour)}, {"grips", g.grips},        {"closing", jsonOf(g.closing)},
          {"closed", jsonOf(g.closed)}};
}
Json jsonOf(const Pose& X) {
  Json rows = Json::array();
  for (int i = 0; i < 3; ++i) rows.push_back(jsonOf(Vec3(X.R.row(i))));
  return {{"position", jsonOf(X.p)}, {"rotation", rows}};
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
  Json operator()(const SetParameter& c) const { return {{"set", c.path}, {"value", jsonOf(c.value)}}; }
  Json operator()(const Pull& c) const { return {{"pull", jsonOf(c)}}; }
  Json operator()(const Twist& c) const { return {{"twist", jsonOf(c)}}; }
  Json operator()(const Release&) const { return {{"release", true}}; }
  Json operator()(const DriveJoint& c) const { return {{"drive", c.joint}, {"goal", jsonOf(c.goal)}}; }
  Json operator()(const FreeJoint& c) const { return {{"free", c.joint}}; }
  Json operator()(const Goal& c) const {
    return {{"goal_of", c.effector}, {"position", jsonOf(c.p)}, {"quaternion", jsonOf(c.R)}};
  }
  Json operator()(const Grip& c) const { return {{"grip", c.effector}, {"closing", jsonOf(c.closing)}}; }
  Json operator()(const Reposture& c) const { return {{"reposture", c.effector}}; }
  Json operator()(const LetGo& c) const { return {{"let_go", c.effector}}; }
  Json operator()(const Place& c) const { return {{"place", c.body}, {"pose", jsonOf(c.X_WB)}}; }
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
  return std::visit(ToJson{}, command).dump();
}

Result<Command> commandOf(const std::string& text) {
  return reading(text, fromJson);
}

std::string textOfGrips(const State& state) {
  Json pulls = Json::array(), twists = Json::array(), drives = Json::array();
  for (const Pull& pull : state.pulls) pulls.push_back(jsonOf(pull));
  for (const Twist& twist : state.twists) twists.push_back(jsonOf(twist));
  for (const State::Drive& d : state.drives)
    drives.push_back({{"joint", d.joint}, {"goal", jsonOf(d.goal)}, {"q", jsonOf(d.q)}, {"v", jsonOf(d.v)}});
  Json grips = {{"pulls", pulls}, {"twists", twists}, {"drives", drives}};
  for (const State::Goal& goal : state.goals) grips["goals"].push_back(jsonOf(goal));
  return grips.dump();
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

#include "tests/assets/random_scene.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "assets/scene_format.h"
#include "engine/foundation/math.h"
#include "engine/foundation/number_text.h"
#include "engine/model/material.h"
#include "engine/model/parameters.h"
#include "render/offscreen.h"

namespace slipstick::testing {

namespace fs = std::filesystem;
using assets::allKeysOf;
using assets::FormatBlock;
using assets::FormatKey;
using Json = RandomScene::Json;

namespace {

constexpr const char* kRobot = R"(<robot name="r">
  <link name="base"/>
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="b c"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="d"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" velocity="3" effort="4"/></joint>
  <joint name="slide" type="prismatic"><parent link="a"/><child link="b c"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="2" velocity="3" effort="4"/></joint>
  <joint name="hover" type="floating"><parent link="base"/><child link="d"/></joint>
</robot>)";
constexpr const char* kMujoco = R"(<mujoco model="m"><worldbody><body name="a"><joint name="turn"/>
  <geom size="0.1"/><body name="b c"><joint name="slide" type="slide"/><geom size="0.2"/></body></body></worldbody></mujoco>)";
constexpr const char* kSdf = R"(<sdf version="1.9"><model name="s"><link name="base"/><link name="a"/>
  <joint name="turn" type="revolute"><parent>base</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>
  <link name="b c"/><joint name="slide" type="prismatic"><parent>a</parent><child>b c</child><axis><xyz>0 0 1</xyz></axis></joint>
</model></sdf>)";
constexpr const char* kSrdf =
    R"(<robot name="r"><disable_collisions link1="a" link2="d" reason="Never"/></robot>)";
constexpr const char* kMesh = R"(v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
vt 0 0
vt 1 0
vt 0 1
f 1/1 3/3 2/2
f 1/1 2/2 4/3
f 1/1 4/3 3/2
f 2/1 3/2 4/3
)";
constexpr const char* kIncluded = R"(materials: {from below: {model: hencky, E: 1e5, nu: 0.3, density: 500}}
bodies: {from below: {base: free, density: 300, shapes: [{shape: sphere, radius: 0.1}]}}
)";

const std::vector<std::string> kLinks = {"base", "a", "b c", "d"};
const std::vector<std::string> kJoints = {"turn", "slide"};
/// What people may call things.
const std::vector<std::string> kNames = {
    "a",     "b b",   "c.d",    "7",     "true", "null", "é µ",        "x: y", "#h",  "-",  "[q]",
    "\"z\"", "it's",  "a_1",    "a\\b",  "~",    "1e3",  ".inf",       "0x10", "*",   "&a", "%p",
    "@q",    "{r}",   "a, b",   "? k",   "! t",  "| u",  "on",         "...",  "---", "=",  "/",
    "..",    " lead", "trail ", "|a.b|", "nan",  "No",   "2001-01-01", "`c`",  "a#b", "a:b"};

bool isBlock(std::string_view name) {
  const auto& blocks = assets::formatBlocks();
  return std::any_of(blocks.begin(), blocks.end(), [&](const FormatBlock& b) { return b.name == name; });
}

std::string_view firstWord(std::string_view text) {
  return text.substr(0, text.find(' '));
}
std::string_view rest(std::string_view text) {
  const std::size_t space = text.find(' ');
  return space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
}

/// "> 0 .. < 1", ">= 0", "0 .. 1", "> 0 .. 1000"; empty: any.
struct Bounds {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  bool isOpenBelow = false, isOpenAbove = false;
  explicit Bounds(std::string_view range) {
    bool isUpper = false, isOpen = false;
    for (; !range.empty(); range = rest(range)) {
      const std::string_view word = firstWord(range);
      if (word == "..") isUpper = true;
      if (word == ">" || word == "<") isOpen = true;
      const std::optional<double> number = parseNumber(word);
      if (!number) continue;
      (isUpper ? upper : lower) = *number;
      (isUpper ? isOpenAbove : isOpenBelow) = std::exchange(isOpen, false);
    }
  }
  bool has(double x) const {
    return (isOpenBelow ? x > lower : x >= lower) && (isOpenAbove ? x < upper : x <= upper);
  }
};

void putFile(const fs::path& file, const char* text) {
  std::ofstream(file) << text;
}

void collect(std::string_view block, std::set<std::string_view>& met, std::set<std::string>& keys) {
  if (!met.insert(block).second) return;
  for (const FormatKey& key : allKeysOf(block)) {
    keys.insert(std::string(block) + "." + std::string(key.key));
    for (const std::string_view type : assets::alternativesOf(key.type))
      if (isBlock(rest(type)) && firstWord(type) != "text") collect(rest(type), met, keys);
  }
}

}  // namespace

RandomScene::RandomScene(unsigned seed, const fs::path& folder) : random_(seed) {
  fs::create_directories(folder);
  putFile(folder / "robot.urdf", kRobot);
  putFile(folder / "robot.xml", kMujoco);
  putFile(folder / "robot.sdf", kSdf);
  putFile(folder / "robot.srdf", kSrdf);
  putFile(folder / "m.obj", kMesh);
  for (const char* again : {"robot.urdf", "robot.xml", "robot.sdf", "robot.srdf", "m.obj"})
    fs::copy_file(folder / again, folder / (std::string("other ") + again));
  putFile(folder / "common.yaml", kIncluded);
  render::Image image;
  image.width = image.height = 2;
  image.rgba.assign(16, 200);
  (void)render::writePng(image, folder / "t.png", 1);
}

std::set<std::string> RandomScene::allKeys() {
  std::set<std::string_view> met;
  std::set<std::string> keys;
  collect("scene", met, keys);
  return keys;
}

Json RandomScene::draw() {
  names_.clear();
  leaves_.clear();
  isWild_ = !isSmall_ && chance(0.3);
  for (const FormatKey& key : allKeysOf("scene")) {
    std::vector<std::string>& names = names_[std::string(key.key)];
    if (!key.type.starts_with("names ")) continue;
    for (int i = below(4); i > 0; --i) names.push_back(oneOf(kNames));
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
  }
  if (chance(0.5)) names_["frames"].clear();
  scene_ = block("scene", Place());
  return scene_;
}

std::set<std::string> RandomScene::keys() const {
  std::set<std::string> keys;
  for (const Leaf& leaf : leaves_)
    if (scene_.contains(leaf.place)) keys.insert(leaf.key);
  return keys;
}

std::pair<Json, std::string> RandomScene::changed(const std::set<std::string>& wanted) {
  std::vector<const Leaf*> all, few;
  for (const Leaf& leaf : leaves_) {
    if (!scene_.contains(leaf.place)) continue;
    all.push_back(&leaf);
    if (wanted.contains(leaf.key)) few.push_back(&leaf);
  }
  if (all.empty()) return {};
  const Leaf leaf = *oneOf(few.empty() ? all : few);
  Json other = scene_;
  if (chance(0.4)) {
    other[leaf.place.parent_pointer()].erase(leaf.place.back());
    return {other, leaf.key};
  }
  const std::vector<Leaf> before = leaves_;
  const std::size_t dot = leaf.key.find('.');
  const std::string name = leaf.key.substr(0, dot), key = leaf.key.substr(dot + 1);
  other[leaf.place] = value({name, key, leaf.place}, leaf.type);
  leaves_ = before;
  return {other, leaf.key};
}

Json RandomScene::block(std::string_view name, const Place& place) {
  Json made = Json::object();
  const bool isScene = name == "scene";
  for (const FormatKey& key : allKeysOf(name)) {
    const bool isRare =
        key.key == "defaults" || key.key == "include" || key.key == "mirror" || key.key == "replicate";
    const double likely = isRare ? 0.1 : isScene ? 0.6 : 0.4;
    const bool isNeeded = key.fallback == "required" || (isScene && key.key == "frames");
    if (!isNeeded && !chance(likely)) continue;
    need(made, name, std::string(key.key), place);
  }
  settle(name, made, place);
  return made;
}

/// Draws a key of a block.
void RandomScene::need(Json& made, std::string_view name, const std::string& key, const Place& place) {
  if (made.contains(key)) return;
  for (const FormatKey& row : allKeysOf(name)) {
    if (row.key != key) continue;
    made[key] = value({name, row.key, place / key}, row.type);
    leaves_.push_back({std::string(name) + "." + key, std::string(row.type), place / key});
  }
}

Json RandomScene::value(const Draw& draw, std::string_view type) {
  return alternative(draw, oneOf(assets::alternativesOf(type)));
}

Json RandomScene::alternative(const Draw& draw, std::string_view type) {
  const std::string_view kind = firstWord(type), of = rest(type);
  if (type.starts_with('\'')) return std::string(type.substr(1, type.size() - 2));
  if (kind == "number") return number(of);
  if (kind == "integer") return whole(draw, of);
  if (kind == "boolean") return chance(0.5);
  if (kind == "text") return word(draw);
  if (kind == "color") return color();
  if (kind == "block") return block(of, draw.place);
  if (kind == "names") return named(draw, of);
  if (type == "numbers 9") return rotation();
  Json list = Json::array();
  if (kind == "numbers") {
    for (int i = std::stoi(std::string(of)); i > 0; --i) list.push_back(number(rest(of)));
    if (draw.key == "quaternion") {
      const Quat q = Quat(Eigen::AngleAxisd(below(700) * 0.01, Vec3(1, below(5), below(3)).normalized()));
      list = {q.w(), q.x(), q.y(), q.z()};
    }
    if (draw.key == "effort") std::sort(list.begin(), list.end());  // the lower one first
    return list;
  }
  const int count = draw.key == "count" ? (draw.block == "deformable" ? 2 : 3) : below(4);
  for (int i = 0; i < count; ++i) {
    const Place place = draw.place / static_cast<std::size_t>(i);
    list.push_back(isBlock(of) ? block(of, place) : alternative({draw.block, draw.key, place}, of));
  }
  return list;
}

Json RandomScene::named(const Draw& draw, std::string_view type) {
  Json made = Json::object();
  for (const std::string& name : namesFor(draw)) {
    const Place place = draw.place / name;
    made[name] = isBlock(type) ? block(type, place) : alternative({draw.block, draw.key, place}, type);
  }
  return made;
}

std::vector<std::string> RandomScene::namesFor(const Draw& draw) {
  if (draw.block == "scene") return names_[std::string(draw.key)];
  std::vector<std::string> names = draw.key == "links" ? kLinks : kJoints;
  if (draw.key == "joints" || draw.key == "velocities") names = {"turn", "hover"};
  std::shuffle(names.begin(), names.end(), random_);
  names.resize(static_cast<std::size_t>(below(static_cast<int>(names.size())) + 1));
  return names;
}

/// Few digits as people write them, all digits, or those at the ends of what doubles can be.
Json RandomScene::number(std::string_view range) {
  const Bounds bounds(range);
  for (;;) {
    double x = (below(2001) - 1000) * std::pow(10.0, below(4) - 3);
    if (chance(0.4)) x = std::normal_distribution<double>(0, std::pow(10.0, below(7) - 3))(random_);
    if (isWild_ && chance(0.2))
      x = oneOf(
          std::vector<double>{-0.0, 0, 1e-300, 5e-324, -5e-324, 1e300, -1e300, 1.7e308, 1e15 + 0.3, 2.0 / 3});
    if (chance(0.3) && std::isfinite(bounds.lower) && std::isfinite(bounds.upper))
      x = std::uniform_real_distribution<double>(bounds.lower, bounds.upper)(random_);
    if (chance(0.05) && std::isfinite(bounds.lower)) x = bounds.lower;
    if (chance(0.05) && std::isfinite(bounds.upper)) x = bounds.upper;
    if (std::isfinite(bounds.lower) && x < bounds.lower) x = 2 * bounds.lower - x;
    if (bounds.has(x)) return x;
  }
}

Json RandomScene::whole(const Draw& draw, std::string_view range) {
  const Bounds bounds(range);
  const bool isLarge =
      isWild_ && draw.block != "replicate";  // thousands of copies are a text that nobody can read
  const double most = std::min(bounds.upper, bounds.lower + (isLarge ? 1e9 : 4));
  return static_cast<std::int64_t>(std::uniform_real_distribution<double>(bounds.lower, most)(random_));
}

Json RandomScene::color() {
  constexpr char kDigits[] = "0123456789abcdefABCDEF";
  std::string hex = "#";
  for (int i = 0; i < 6; ++i) hex += kDigits[below(22)];
  if (chance(0.5)) return hex;
  Json list = Json::array();
  for (int i = chance(0.5) ? 3 : 4; i > 0; --i) list.push_back(number("0 .. 1"));
  return list;
}

Json RandomScene::rotation() {
  const Mat3 R =
      Eigen::AngleAxisd(below(6283) * 1e-3, Vec3(below(5) - 2, below(5) - 2, 1).normalized()).matrix();
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}

std::string RandomScene::linkName() {
  std::vector<std::string> links = {"world"};
  for (const std::string& body : names_["bodies"]) links.push_back(body);
  for (const std::string& frame : names_["frames"]) links.push_back(frame);
  for (const std::string& robot : names_["robots"])
    for (const std::string& link : kLinks) links.push_back(robot + "." + link);
  return oneOf(links);
}

/// What a text refers to; empty: it is only a text.
std::string RandomScene::reference(const Draw& draw) {
  static const std::map<std::string_view, std::string> kFiles = {
      {"file", "m.obj"},     {"texture", "t.png"},   {"urdf", "robot.urdf"},    {"sdf", "robot.sdf"},
      {"mjcf", "robot.xml"}, {"srdf", "robot.srdf"}, {"include", "common.yaml"}};
  if (const auto file = kFiles.find(draw.key); file != kFiles.end())
    return (draw.key != "texture" && draw.key != "include" && chance(0.3) ? "other " : "") + file->second;
  static const std::map<std::string_view, std::string> kLists = {
      {"material", "materials"}, {"path", "paths"}, {"in", "frames"}, {"robot", "robots"}};
  if (const auto list = kLists.find(draw.key); list != kLists.end()) {
    const std::vector<std::string>& names = names_[list->second];
    return !names.empty() ? oneOf(names) : draw.key == "in" ? "world" : "";
  }
  if (draw.key == "of") {  // its block, the entry, 'mirror', 'of'
    const Place entry = draw.place.parent_pointer().parent_pointer();
    const std::vector<std::string>& names = names_[entry.parent_pointer().back()];
    return names.empty() ? "" : oneOf(names);
  }
  if (draw.key == "joint" && draw.block == "sensor")
    return names_["robots"].empty() ? "" : oneOf(names_["robots"]) + "." + oneOf(kJoints);
  if (draw.key == "joints" || draw.key == "joint") return oneOf(kJoints);
  if (draw.block == "frame" && draw.key == "attach_to" && chance(0.7)) return "world";
  const bool isLink = draw.key == "attach_to" || draw.key == "body" || draw.key.starts_with("link");
  return isLink ? linkName() : "";
}

Json RandomScene::word(const Draw& draw) {
  const std::string name = reference(draw);
  return name.empty() ? freeText() : name;
}

std::string RandomScene::freeText() {
  if (chance(0.5)) return oneOf(kNames);
  static const std::vector<std::string> kPieces = {
      "a", " ", "\"",   "\\",   "\n",     "\t",     "\r",     "#", ": ", "é",  "{",
      "'", "%", "\x01", "\x7f", "\u0085", "\u2028", "\ufeff", "😀", "- ", "\b", "\x1b"};
  std::string text;
  for (int i = below(6) + 1; i > 0; --i) text += oneOf(kPieces);
  return text;
}

// ------------------------------------------------------------------------------------------ what goes together

void RandomScene::keep(Json& made, const std::vector<std::string>& keys) {
  std::vector<std::string> others;
  for (const auto& [key, value] : made.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) others.push_back(key);
  for (const std::string& key : others) made.erase(key);
}

/// Any one of those that contradict each other.
void RandomScene::keepOne(Json& made, const std::vector<std::string>& keys) {
  std::vector<std::string> present;
  for (const std::string& key : keys)
    if (made.contains(key)) present.push_back(key);
  while (present.size() > 1) {
    const std::size_t at = static_cast<std::size_t>(below(static_cast<int>(present.size())));
    made.erase(present[at]);
    present.erase(present.begin() + static_cast<std::ptrdiff_t>(at));
  }
}

void RandomScene::settle(std::string_view name, Json& made, const Place& place) {
  keepOne(made, {"rpy_deg", "rotation", "quaternion"});
  keepOne(made, {"stiffness", "stiffness_factor"});
  if (name == "scene") settleScene(made);
  if (name == "element" || name == "deformable" || name == "boundary") settleShape(name, made, place);
  if (name == "body" || name == "robot") settleBase(made);
  if (name == "body") settleBody(made, place);
  if (name == "robot") settleRobot(made, place);
  if (name == "material") settleMaterial(made, place);
  if (name == "path" || name == "move") settlePath(made, place);
  if (name == "controller") settleController(made, place);
  if (name == "test" || name == "reset" || name == "reset_position") settleTask(name, made, place);
  if (name == "boundary") keepOne(made, {"in", "path"});
  if (name == "loop" && made["kind"] != "distance") made.erase("distance");
  if (name == "pair_rule" && !made.contains("enabled")) need(made, name, "friction", place);
  if (name == "replicate" && made["count"].is_array()) made.erase("rpy_deg");
  if (name == "sensor") {
    if (made["kind"] != "force_torque") made.erase("joint");
    if (made["kind"] != "contact") made.erase("other");
    keepOne(made, {"joint", "link"});
    if (!made.contains("joint")) need(made, name, "link", place);
  }
  if (made.contains("mirror") && made["mirror"].contains("of") && made["mirror"]["of"] == place.back())
    made.erase("mirror");
  if (made.contains("mirror")) {  // what the other one has
    const Json mirror = made["mirror"];
    made = {{"mirror", mirror}};
  }
}

void RandomScene::settleShape(std::string_view name, Json& made, const Place& place) {
  static const std::map<std::string, std::vector<std::string>> kKeys = {{"plane", {}},
                                                                        {"sphere", {"radius"}},
                                                                        {"box", {"size"}},
                                                                        {"capsule", {"radius", "length"}},
                                                                        {"ellipsoid", {"radii"}},
                                                                        {"cylinder", {"radius", "length"}},
                                                                        {"mesh", {"file"}},
                                                                        {"sheet", {"size", "count"}}};
  const bool isSoft = name == "deformable";
  // Boundaries are planes, boxes and spheres; a sheet is cloth.
  while ((made["shape"] == "sheet" && !isSoft) || (made["shape"] == "mesh" && name == "boundary"))
    made["shape"] = oneOf(std::vector<std::string>{"plane", "sphere", "box", "mesh", "cylinder"});
  const std::string shape = made["shape"];
  const std::vector<std::string>& wanted = kKeys.at(shape);
  std::set<std::string> allowed(wanted.begin(), wanted.end());
  if (shape == "mesh") allowed.insert({"scale", "texture", "convex_parts"});
  for (const char* key :
       {"size", "radius", "length", "radii", "file", "scale", "count", "texture", "convex_parts"})
    if (!allowed.contains(key)) made.erase(key);
  for (const std::string& key : wanted) need(made, name, key, place);
  if (wanted.empty() || wanted[0] != "size") return;
  const int edges = shape == "sheet" ? 2 : 3;
  made["size"] = alternative({name, "size", place / "size"}, "numbers " + std::to_string(edges) + " > 0");
}

void RandomScene::settleBase(Json& made) {
  if (names_["paths"].empty()) made.erase("path");
  if (made.contains("path")) {
    for (const char* key :
         {"position", "rpy_deg", "rotation", "in", "velocity", "angular_velocity", "replicate", "attach_to"})
      made.erase(key);
    if (made.contains("base")) made["base"] = "free";
    return;
  }
  const bool isFree = made.contains("base") && made["base"] == "free";
  if (isFree) made.erase("attach_to");
  if (!isFree) made.erase("velocity"), made.erase("angular_velocity");
  keepOne(made, {"in", "attach_to"});
}

void RandomScene::settleBody(Json& made, const Place& place) {
  while (made["shapes"].empty()) made["shapes"] = value({"body", "shapes", place / "shapes"}, "list element");
  for (Json& shape : made["shapes"])  // of which there is no mass
    if (shape["shape"] == "plane") made.erase("mass"), made.erase("density");
  keepOne(made, {"mass", "density"});
  const bool isFree = made.contains("base") && made["base"] == "free" && !made.contains("path");
  if (isFree && !made.contains("mass")) need(made, "body", "density", place);
  if (made.contains("path")) made.erase("replicate");
}

void RandomScene::settleRobot(Json& made, const Place& place) {
  keepOne(made, {"urdf", "sdf", "mjcf"});
  if (!made.contains("sdf") && !made.contains("mjcf")) need(made, "robot", "urdf", place);
  if (!made.contains("urdf")) made.erase("srdf");
}

void RandomScene::settleMaterial(Json& made, const Place& place) {
  if (place.parent_pointer().back() == "defaults") {  // what every model has
    need(made, "material", "density", place);
    return keep(made, {"density"});
  }
  const auto names =
      std::find(kMaterialNames.begin(), kMaterialNames.end(), made["model"].get<std::string>());
  std::vector<std::string> keys = materialKeys(static_cast<MaterialModel>(names - kMaterialNames.begin()));
  for (const char* required : {"E", "nu", "bulk_modulus", "thickness"})
    if (std::find(keys.begin(), keys.end(), required) != keys.end()) need(made, "material", required, place);
  keys.insert(keys.end(), {"model", "density"});
  keep(made, keys);
  keepOne(made, {"friction_angle_deg", "hardening_deg"});
}

/// Times that increase, and one way to say where it goes.
void RandomScene::settlePath(Json& made, const Place& place) {
  const auto ascend = [](Json& list, const char* key) {
    std::vector<double> times;
    for (const Json& one : list) times.push_back(one[key]);
    std::sort(times.begin(), times.end());
    for (std::size_t i = 0; i < times.size(); ++i) list[i][key] = times[i];
  };
  if (made.contains("to")) {  // a move
    if (made["to"] < made["from"]) std::swap(made["to"], made["from"]);
    keepOne(made, {"velocity", "displacement"});
    return;
  }
  if (chance(0.5)) made.erase("keys");
  if (!made.contains("keys")) {
    need(made, "path", "start", place);
    if (made.contains("moves") && made["moves"].size() > 1) made["moves"] = {made["moves"][0]};
    return;
  }
  made.erase("start"), made.erase("moves");
  ascend(made["keys"], "t");
}

void RandomScene::settleController(Json& made, const Place& place) {
  static const std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::string>>> kKinds = {
      {"end_effector_path", {{"robot", "link", "path"}, {"position", "rpy_deg", "rotation", "kp", "kd"}}},
      {"joint_path", {{"robot", "joints", "keys"}, {"kp", "kd", "interpolation"}}},
      {"joint_effort", {{"robot", "joint", "effort"}, {"from"}}},
      {"joint_velocity", {{"robot", "joint", "velocity"}, {"kd", "from"}}},
      {"gripper", {{"robot", "keys"}, {"joints", "effort", "kp", "kd"}}},
      {"force", {{"link", "keys"}, {"point"}}}};
  const std::string kind = made["kind"];
  const auto found = kKinds.find(kind);
  if (found == kKinds.end()) return;
  const auto& [required, others] = found->second;
  std::vector<std::string> keys = {"kind"};
  keys.insert(keys.end(), required.begin(), required.end());
  keys.insert(keys.end(), others.begin(), others.end());
  for (const std::string& key : required) need(made, "controller", key, place);
  keep(made, keys);
  if (kind == "joint_velocity" && made.contains("kd")) made["kd"] = number(">= 0");
  if (!made.contains("keys")) return;
  const std::size_t joints = made.contains("joints") ? made["joints"].size() : 0;
  for (std::size_t i = 0; i < made["keys"].size(); ++i) {
    Json& key = made["keys"][i];
    const Place at = place / "keys" / i;
    if (kind == "gripper") need(key, "controller_key", "opening", at);
    if (kind == "joint_path" && !key.contains("q_deg")) need(key, "controller_key", "q", at);
    keepOne(key, {"q", "q_deg"});
    for (const char* q : {"q", "q_deg"})
      if (key.contains(q)) {
        key[q] = Json::array();
        for (std::size_t k = 0; k < joints; ++k) key[q].push_back(number(""));
      }
    keep(key, kind == "gripper"      ? std::vector<std::string>{"t", "opening"}
              : kind == "joint_path" ? std::vector<std::string>{"t", "q", "q_deg"}
                                     : std::vector<std::string>{"t", "force", "torque"});
  }
}

/// Ranges that end after they begin, and limits.
void RandomScene::settleTask(std::string_view name, Json& made, const Place& place) {
  const auto order = [](Json& range) {
    if (range.is_array() && range.size() == 2 && range[1] < range[0]) std::swap(range[0], range[1]);
  };
  for (auto& [key, value] : made.items()) order(value);
  if (made.contains("joints"))
    for (auto& [joint, range] : made["joints"].items()) order(range);
  if (name != "test") return;
  if (made.contains("between")) made.erase("above"), made.erase("below");
  if (!made.contains("between") && !made.contains("above")) need(made, name, "below", place);
}

void RandomScene::settleScene(Json& made) {
  if (made.value(Place("/defaults/materials"), Json()).contains("density") && made.contains("materials"))
    for (Json& material : made["materials"]) material.erase("density");
  if (made.contains("slipstick")) made["slipstick"] = 1;
  if (made.contains("include")) made["include"] = "common.yaml";
  // What needs a robot, or a thing of its block, has one.
  if (names_["robots"].empty()) made.erase("teleop"), made.erase("controllers");
  if (!isSmall_) return;
  // What most often does not fit together with the rest.
  for (const char* key : {"deformables", "boundaries", "teleop"}) made.erase(key);
  for (const char* key : {"welds", "loops", "controllers", "sensors", "pair_rules", "robots"})
    if (chance(0.7)) made.erase(key);
}

}  // namespace slipstick::testing

// Bodies, robots and their shapes of a scene document.
#include <algorithm>
#include <cmath>
#include <set>

#include "assets/convex_parts.h"
#include "assets/degree.h"
#include "assets/limits.h"
#include "assets/mesh_io.h"
#include "assets/robot_checks.h"
#include "assets/robot_format.h"
#include "assets/scene_format.h"
#include "assets/scene_io.h"
#include "assets/scene_parser.h"
#include "assets/scene_tables.h"
#include "assets/shipped.h"
#include "assets/srdf_io.h"
#include "engine/compile/shape_mass.h"
#include "engine/foundation/nearest_name.h"

namespace slipstick::assets {
namespace {

constexpr double kDensityOfMovedBodies = 1000;  // [kg/m³]; no force depends on it
const std::vector<std::string> kShapeNames = {"plane",    "sphere",    "box", "capsule",
                                              "cylinder", "ellipsoid", "mesh"};

Shape boxOf(const YamlValue& size) {
  const Vec3 half = size.vec3(kPositive) / 2;
  if ((half.array() == 0).any())
    size.fail(ErrorCode::InvalidValue, "no box is so small", "write edges in metres");
  return shape::Box{half};
}

}  // namespace

Pose SceneParser::parsePose(const YamlMap& map) {
  if (map.has("rotation")) return {parseRotation(map), map.vec3("position")};
  return Pose::fromRpy(map.vec3("rpy_deg") * kDegree, map.vec3("position"));
}

/// Nine numbers, row by row: what no three angles say to the last bit.
Mat3 SceneParser::parseRotation(const YamlMap& map) {
  const std::vector<double> n = map["rotation"].numbers(9);
  if (n.size() != 9) return Mat3::Identity();
  Mat3 R;
  R << n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8];
  if (map.has("rpy_deg"))
    map["rotation"].fail(ErrorCode::InvalidValue, "'rotation' and 'rpy_deg' contradict each other",
                         "keep one of the two");
  if ((R * R.transpose() - Mat3::Identity()).norm() > 1e-6 || R.determinant() < 0)
    map["rotation"].fail(ErrorCode::InvalidValue, "the nine numbers are not a rotation",
                         "write the rows of a rotation matrix, or 'rpy_deg'");
  return R;
}

Pose SceneParser::parsePoseBlock(const YamlValue& value) {
  return value.exists() ? parsePose(value.map(keyNamesOf("pose"))) : Pose{};
}

std::optional<std::filesystem::path> SceneParser::findFile(const YamlValue& value) {
  const std::string name = value.text();
  if (document_->fault) return std::nullopt;
  Result<std::filesystem::path> found = resolveFile(name, value.folder(), packagePaths_);
  if (found) return *found;
  value.fail(found.error().code, found.error().what, found.error().remedy);
  return std::nullopt;
}

Vec3 SceneParser::parseScale(const YamlMap& map) {
  if (!map.has("scale")) return Vec3::Ones();
  const YamlValue value = map["scale"];
  const Vec3 scale = value.isList() ? value.vec3() : Vec3::Constant(value.number(kPositive));
  if ((scale.array() == 0).any())
    value.fail(ErrorCode::InvalidValue, "a scale of 0 leaves nothing of the mesh",
               "write numbers other than 0");
  return scale;
}

/// Null where the shape is no mesh.
std::shared_ptr<const MeshSource> SceneParser::sourceOf(const YamlMap& map) {
  if (document_->fault || !map.has("file")) return nullptr;
  MeshSource source;
  source.written = map["file"].text();
  source.file = findFile(map["file"]).value_or("");
  source.scale = parseScale(map);
  if (map.has("texture")) {
    source.imageWritten = map["texture"].text();
    source.image = findFile(map["texture"]).value_or("");
  }
  source.hasFinish = map.has("roughness") || map.has("metallic");
  source.convexParts = parseConvexParts(map);
  return std::make_shared<const MeshSource>(std::move(source));
}

Shape SceneParser::parseMesh(const YamlMap& map) {
  const YamlValue file = map.require("file");
  const Vec3 scale = parseScale(map);
  const std::optional<std::filesystem::path> path = findFile(file);
  if (!path) return shape::Sphere{1};
  if (!goesOn("reading mesh " + path->filename().string())) return shape::Sphere{1};
  Result<LoadedMesh> loaded = loadMesh(MeshWish{*path, scale}, progress_);
  if (!loaded) {
    file.fail(loaded.error().code, loaded.error().where + ": " + loaded.error().what, loaded.error().remedy);
    return shape::Sphere{1};
  }
  notices_.insert(notices_.end(), loaded->notices.begin(), loaded->notices.end());
  noteConventions(*path, *loaded, notices_);
  return shape::Mesh{loaded->mesh};
}

/// Puts the image that a scene names on a mesh.
void SceneParser::putOn(const YamlValue& texture, Shape& shape) {
  const std::optional<std::filesystem::path> path = findFile(texture);
  if (!path) return;
  if (!goesOn("reading image " + path->filename().string())) return;
  const Result<SharedImage> image = loadImage(*path, ImageUse::Color);
  if (!image) {
    texture.fail(image.error().code, image.error().where + ": " + image.error().what, image.error().remedy);
    return;
  }
  if (!wearsImages(shape))
    texture.fail(ErrorCode::InvalidValue, "the mesh has no texture coordinates",
                 "unwrap it and export it again, or remove the key");
  giveLooks(shape, {.color = false, .finish = false, .maps = {.color = *image, .finish = {}, .normal = {}}});
}

/// Reads 'shape' and the keys that this shape needs; a key of another shape is a fault, so that nothing is
/// ignored.
Shape SceneParser::parseShape(const YamlMap& map) {
  const std::size_t kind = map.require("shape").choice(kShapeNames);
  const std::vector<std::vector<std::string>> keys = {{},
                                                      {"radius"},
                                                      {"size"},
                                                      {"radius", "length"},
                                                      {"radius", "length"},
                                                      {"radii"},
                                                      {"file", "scale", "texture", "convex_parts"}};
  for (const std::string key :
       {"size", "radius", "length", "radii", "file", "scale", "texture", "convex_parts"})
    if (map.has(key) && std::find(keys[kind].begin(), keys[kind].end(), key) == keys[kind].end())
      map[key].fail(ErrorCode::InvalidValue, "the shape '" + kShapeNames[kind] + "' has no '" + key + "'",
                    "remove the key");
  const auto positive = [&](const char* key) { return map.require(key).number(kPositive); };
  switch (kind) {
    case 0:
      return shape::Plane{};
    case 1:
      return shape::Sphere{positive("radius")};
    case 2:
      return boxOf(map.require("size"));
    case 3:
      return shape::Capsule{positive("radius"), positive("length")};
    case 4:
      return shape::Cylinder{positive("radius"), positive("length")};
    case 5:
      return shape::Ellipsoid{map.require("radii").vec3(kPositive)};
    default:
      return parseMesh(map);
  }
}

LinkGeometry SceneParser::parseElement(const YamlMap& map) {
  LinkGeometry element;
  element.name = map.text("name");
  element.shape = parseShape(map);
  element.X_BG = parsePose(map);
  if (map.has("color")) element.color = map["color"].color();
  if (map.has("roughness") || map.has("metallic")) {
    constexpr Range kPart{0, 1, false};
    element.finish.roughness = static_cast<float>(map.number("roughness", 0.5, kPart));
    element.finish.metallic = static_cast<float>(map.number("metallic", 0, kPart));
    giveLooks(element.shape, {.color = false, .finish = true, .maps = {}});
  }
  if (map.has("texture")) putOn(map["texture"], element.shape);
  element.source = sourceOf(map);
  if (map.has("contact")) element.contact = specOf(map["contact"], contactTable());
  return element;
}

void SceneParser::parsePlacement(const YamlMap& map, RobotSpec& robot) {
  robot.X_PB = parsePose(map);
  if (map.has("base")) robot.freeBase = map["base"].choice({"fixed", "free"}) == 1;
  robot.attachTo = map.text("attach_to", robot.attachTo);
  readKeys(map, movingTable<RobotSpec>(), robot);
  if (map.has("path")) parseBasePath(map, robot);
  for (const char* key : {"velocity", "angular_velocity"})
    if (map.has(key) && !robot.freeBase)
      map[key].fail(ErrorCode::InvalidValue, "a fixed base cannot have a velocity",
                    "write 'base: free', or remove the key");
  if (robot.freeBase && map.has("attach_to"))
    map["attach_to"].fail(ErrorCode::InvalidValue, "a free base is attached to nothing",
                          "write 'base: fixed', or remove the key");
  placeInFrame(map, robot);
  if (map.has("contact")) robot.contact = specOf(map["contact"], contactTable());
  readKeys(map, lookTable(), robot.look);
}

void SceneParser::parseLink(const std::string& link, const YamlValue& value, RobotSpec& robot) {
  const YamlMap map = value.map(keyNamesOf("link"));
  parseLinkInertia(link, map, robot);
  if (map.has("contact")) robot.linkContact.emplace_back(link, specOf(map["contact"], contactTable()));
  if (map.has("convex_parts")) robot.linkConvexParts.emplace(link, parseConvexParts(map));
  LookSpec look;
  readKeys(map, lookTable(), look);
  if (look != LookSpec()) robot.linkLooks.emplace(link, look);
}

/// A base that follows a path is free of everything else.
void SceneParser::parseBasePath(const YamlMap& map, RobotSpec& robot) {
  robot.path = map.text("path");
  for (const char* key : {"position", "rpy_deg", "rotation", "in", "velocity", "angular_velocity"})
    if (map.has(key))
      map[key].fail(ErrorCode::InvalidValue, "the path already says where the base is and how it moves",
                    "remove this key or 'path'");
  if (map.has("base") && !robot.freeBase)
    map["base"].fail(ErrorCode::InvalidValue, "a base that follows a path is not fixed",
                     "remove this key or 'path'");
  robot.freeBase = true;
}

RobotSpec SceneParser::parseBody(const std::string& name, const YamlValue& bodyValue) {
  const YamlMap map = bodyValue.map(keyNamesOf("body"));
  RobotSpec body;
  body.name = name;
  parsePlacement(map, body);
  LinkSpec link;
  const std::vector<YamlValue> shapes = map.require("shapes").list();
  if (shapes.empty())
    map["shapes"].fail(ErrorCode::InvalidValue, "the body has no shape", "add at least one shape");
  std::set<std::string> keys;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const YamlMap element = shapes[i].map(keyNamesOf("element"));
    LinkGeometry geometry = parseElement(element);
    geometry.key = geometry.name.empty() ? std::to_string(i) : geometry.name;
    if (!keys.insert(geometry.key).second)
      shapes[i].fail(ErrorCode::InvalidValue,
                     "another shape of the body goes by '" + geometry.key + "', its name or its place, too",
                     "rename one of them");
    if (element.boolean("visible", true)) link.visuals.push_back(geometry);
    if (!element.boolean("collides", true)) continue;
    if (auto* mesh = std::get_if<shape::Mesh>(&geometry.shape)) mesh->mesh = collisionMesh(*mesh->mesh);
    splitElement(element, name, geometry);
    link.collisions.push_back(std::move(geometry));
  }
  setMass(map, body, link);
  body.description.name = name;
  body.description.links = {link};
  return body;
}

/// 0 where nothing is said.
int SceneParser::parseConvexParts(const YamlMap& map) {
  return map.integer("convex_parts", 0, 0, limits::kSplitParts);
}

/// A mesh of the scene that was to be split and cannot be is a fault, as its author can do something about it.
void SceneParser::splitElement(const YamlMap& map, const std::string& body, LinkGeometry& collision) {
  const int most = parseConvexParts(map);
  if (most < 1 || document_->fault) return;
  if (!goesOn("splitting a mesh of " + body + " into convex parts")) return;
  const Result<std::string> said = splitShape(collision.shape, most, progress_);
  if (!said)
    map["convex_parts"].fail(said.error().code, "the mesh cannot be split: " + said.error().what,
                             said.error().remedy + ", or remove the key");
  else if (said->empty())
    notices_.push_back(
        {Notice::Level::Info, map["convex_parts"].where(), "the mesh is convex already: it stays as it is"});
  else
    notices_.push_back(
        {Notice::Level::Info, map["convex_parts"].where(), "the mesh touches rigid things as " + *said});
}

/// From 'mass' or 'density' and the collision shapes (the visible ones if nothing collides).
void SceneParser::setMass(const YamlMap& map, const RobotSpec& body, LinkSpec& link) {
  const std::optional<double> mass = map.maybeNumber("mass", kPositive);
  std::optional<double> density = map.maybeNumber("density", kPositive);
  if (mass && density)
    map["density"].fail(ErrorCode::InvalidValue, "'mass' and 'density' contradict each other",
                        "keep one of the two");
  if (!mass && !density && !body.path.empty()) density = kDensityOfMovedBodies;
  if (body.freeBase && !mass && !density)
    map.self().fail(ErrorCode::InvalidValue, "the free body '" + body.name + "' has no mass",
                    "add 'mass: …' [kg] or 'density: …' [kg/m³], or write 'base: fixed'");
  if ((!mass && !density) || document_->fault) return;
  const Result<MassProperties> properties =
      massProperties(link.collisions.empty() ? link.visuals : link.collisions);
  if (!properties) {
    map.self().fail(properties.error().code, properties.error().what, properties.error().remedy);
    return;
  }
  const double scale = mass ? *mass / properties->volume : *density;
  link.mass = scale * properties->volume;
  link.com = properties->com;
  link.inertia = scale * properties->inertiaPerDensity;
  if (!(link.mass > 0) || !std::isfinite(link.mass) || !link.inertia.allFinite())
    map[mass ? "mass" : "density"].fail(ErrorCode::InvalidValue, "no mass can be so small or so large",
                                        "write it in kilograms, and sizes in metres");
}

RobotSpec SceneParser::parseRobot(const std::string& name, const YamlValue& value) {
  const std::vector<std::string> ofJoints = keysOf(ParameterBlock::Joint);
  const YamlMap map = value.map(keyNamesOf("robot"));
  RobotSpec robot;
  robot.name = name;
  parsePlacement(map, robot);
  readKeys(map, robotTable(), robot);
  parseJointStarts(map, robot);
  parseJointLimits(map, robot);
  for (const std::string& key : ofJoints)
    for (const auto& [joint, number] : map.entries(key))
      robot.jointNumbers.push_back({joint, key, number.number(rangeOf(ParameterBlock::Joint, key))});
  for (const auto& [link, block] : map.entries("links")) parseLink(link, block, robot);
  const LoadedRobot* loaded = robotOf(map);
  if (!loaded) return robot;
  robot.description = loaded->robot;
  addNotices(loaded->notices, robot);
  if (robot.freeBase && robot.path.empty()) {  // a path moves what it will
    std::vector<Notice> notices;
    const auto where = [&](const std::string& link) {
      return robot.description.file.string() + ", link '" + link + "'";
    };
    settleFreeBase(robot.description, robot.linkInertias, where, notices);
    addNotices(notices, robot);
  }
  parseSrdf(map, robot);
  if (document_->fault) return robot;
  if (Result<void> ok = splitMeshes(robot, notices_, progress_); !ok) document_->fail(ok.error());
  return robot;
}

/// Links that do not meet, beside those of the robot's own file.
void SceneParser::parseSrdf(const YamlMap& map, RobotSpec& robot) {
  if (!map.has("srdf")) return noteSrdfBeside(robot.description.file, notices_);
  const std::optional<std::filesystem::path> file = findFile(map["srdf"]);
  if (!file) return;
  robot.srdf = *file;
  // As of the robot's file: the place of the fault is in the file.
  if (Result<void> ok = addSrdf(*file, robot.description, notices_, progress_); !ok)
    document_->fail(ok.error());
}

/// The file of a robot: a mere name is that of a shipped one, all else a file as any other.
std::optional<std::filesystem::path> SceneParser::findRobot(const YamlValue& value) {
  const std::string name = value.text();
  if (document_->fault || !isBareName(name)) return findFile(value);
  if (const auto shipped = shippedRobotFile(name)) return shipped;
  if (const auto file = resolveFile(name, value.folder(), packagePaths_)) return *file;
  std::vector<std::string> names;
  for (const ShippedRobot& robot : shippedRobots()) names.push_back(robot.name);
  value.fail(ErrorCode::UnknownName, "there is no shipped robot and no file of the name '" + name + "'",
             suggestName(name, names));
  return std::nullopt;
}

namespace {

/// "'urdf: FILE', 'sdf: FILE' or 'mjcf: FILE'"
std::string offered(const std::vector<std::string>& keys) {
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i)
    text += (i == 0 ? "" : i + 1 < keys.size() ? ", " : " or ") + ("'" + keys[i] + ": FILE'");
  return text;
}

}  // namespace

/// The robot's file, read once however often it is placed; null after a fault.
const LoadedRobot* SceneParser::robotOf(const YamlMap& map) {
  const std::vector<std::string> formats = robotKeys();
  const auto written = [&](const std::string& format) { return map.has(format); };
  if (std::count_if(formats.begin(), formats.end(), written) != 1)
    map.self().fail(ErrorCode::InvalidValue, "a robot comes from one file", "add " + offered(formats));
  const auto format = std::find_if(formats.begin(), formats.end(), written);
  if (format == formats.end()) return nullptr;
  const std::optional<std::filesystem::path> file = findRobot(map[*format]);
  if (!file) return nullptr;
  auto known = robots_.find(*file);
  if (known == robots_.end()) {
    Result<LoadedRobot> loaded = robotFormatOfKey(*format).load(*file, packagePaths_, progress_);
    if (!loaded) {
      // The fault is in the robot's file: its own place is what helps.
      document_->fail(loaded.error());
      return nullptr;
    }
    known = robots_.emplace(*file, std::move(*loaded)).first;
  }
  return &known->second;
}

}  // namespace slipstick::assets

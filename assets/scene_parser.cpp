#include "assets/scene_parser.h"

#include <algorithm>

#include "assets/scene_format.h"
#include "assets/scene_tables.h"

namespace slipstick::assets {
namespace {

/// So that nothing is ignored.
void refuseKeysOfOtherModels(const YamlMap& map, MaterialModel model, const std::vector<std::string>& known) {
  std::string list;
  for (const std::string& key : known) list += (list.empty() ? "" : ", ") + key;
  for (const std::string& key : keyNamesOf("material"))
    if (map.has(key) && std::find(known.begin(), known.end(), key) == known.end())
      map[key].fail(ErrorCode::UnknownName,
                    "the material model '" + std::string(kMaterialNames[static_cast<std::size_t>(model)]) +
                        "' has no '" + key + "'",
                    "remove the key; known: " + list);
}

}  // namespace

void checkVersion(const YamlValue& version) {
  const int number = version.integer(1, 1'000'000);
  if (number > kFormatVersion)
    version.fail(
        ErrorCode::Unsupported,
        "the file is of version " + std::to_string(number) + " of the format, which is newer",
        "open it with a newer Slipstick; this one reads up to version " + std::to_string(kFormatVersion));
}

void SceneParser::parse(const YamlValue& root, Scene& scene) {
  if (!root.isMap()) {
    root.fail(ErrorCode::SyntaxError, "this is not a scene",
              "begin with keys such as 'title:' and 'bodies:'");
    return;
  }
  const YamlMap map = root.map(keyNamesOf("scene"));
  // Files without a version are from before there was one.
  if (map.has("slipstick")) checkVersion(map["slipstick"]);
  if (document_->fault) return;
  parseSettings(map, scene);
  parseNamedThings(map, scene);
}

/// False, with the fault that it leaves behind, once the load is cancelled.
bool SceneParser::goesOn(const std::string& what) {
  if (!progress_) return true;
  progress_->say(what, -1);
  if (progress_->isCancelled()) document_->fail(cancelledLoad(document_->places.label()));
  return !progress_->isCancelled();
}

void SceneParser::parseNamedThings(const YamlMap& map, Scene& scene) {
  parseFrames(map);
  for (const auto& [name, value] : map.entries("materials"))
    scene.materials.push_back({name, parseMaterial(value)});
  for (const auto& [name, value] : map.entries("deformables"))
    scene.deformables.push_back(parseDeformable(name, value, scene.materials));
  for (const auto& [name, value] : map.entries("bodies")) scene.robots.push_back(parseBody(name, value));
  const auto robots = map.entries("robots");
  for (std::size_t i = 0; i < robots.size(); ++i) {
    const auto count = static_cast<double>(robots.size()), k = static_cast<double>(i);
    const LoadProgress::Part part(progress_, k / count, (k + 1) / count);
    if (goesOn("reading robot " + robots[i].first))
      scene.robots.push_back(parseRobot(robots[i].first, robots[i].second));
  }
  for (const auto& [name, value] : map.entries("welds")) scene.loops.push_back(parseWeld(name, value));
  for (const auto& [name, value] : map.entries("loops")) {
    const auto isNamed = [&name = name](const LoopSpec& loop) { return loop.name == name; };
    if (std::any_of(scene.loops.begin(), scene.loops.end(), isNamed))
      value.fail(ErrorCode::InvalidValue, "one of 'welds' is called '" + name + "', too",
                 "rename one of them");
    scene.loops.push_back(parseLoop(name, value));
  }
  for (const YamlValue& value : map.list("pair_rules"))
    scene.pairRules.push_back(specOf(value, pairRuleTable()));
  for (const auto& [name, value] : map.entries("paths")) scene.paths.push_back(parsePath(name, value));
  for (const YamlValue& value : map.list("controllers")) scene.controllers.push_back(parseController(value));
  for (const auto& [name, value] : map.entries("teleop"))
    scene.effectors.push_back(parseEffector(name, value));
  for (const auto& [name, value] : map.entries("boundaries"))
    scene.boundaries.push_back(parseBoundary(name, value));
  for (const auto& [name, value] : map.entries("cameras")) scene.cameras.push_back(parseCamera(name, value));
  for (const auto& [name, value] : map.entries("sensors"))
    scene.sensors.push_back(parseSensor(name, value, scene));
  if (map.has("task")) scene.task = specOf(map["task"], taskTable());
}

void SceneParser::parseSettings(const YamlMap& root, Scene& scene) {
  scene.title = root.text("title", scene.name);
  readKeys(root, sceneTable(), scene);
}

MaterialParameters SceneParser::parseMaterial(const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("material"));
  MaterialParameters material;
  readKeys(map, materialTable(), Turn::First, material);
  const std::vector<std::string> known = keysOfModel(material.model);
  refuseKeysOfOtherModels(map, material.model, known);
  for (const Key<MaterialParameters>& key : materialTable().rows) {
    const bool isKnown = std::find(known.begin(), known.end(), key.name) != known.end();
    if (isKnown && key.remarks.turn != Turn::First) readKey(map, key, material);
  }
  return material;
}

/// Besides the shapes that rigid things have: a sheet of cloth.
void SceneParser::parseDeformableShape(const YamlMap& map, DeformableSpec& deformable) {
  if (map.require("shape").text() == "sheet") {
    deformable.sheet = parseSheet(map);
    return;
  }
  if (map.has("count"))
    map["count"].fail(ErrorCode::InvalidValue, "only the shape 'sheet' has a 'count'",
                      "remove the key, or write sampling.count for a box");
  deformable.shape = parseShape(map);
  // Vertices at one place are one particle.
  if (auto* mesh = std::get_if<shape::Mesh>(&deformable.shape)) mesh->mesh = collisionMesh(*mesh->mesh);
  deformable.source = sourceOf(map);
}

SheetSpec SceneParser::parseSheet(const YamlMap& map) {
  for (const char* key : {"radius", "length", "radii", "file", "scale", "sampling"})
    if (map.has(key))
      map[key].fail(ErrorCode::InvalidValue, std::string("the shape 'sheet' has no '") + key + "'",
                    "remove the key");
  SheetSpec sheet;
  const YamlValue size = map.require("size"), count = map.require("count");
  const std::vector<YamlValue> lengths = size.list(), numbers = count.list();
  if (lengths.size() != 2)
    size.fail(ErrorCode::InvalidValue, "two lengths are expected here", "write [x, y] in metres");
  if (numbers.size() != 2)
    count.fail(ErrorCode::InvalidValue, "two whole numbers are expected here",
               "write [nx, ny], the vertices along x and y");
  if (lengths.size() != 2 || numbers.size() != 2) return sheet;
  for (std::size_t a = 0; a < 2; ++a) {
    sheet.size(static_cast<int>(a)) = lengths[a].number(kPositive);
    sheet.count[a] = numbers[a].integer(2, 2000);
  }
  return sheet;
}

DeformableSpec SceneParser::parseDeformable(const std::string& name, const YamlValue& value,
                                            const std::vector<MaterialSpec>& materials) {
  const YamlMap map = value.map(keyNamesOf("deformable"));
  DeformableSpec deformable;
  deformable.name = name;
  readKeys(map, deformableTable(), Turn::First, deformable);
  parseDeformableShape(map, deformable);
  deformable.X_WD = inWorld(map, parsePose(map), "a deformable");
  const bool isCloth = std::any_of(materials.begin(), materials.end(), [&](const MaterialSpec& m) {
    return m.name == deformable.material && m.parameters.model == MaterialModel::Cloth;
  });
  if (isCloth && map.has("sampling"))
    map["sampling"].fail(ErrorCode::InvalidValue,
                         "the particles of a cloth are the vertices and triangles of its mesh",
                         "remove the key; a finer mesh makes more particles");
  readKeys(map, deformableTable(), Turn::Usual, deformable);
  readKeys(map, movingTable<DeformableSpec>(), deformable);
  readKeys(map, deformableTable(), Turn::Later, deformable);
  readKeys(map, deformableLookTable(), deformable);
  readKeys(map, deformableTable(), Turn::Last, deformable);
  return deformable;
}

CameraSpec SceneParser::parseCamera(const std::string& name, const YamlValue& value) {
  CameraSpec camera;
  camera.name = name;
  readBlock(value, cameraTable(), camera);
  rideOnFrame(camera);
  if ((camera.position - camera.target).norm() < 1e-6)
    value.fail(ErrorCode::InvalidValue, "the camera stands on its own target",
               "move 'position' away from 'target'");
  return camera;
}

}  // namespace slipstick::assets

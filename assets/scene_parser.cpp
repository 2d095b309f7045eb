#include "assets/scene_parser.h"

#include <algorithm>
#include <array>

#include "assets/scene_format.h"
#include "engine/model/method_rows.h"

namespace slipstick::assets {
namespace {

constexpr double kMillisecond = 1e-3;
constexpr double kLongestStep_ms = 100;  ///< that compile() takes

template <std::size_t n>
std::vector<std::string> toStrings(const std::array<std::string_view, n>& names) {
  return {names.begin(), names.end()};
}

/// What the table of parameters allows for a key of a material, of the scene.
Range ofMaterial(const char* key) {
  return rangeOf(ParameterBlock::Material, key);
}
Range ofScene(const char* key) {
  return rangeOf(ParameterBlock::Scene, key);
}

/// A whole number within the range of the table.
int wholeNumber(const YamlMap& map, const std::string& key, int fallback, const Range& range) {
  return map.integer(key, fallback, static_cast<int>(range.lower), static_cast<int>(range.upper));
}

TimeSpec parseTime(const YamlValue& value) {
  TimeSpec time;
  if (!value.exists()) return time;
  const YamlMap map = value.map(keyNamesOf("time"));
  time.dt = map.number("dt_ms", time.dt / kMillisecond, {0, kLongestStep_ms, true}) * kMillisecond;
  if (time.dt == 0)
    map["dt_ms"].fail(ErrorCode::InvalidValue, "no step is so short", "write it in milliseconds");
  time.duration = map.number("duration", time.duration, {0, 1e6, true});
  const YamlValue substeps = map["substeps"];
  if (substeps.exists()) time.substeps = substeps.isWord("auto") ? 0 : substeps.integer(1, 100000);
  time.cfl = map.number("cfl", time.cfl, ofScene("time.cfl"));
  return time;
}

/// So that nothing is ignored.
void refuseKeysOfOtherModels(const YamlMap& map, MaterialModel model) {
  std::vector<std::string> known = materialKeys(model);
  known.insert(known.end(), {"model", "density"});
  std::string list;
  for (const std::string& key : known) list += (list.empty() ? "" : ", ") + key;
  for (const std::string& key : keyNamesOf("material"))
    if (map.has(key) && std::find(known.begin(), known.end(), key) == known.end())
      map[key].fail(ErrorCode::UnknownName,
                    "the material model '" + std::string(kMaterialNames[static_cast<std::size_t>(model)]) +
                        "' has no '" + key + "'",
                    "remove the key; known: " + list);
}

/// Of sand: one angle for good, or the four numbers of its hardening.
void parseFriction(const YamlMap& map, MaterialParameters& material) {
  if (map.has("friction_angle_deg"))
    material.sandHardening = {map["friction_angle_deg"].number(ofMaterial("friction_angle_deg")), 0, 0, 0};
  if (!map.has("hardening_deg")) return;
  if (map.has("friction_angle_deg"))
    map["hardening_deg"].fail(ErrorCode::InvalidValue, "'friction_angle_deg' and 'hardening_deg' contradict",
                              "remove one of the two");
  const std::vector<double> h = map["hardening_deg"].numbers(4);
  std::copy_n(h.begin(), std::min<std::size_t>(h.size(), 4), material.sandHardening.begin());
}

RigidSolverSpec parseRigidSolver(const YamlValue& value) {
  RigidSolverSpec solver;
  if (!value.exists()) return solver;
  const YamlMap map = value.map(keyNamesOf("rigid_solver"));
  if (map.has("potential"))
    solver.potential =
        static_cast<ContactPotentialName>(map["potential"].choice({"lagged", "similar", "sap"}));
  if (map.has("friction_rule"))
    solver.frictionRule = static_cast<FrictionRule>(
        map["friction_rule"].choice({"harmonic", "geometric", "mean", "minimum", "maximum"}));
  solver.stictionSpeed =
      map.number("stiction_speed", solver.stictionSpeed, ofScene("solver.rigid.stiction_speed"));
  solver.stictionSoftness =
      map.number("stiction_softness", solver.stictionSoftness, ofScene("solver.rigid.stiction_softness"));
  solver.relaxationTime =
      map.number("relaxation_time", solver.relaxationTime, ofScene("solver.rigid.relaxation_time"));
  solver.relativeTolerance =
      map.number("relative_tolerance", solver.relativeTolerance, ofScene("solver.rigid.relative_tolerance"));
  solver.maxIterations =
      wholeNumber(map, "max_iterations", solver.maxIterations, ofScene("solver.rigid.max_iterations"));
  solver.lagIterations =
      wholeNumber(map, "lag_iterations", solver.lagIterations, ofScene("solver.rigid.lag_iterations"));
  return solver;
}

std::vector<std::string> keysOfSettings(const MethodRows& own) {
  std::vector<std::string> keys;
  for (const MethodSetting& setting : own.settings) keys.emplace_back(setting.key);
  return keys;
}

/// The blocks that methods have of their own, by their names.
void parseMethodSettings(const YamlMap& map, Scene& scene) {
  if (scene.methods == nullptr) return;
  for (const auto& own : scene.methods->methods()) {
    if (!map.has(own->name)) continue;
    const YamlMap block = map[own->name].map(keysOfSettings(*own));
    for (const MethodSetting& setting : own->settings)
      if (const std::string key(setting.key); block.has(key))
        scene.methodSettings.push_back({own->name, key, block[key].number(setting.range)});
  }
}

/// With those of methods that have settings of their own.
std::vector<std::string> keysOfSolver(const Scene& scene) {
  std::vector<std::string> keys = keyNamesOf("solver");
  if (scene.methods == nullptr) return keys;
  for (const auto& own : scene.methods->methods())
    if (!own->settings.empty()) keys.push_back(own->name);
  return keys;
}

void parseSolver(const YamlValue& value, Scene& scene) {
  if (!value.exists()) return;
  SolverSpec& solver = scene.solver;
  const YamlMap map = value.map(keysOfSolver(scene));
  if (map.has("method")) solver.method = map["method"].text();
  if (map.has("contact"))
    solver.contactSolver = static_cast<ContactSolverName>(
        map["contact"].choice({"quasi_newton", "majorized_anderson", "contact_newton"}));
  solver.relativeTolerance =
      map.number("relative_tolerance", solver.relativeTolerance, ofScene("solver.relative_tolerance"));
  solver.absoluteTolerance =
      map.number("absolute_tolerance", solver.absoluteTolerance, ofScene("solver.absolute_tolerance"));
  solver.maxIterations =
      wholeNumber(map, "max_iterations", solver.maxIterations, ofScene("solver.max_iterations"));
  solver.lagIterations =
      wholeNumber(map, "lag_iterations", solver.lagIterations, ofScene("solver.lag_iterations"));
  if (map.has("geometry"))
    solver.geometry = static_cast<SubstepGeometry>(map["geometry"].choice({"moving", "frozen"}));
  if (map.has("on_failure"))
    solver.policy = static_cast<HealthPolicy>(map["on_failure"].choice({"warn", "pause"}));
  scene.rigidSolver = parseRigidSolver(map["rigid"]);
  parseMethodSettings(map, scene);
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
  for (const YamlValue& value : map.list("pair_rules")) scene.pairRules.push_back(parsePairRule(value));
  for (const auto& [name, value] : map.entries("paths")) scene.paths.push_back(parsePath(name, value));
  for (const YamlValue& value : map.list("controllers")) scene.controllers.push_back(parseController(value));
  for (const auto& [name, value] : map.entries("teleop"))
    scene.effectors.push_back(parseEffector(name, value));
  for (const auto& [name, value] : map.entries("boundaries"))
    scene.boundaries.push_back(parseBoundary(name, value));
  for (const auto& [name, value] : map.entries("cameras")) scene.cameras.push_back(parseCamera(name, value));
  for (const auto& [name, value] : map.entries("sensors"))
    scene.sensors.push_back(parseSensor(name, value, scene));
  if (map.has("task")) scene.task = parseTask(map["task"]);
}

void SceneParser::parseSettings(const YamlMap& root, Scene& scene) {
  scene.title = root.text("title", scene.name);
  scene.gravity = root.vec3("gravity", scene.gravity);
  scene.time = parseTime(root["time"]);
  parseSolver(root["solver"], scene);
  if (root.has("grid"))
    scene.gridSpacing = root["grid"].map(keyNamesOf("grid")).number("spacing", scene.gridSpacing, kPositive);
  if (root.has("contact")) {
    const YamlMap contact = root["contact"].map(keyNamesOf("scene_contact"));
    scene.contact = parseContact(contact);
    scene.stictionSpeed =
        contact.number("stiction_speed", scene.stictionSpeed, ofScene("contact.stiction_speed"));
    scene.stictionSoftness =
        contact.number("stiction_softness", scene.stictionSoftness, ofScene("contact.stiction_softness"));
  }
  if (root.has("view")) {
    const YamlMap view = root["view"].map(keyNamesOf("view"));
    scene.showGround = view.boolean("ground", scene.showGround);
    const YamlValue height = view["ground_height"];
    if (height.exists())
      scene.groundHeight = height.isWord("auto") ? std::nullopt : std::optional(height.number());
    if (view.has("opening")) scene.opensOnAll = view["opening"].choice({"camera", "all"}) == 1;
  }
}

MaterialParameters SceneParser::parseMaterial(const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("material"));
  MaterialParameters material;
  material.model = static_cast<MaterialModel>(map.require("model").choice(toStrings(kMaterialNames)));
  refuseKeysOfOtherModels(map, material.model);
  material.density = map.require("density").number(kPositive);
  if (material.model != MaterialModel::Liquid) {
    material.E = map.require("E").number(ofMaterial("E"));
    material.nu = map.require("nu").number(ofMaterial("nu"));
  }
  const auto read = [&map](const char* key, double& number) {
    number = map.number(key, number, ofMaterial(key));
  };
  read("yield_stress", material.yieldStress);
  parseFriction(map, material);
  read("critical_compression", material.snowCompression);
  read("critical_stretch", material.snowStretch);
  read("hardening", material.snowHardening);
  if (material.model == MaterialModel::Liquid) map.require("bulk_modulus");
  read("bulk_modulus", material.bulkModulus);
  read("exponent", material.tait);
  read("viscosity", material.viscosity);
  if (map.boolean("tension", false)) material.largestJ = std::numeric_limits<double>::infinity();
  if (material.model == MaterialModel::Cloth) material.thickness = map.require("thickness").number(kPositive);
  read("normal_stiffness", material.normalStiffness);
  read("shear_stiffness", material.shearStiffness);
  read("layer_friction", material.layerFriction);
  read("bending_stiffness", material.bendingStiffness);
  return material;
}

SamplingSpec SceneParser::parseSampling(const YamlValue& value) {
  SamplingSpec sampling;
  if (!value.exists()) return sampling;
  const YamlMap map = value.map(keyNamesOf("sampling"));
  if (map.has("kind"))
    sampling.kind = static_cast<SamplingSpec::Kind>(map["kind"].choice({"lattice", "poisson"}));
  sampling.particlesPerCell = map.number("particles_per_cell", sampling.particlesPerCell, {0, 1000, true});
  sampling.spacing = map.maybeNumber("spacing", kPositive);
  if (map.has("count")) {
    const std::vector<YamlValue> items = map["count"].list();
    std::array<int, 3> count = {1, 1, 1};
    if (items.size() != 3)
      map["count"].fail(ErrorCode::InvalidValue, "three whole numbers are expected here",
                        "write [nx, ny, nz]");
    else
      for (std::size_t i = 0; i < 3; ++i) count[i] = items[i].integer(1, 10000);
    sampling.count = count;
  }
  sampling.seed =
      static_cast<unsigned>(map.integer("seed", static_cast<int>(sampling.seed), 0, 1'000'000'000));
  return sampling;
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
  deformable.material = map.require("material").text();
  parseDeformableShape(map, deformable);
  deformable.X_WD = inWorld(map, parsePose(map), "a deformable");
  const bool isCloth = std::any_of(materials.begin(), materials.end(), [&](const MaterialSpec& m) {
    return m.name == deformable.material && m.parameters.model == MaterialModel::Cloth;
  });
  if (isCloth && map.has("sampling"))
    map["sampling"].fail(ErrorCode::InvalidValue,
                         "the particles of a cloth are the vertices and triangles of its mesh",
                         "remove the key; a finer mesh makes more particles");
  deformable.sampling = parseSampling(map["sampling"]);
  deformable.velocity = map.vec3("velocity");
  deformable.angularVelocity = map.vec3("angular_velocity");
  deformable.apicDamping =
      map.number("apic_damping", deformable.apicDamping, rangeOf(ParameterBlock::Deformable, "apic_damping"));
  if (map.has("color")) deformable.color = map["color"].color();
  deformable.visible = map.boolean("visible", true);
  if (map.has("draw")) deformable.draw = static_cast<DrawStyle>(map["draw"].choice({"particles", "surface"}));
  return deformable;
}

PairRuleSpec SceneParser::parsePairRule(const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("pair_rule"));
  PairRuleSpec rule;
  rule.a = map.text("a", rule.a);
  rule.b = map.text("b", rule.b);
  if (map.has("enabled")) rule.enabled = map["enabled"].boolean();
  rule.friction = map.maybeNumber("friction", rangeOf(ParameterBlock::PairRule, "friction"));
  if (!rule.enabled && !rule.friction)
    map.self().fail(ErrorCode::InvalidValue, "the rule changes nothing",
                    "add 'enabled: false' or 'friction: …'");
  return rule;
}

CameraSpec SceneParser::parseCamera(const std::string& name, const YamlValue& value) {
  const YamlMap map = value.map(keyNamesOf("camera"));
  CameraSpec camera;
  camera.name = name;
  camera.position = map.require("position").vec3();
  camera.target = map.vec3("target", camera.target);
  camera.up = map.vec3("up", camera.up);
  camera.fieldOfView = map.number("fov_deg", camera.fieldOfView, {1, 170, false});
  camera.body = map.text("body", camera.body);
  rideOnFrame(camera);
  if ((camera.position - camera.target).norm() < 1e-6)
    map.self().fail(ErrorCode::InvalidValue, "the camera stands on its own target",
                    "move 'position' away from 'target'");
  return camera;
}

}  // namespace slipstick::assets

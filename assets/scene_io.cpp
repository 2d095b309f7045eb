#include "assets/scene_io.h"

#include <algorithm>

#include "assets/file_log.h"
#include "assets/mesh_scene.h"
#include "assets/openable.h"
#include "assets/overrides.h"
#include "assets/robot_io.h"
#include "assets/scene_parser.h"
#include "assets/shipped.h"
#include "assets/yaml_reader.h"
#include "engine/model/nearest_name.h"
#include "engine/model/task_reset.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLargestScene = 16 << 20;

/// A lone robot on the ground, fixed at its root.
Result<LoadedScene> sceneOfRobot(const fs::path& file, const LoadOptions& options) {
  if (Result<void> ok = refuseOverrides(options, "robot"); !ok) return ok.error();
  Result<LoadedRobot> loaded = loadRobot(file, options.packagePaths, options.progress);
  if (!loaded) return loaded.error();
  LoadedScene result;
  result.notices = std::move(loaded->notices);
  Scene& scene = result.scene;
  scene.name = file.stem().string();
  scene.title = "Robot " + loaded->robot.name;
  scene.file = file;
  scene.groundHeight.reset();  // a gripper or a hand may hang from its root
  RobotSpec robot;
  robot.name = loaded->robot.name.empty() ? scene.name : loaded->robot.name;
  robot.X_PB = loaded->X_FR;
  robot.isHeld = true;
  robot.description = std::move(loaded->robot);
  scene.robots.push_back(std::move(robot));
  return result;
}

/// A mere name is that of a shipped scene or robot, scenes first; all else is a file, or a shipped robot's.
Result<fs::path> findScene(const std::string& nameOrPath) {
  std::vector<std::string> names;
  const bool isName = isBareName(nameOrPath);
  for (const ShippedScene& scene : shippedScenes()) {
    if (isName && scene.name == nameOrPath) return scene.file;
    names.push_back(scene.name);
  }
  if (isName)
    if (const auto robot = shippedRobotFile(nameOrPath)) return *robot;
  std::error_code ignored;
  if (fs::exists(nameOrPath, ignored)) return fs::path(nameOrPath);
  if (const auto robot = shippedRobotFile(nameOrPath)) return *robot;
  for (const ShippedRobot& robot : shippedRobots())
    if (std::find(names.begin(), names.end(), robot.name) == names.end()) names.push_back(robot.name);
  return Error{ErrorCode::FileNotFound, "there is no such file and no shipped scene or robot of this name",
               nameOrPath, suggestName(nameOrPath, names)};
}

}  // namespace

Result<void> refuseOverrides(const LoadOptions& options, const std::string& kind) {
  if (options.overrides.empty()) return {};
  return Error{ErrorCode::InvalidValue, "a " + kind + " file has no keys to override",
               "--set " + options.overrides.front(), "open a scene file instead"};
}

Result<LoadedScene> parseScene(const std::string& yaml, const fs::path& baseFolder, const std::string& label,
                               const LoadOptions& options) {
  Result<YAML::Node> root = parseYaml(yaml, label);
  if (!root) return root.error();
  YamlDocument document;
  document.places = KeyPlaces(label);
  document.folder = baseFolder;
  LoadedScene result;
  result.scene.name = fs::path(label).stem().string();
  try {
    for (const std::string& assignment : options.overrides) {
      const Result<std::string> path = applyOverride(*root, assignment);
      if (!path) return path.error();
      document.places.override(*path, assignment);
    }
    SceneParser parser(document, options.packagePaths, options.progress);
    parser.parse(YamlValue(*root, "", document), result.scene);
    result.notices = std::move(parser.notices());
  } catch (const YAML::Exception& e) {
    // The reader asks before it converts, so this is a document that yaml-cpp itself cannot walk.
    return Error{ErrorCode::SyntaxError, "this YAML cannot be read: " + e.msg, label, "simplify the file"};
  }
  if (document.fault) return *document.fault;
  result.places = std::move(document.places);
  return result;
}

namespace {

Result<LoadedScene> readScene(const std::string& nameOrPath, const LoadOptions& options) {
  const Result<fs::path> file = findScene(nameOrPath);
  if (!file) return file.error();
  const FileKind kind = kindOfFile(*file).value_or(FileKind::Scene);
  if (kind == FileKind::Mesh) return sceneOfMesh(*file, options);
  if (kind == FileKind::Robot) return sceneOfRobot(*file, options);
  FileLog::note(*file);
  const Result<std::string> text = readTextFile(*file, kLargestScene);
  if (!text) return text.error();
  Result<LoadedScene> loaded = parseScene(*text, file->parent_path(), file->string(), options);
  if (loaded) loaded->scene.file = *file;
  return loaded;
}

Result<void> applyReset(LoadedScene& loaded, const LoadOptions& options) {
  if (!options.seed) return {};
  const std::string where = "--seed " + std::to_string(*options.seed);
  const std::optional<TaskSpec>& task = loaded.scene.task;
  if (!task)
    return Error{ErrorCode::InvalidValue,
                 "'" + loaded.scene.name + "' has no task whose reset could be drawn", where,
                 "leave the seed out, or write 'task:' into the scene"};
  if (task->seed)
    return Error{ErrorCode::InvalidValue,
                 "the reset of '" + loaded.scene.name + "' is drawn already, with the seed " +
                     std::to_string(*task->seed),
                 where, "open the scene that its author wrote"};
  if (*options.seed > kLargestSeed)
    return Error{ErrorCode::InvalidValue, "the seed is too large", where,
                 "write a whole number from 0 to " + std::to_string(kLargestSeed)};
  loaded.scene = randomised(loaded.scene, *options.seed);
  return {};
}

}  // namespace

Result<LoadedScene> loadScene(const std::string& nameOrPath, const LoadOptions& options) {
  const FileLog log;
  Result<LoadedScene> loaded = readScene(nameOrPath, options);
  if (!loaded) return loaded;
  loaded->scene.sources = log.files();
  if (Result<void> drawn = applyReset(*loaded, options); !drawn) return drawn.error();
  return loaded;
}

Result<CompiledScene> compileLoaded(const LoadedScene& loaded, LoadProgress* progress) {
  CompileOptions options;
  options.progress = progress;
  if (!loaded.places.label().empty())
    options.placeOf = [&loaded](const std::string& key) { return loaded.places.of(key); };
  Result<CompiledScene> compiled = compile(loaded.scene, options);
  if (compiled)
    compiled->notices.insert(compiled->notices.begin(), loaded.notices.begin(), loaded.notices.end());
  return compiled;
}

Result<LoadedModel> loadModel(const std::string& nameOrPath, const LoadOptions& options) {
  constexpr double kReading = 0.4;  // of the whole work, about
  const auto load = [&]() -> Result<LoadedScene> {
    const LoadProgress::Part part(options.progress, 0, kReading);
    if (options.progress) options.progress->say("reading " + nameOrPath, 0);
    return loadScene(nameOrPath, options);
  };
  const Result<LoadedScene> loaded = load();
  if (!loaded) return loaded.error();
  const LoadProgress::Part part(options.progress, kReading, 1);
  Result<CompiledScene> compiled = compileLoaded(*loaded, options.progress);
  if (!compiled) return compiled.error();
  return LoadedModel{compiled->model, std::move(compiled->notices)};
}

}  // namespace slipstick::assets

#include "assets/scene_io.h"

#include <algorithm>

#include "assets/overrides.h"
#include "assets/robot_io.h"
#include "assets/scene_parser.h"
#include "assets/shipped.h"
#include "assets/yaml_reader.h"
#include "engine/model/nearest_name.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLargestScene = 16 << 20;

/// A lone robot on the ground, fixed at its root.
Result<LoadedScene> sceneOfRobot(const fs::path& file, const LoadOptions& options) {
  if (!options.overrides.empty())
    return Error{ErrorCode::InvalidValue, "a robot file has no keys to override",
                 "--set " + options.overrides.front(), "open a scene file instead"};
  Result<LoadedRobot> loaded = loadRobot(file, options.packagePaths);
  if (!loaded) return loaded.error();
  LoadedScene result;
  result.notices = std::move(loaded->notices);
  Scene& scene = result.scene;
  scene.name = file.stem().string();
  scene.title = "Robot " + loaded->robot.name;
  scene.file = file;
  RobotSpec robot;
  robot.name = loaded->robot.name.empty() ? scene.name : loaded->robot.name;
  robot.X_PB = loaded->X_FR;
  robot.isHeld = true;
  robot.description = std::move(loaded->robot);
  scene.robots.push_back(std::move(robot));
  return result;
}

Result<fs::path> findScene(const std::string& nameOrPath) {
  std::error_code ignored;
  if (fs::exists(nameOrPath, ignored)) return fs::path(nameOrPath);
  std::vector<std::string> names;
  for (const ShippedScene& scene : shippedScenes()) {
    if (scene.name == nameOrPath) return scene.file;
    names.push_back(scene.name);
  }
  return Error{ErrorCode::FileNotFound, "there is no such file and no shipped scene of this name", nameOrPath,
               suggestName(nameOrPath, names)};
}

}  // namespace

Result<LoadedScene> parseScene(const std::string& yaml, const fs::path& baseFolder, const std::string& label,
                               const LoadOptions& options) {
  Result<YAML::Node> root = parseYaml(yaml, label);
  if (!root) return root.error();
  YamlDocument document;
  document.label = label;
  document.folder = baseFolder;
  LoadedScene result;
  result.scene.name = fs::path(label).stem().string();
  try {
    for (const std::string& assignment : options.overrides) {
      if (Result<void> applied = applyOverride(*root, assignment); !applied) return applied.error();
      document.overridden.push_back(assignment);
    }
    SceneParser parser(document, options.packagePaths);
    parser.parse(YamlValue(*root, "", document), result.scene);
    result.notices = std::move(parser.notices());
  } catch (const YAML::Exception& e) {
    // The reader asks before it converts, so this is a document that yaml-cpp itself cannot walk.
    return Error{ErrorCode::SyntaxError, "this YAML cannot be read: " + e.msg, label, "simplify the file"};
  }
  if (document.fault) return *document.fault;
  return result;
}

Result<LoadedScene> loadScene(const std::string& nameOrPath, const LoadOptions& options) {
  const Result<fs::path> file = findScene(nameOrPath);
  if (!file) return file.error();
  if (isRobotFile(*file)) return sceneOfRobot(*file, options);
  const Result<std::string> text = readTextFile(*file, kLargestScene);
  if (!text) return text.error();
  Result<LoadedScene> loaded = parseScene(*text, file->parent_path(), file->string(), options);
  if (loaded) loaded->scene.file = *file;
  return loaded;
}

Result<LoadedModel> loadModel(const std::string& nameOrPath, const LoadOptions& options) {
  LoadProgress unwatched;
  LoadProgress& progress = options.progress ? *options.progress : unwatched;
  progress.say("reading " + nameOrPath, 0);
  Result<LoadedScene> loaded = loadScene(nameOrPath, options);
  if (!loaded) return loaded.error();
  if (progress.isCancelled()) return cancelledLoad(nameOrPath);
  progress.say("putting " + loaded->scene.name + " together", -1);
  Result<CompiledScene> compiled = compile(loaded->scene);
  if (!compiled) return compiled.error();
  if (progress.isCancelled()) return cancelledLoad(nameOrPath);
  LoadedModel result{compiled->model, std::move(loaded->notices)};
  result.notices.insert(result.notices.end(), compiled->notices.begin(), compiled->notices.end());
  return result;
}

}  // namespace slipstick::assets

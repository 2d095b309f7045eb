#include "assets/scene_io.h"

#include <algorithm>

#include "assets/file_log.h"
#include "assets/limits.h"
#include "assets/mesh_reader.h"
#include "assets/mesh_scene.h"
#include "assets/openable.h"
#include "assets/robot_checks.h"
#include "assets/robot_format.h"
#include "assets/robot_io.h"
#include "assets/scene_expansion.h"
#include "assets/scene_parser.h"
#include "assets/shipped.h"
#include "assets/srdf_io.h"
#include "assets/utf8.h"
#include "assets/xacro.h"
#include "assets/yaml_reader.h"
#include "engine/compile/compile.h"
#include "engine/compile/task_reset.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/nearest_name.h"
#include "engine/foundation/path_key.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

/// A robot's file knows no name that a scene gives it.
void nameOverrides(const std::string& robot, std::vector<Notice>& notices) {
  for (Notice& notice : notices)
    for (auto& [path, value] : notice.overrides) path = "robots." + pathKey(robot) + "." + path;
}

/// The file that the person names beside the robot's; where none is named, whether there is one.
Result<void> applySrdf(LoadedScene& loaded, const LoadOptions& options) {
  RobotSpec& robot = loaded.scene.robots.front();
  if (options.srdf.empty()) {
    noteSrdfBeside(loaded.scene.file, loaded.notices);
    return {};
  }
  robot.srdf = options.srdf;
  return addSrdf(options.srdf, robot.description, loaded.notices, options.progress);
}

/// A lone robot on the ground, fixed at its root.
Result<LoadedScene> sceneOfLoneRobot(const fs::path& file, const RobotFormat& format,
                                     const LoadOptions& options) {
  Result<LoadedRobot> loaded = format.load(file, options.packagePaths, options.progress);
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
  if (format.startsAsWritten) startAsWritten(robot.description, robot);
  scene.robots.push_back(std::move(robot));
  return result;
}

Result<LoadedScene> sceneOfRobot(const fs::path& file, const LoadOptions& options) {
  if (Result<void> ok = refuseOverrides(options, "robot"); !ok) return ok.error();
  const RobotFormat& format = robotFormatOf(file);
  Result<LoadedScene> scene =
      format.open ? format.open(file, options) : sceneOfLoneRobot(file, format, options);
  if (!scene) return scene;
  nameOverrides(scene->scene.robots.front().name, scene->notices);
  if (Result<void> ok = applySrdf(*scene, options); !ok) return ok.error();
  if (file.extension() != ".xml" && robotFormatBySuffix(file).key != format.key)
    scene->notices.push_back({Notice::Level::Info, file.string(),
                              "by its first element this is a file of the format " +
                                  std::string(format.name) + ", whatever its suffix says"});
  return scene;
}

/// A mere name is that of a shipped scene or robot, scenes first; all else is a file, or a shipped robot's. What is no
/// file stands in nobody's way.
Result<fs::path> findScene(const std::string& nameOrPath) {
  std::vector<std::string> names;
  const bool isName = isBareName(nameOrPath);
  for (const ShippedScene& scene : shippedScenes()) {
    if (isName && scene.name == nameOrPath) return scene.file;
    names.push_back(scene.name);
  }
  if (isName)
    if (const auto robot = shippedRobotFile(nameOrPath)) return *robot;
  const Result<void> isFile = checkIsFile(nameOrPath);
  if (isFile) return fs::path(nameOrPath);
  if (const auto robot = shippedRobotFile(nameOrPath)) return *robot;
  if (isFile.error().code != ErrorCode::FileNotFound) return isFile.error();
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

namespace {

/// What a scene's text says when nothing is left to others.
Result<YamlTree> sceneTree(const std::string& yaml, const std::shared_ptr<const YamlSource>& source,
                           const LoadOptions& options, std::vector<Notice>& notices) {
  Result<YamlTree> own = parseYaml(yaml, source);
  if (!own || !(*own)->isMap()) return own;
  Result<SceneTrees> trees =
      expandScene(*own, {source->label, options.overrides, options.packagePaths, options.methods});
  if (!trees) return trees.error();
  notices = std::move(trees->notices);
  return trees->unfolded;
}

}  // namespace

Result<LoadedScene> parseScene(const std::string& yaml, const fs::path& baseFolder, const std::string& label,
                               const LoadOptions& options) {
  YamlDocument document;
  document.places = KeyPlaces(label);
  document.folder = baseFolder;
  LoadedScene result;
  result.scene.name = fs::path(label).stem().string();
  result.scene.methods = options.methods;
  const auto source = std::make_shared<const YamlSource>(YamlSource{label, baseFolder});
  const Result<YamlTree> root = sceneTree(yaml, source, options, result.notices);
  if (!root) return root.error();
  SceneParser parser(document, options.packagePaths, options.progress);
  parser.parse(YamlValue(*root, "", document), result.scene);
  for (Notice& notice : parser.notices()) result.notices.push_back(std::move(notice));
  if (document.fault) return *document.fault;
  result.places = std::move(document.places);
  return result;
}

namespace {

Result<LoadedScene> readScene(const std::string& nameOrPath, const LoadOptions& options) {
  const Result<fs::path> file = findScene(nameOrPath);
  if (!file) return file.error();
  const FileKind kind = kindOfFile(*file).value_or(FileKind::Scene);
  if (kind != FileKind::Robot && !options.srdf.empty())
    return Error{ErrorCode::InvalidValue, "only a robot that is opened alone takes an SRDF file so",
                 "--srdf " + options.srdf.string(),
                 "write the key 'srdf' into the robot's block of the scene"};
  if (kind == FileKind::Mesh) return sceneOfMesh(*file, options);
  if (kind == FileKind::Robot) return sceneOfRobot(*file, options);
  FileLog::note(*file);
  Result<std::string> text = readTextFile(*file, limits::kYamlBytes);
  if (!text) return text.error();
  const std::optional<Notice> latin1 = turnIntoUtf8(*file, *text);
  Result<LoadedScene> loaded = parseScene(*text, file->parent_path(), file->string(), options);
  if (loaded) loaded->scene.file = *file;
  if (loaded && latin1) loaded->notices.insert(loaded->notices.begin(), *latin1);
  return loaded;
}

/// Nothing has more shapes to touch, and what is done for every two of them would take too long and too much.
Result<void> checkShapes(const Scene& scene) {
  for (const RobotSpec& robot : scene.robots) {
    std::size_t shapes = 0;
    for (const LinkSpec& link : robot.description.links) shapes += link.collisions.size();
    if (shapes > limits::kRobotShapes)
      return Error{ErrorCode::Unsupported,
                   "'" + robot.name + "' has " + std::to_string(shapes) + " collision shapes, more than " +
                       std::to_string(limits::kRobotShapes),
                   robot.description.file.empty() ? scene.file.string() : robot.description.file.string(),
                   "join or leave out some of them"};
  }
  return {};
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
  const XacroMayRun xacro(options.mayRunXacro);
  MeshReading meshes;
  // Libraries of five formats throw what they like, and any file may want more memory than there is.
  Result<LoadedScene> loaded =
      guarded(ErrorCode::FileUnreadable, nameOrPath, [&] { return readScene(nameOrPath, options); });
  if (!loaded) return loaded;
  if (Result<void> ok = checkShapes(loaded->scene); !ok) return ok.error();
  loaded->scene.sources = log.files();
  loaded->scene.methods = options.methods;
  if (Result<void> drawn = applyReset(*loaded, options); !drawn) return drawn.error();
  return loaded;
}

Result<CompiledScene> compileLoaded(const LoadedScene& loaded, LoadProgress* progress,
                                    const std::string& method) {
  CompileOptions options;
  options.method = method;
  options.progress = progress;
  if (!loaded.places.label().empty())
    options.placeOf = [&loaded](const std::string& key) { return loaded.places.of(key); };
  Result<CompiledScene> compiled =
      guarded(ErrorCode::InvalidValue, loaded.scene.name, [&] { return compile(loaded.scene, options); });
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
  Result<CompiledScene> compiled = compileLoaded(*loaded, options.progress, options.method);
  if (!compiled) return compiled.error();
  return LoadedModel{compiled->model, std::move(compiled->notices)};
}

}  // namespace slipstick::assets

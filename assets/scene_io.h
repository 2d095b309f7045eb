// Scenes from YAML files, robots from URDF, and the scenes that ship with the program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assets/key_places.h"
#include "engine/compile/compile.h"
#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

struct LoadOptions {
  std::vector<std::string> overrides;  ///< "path=value", e.g. "contact.friction=0.25", "time.dt_ms=5"
  std::vector<std::filesystem::path> packagePaths;  ///< folders searched for package://NAME
  LoadProgress* progress = nullptr;                 ///< told how far the load is, and asked whether to go on
  std::optional<std::uint64_t> seed = {};  ///< applies the reset of the scene's task, see randomised()
  std::filesystem::path srdf =
      {};                    ///< of a robot that is opened alone: which of its links do not collide; or empty
  bool mayRunXacro = false;  ///< a person trusts the authors of the robots' xacro files, which are code
  /// What the methods of the program add to what a scene may say; null: nothing.
  std::shared_ptr<const AllMethodRows> methods = {};
  std::string method = {};  ///< whose nodes a model's soft bodies become; empty: the scene's
};

struct LoadedScene {
  Scene scene;
  std::vector<Notice> notices;  ///< everything dropped, repaired or guessed on the way
  KeyPlaces places;             ///< of the scene's keys; none of a robot or a mesh alone
};

/// An error where there are overrides: a robot or a mesh alone has no keys. @param kind  "robot", "mesh"
Result<void> refuseOverrides(const LoadOptions& options, const std::string& kind);

/// Reads a scene by file path, or by the name of a shipped scene ("dough_rolling") or robot ("arm7"); a mere name is
/// never that of a file where something ships under it. A robot's file becomes a scene with that robot on the ground,
/// a mesh one with a body that stands there (see sceneOfMesh). Errors name the file, the line and the key.
Result<LoadedScene> loadScene(const std::string& nameOrPath, const LoadOptions& options = {});

/// Same, from text; relative files are looked up beside `baseFolder`. `label` stands for the file in errors.
Result<LoadedScene> parseScene(const std::string& yaml, const std::filesystem::path& baseFolder,
                               const std::string& label, const LoadOptions& options = {});

struct ShippedScene {
  std::string name;
  std::string title;
  std::filesystem::path file;
};
/// The scenes of assets/scenes (or $SLIPSTICK_ASSETS/scenes), sorted by name.
std::vector<ShippedScene> shippedScenes();

struct ShippedRobot {
  std::string name;
  std::filesystem::path file;
};
/// The robots of assets/robots, sorted by name.
std::vector<ShippedRobot> shippedRobots();

/// Puts together what was loaded; its errors and notices have the lines of the file.
/// @param method  see LoadOptions
/// @return notices of both
Result<CompiledScene> compileLoaded(const LoadedScene& loaded, LoadProgress* progress = nullptr,
                                    const std::string& method = {});

/// Load and compile in one go: what `run`, `render` and the studio do.
struct LoadedModel {
  std::shared_ptr<const Model> model;
  std::vector<Notice> notices;
};
Result<LoadedModel> loadModel(const std::string& nameOrPath, const LoadOptions& options = {});

}  // namespace slipstick::assets

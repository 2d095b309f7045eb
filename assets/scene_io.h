// Scenes from YAML files, robots from URDF, and the scenes that ship with the program.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

struct LoadOptions {
  std::vector<std::string> overrides;  ///< "path=value", e.g. "contact.friction=0.25", "time.dt_ms=5"
  std::vector<std::filesystem::path> packagePaths;  ///< folders searched for package://NAME
  LoadProgress* progress = nullptr;                 ///< told how far the load is, and asked whether to go on
};

struct LoadedScene {
  Scene scene;
  std::vector<Notice> notices;  ///< everything dropped, repaired or guessed on the way
};

/// Reads a scene by file path, or by the name of a shipped scene ("dough_rolling"). A .urdf or .sdf file
/// becomes a scene with that robot on the ground. Errors name the file, the line and the key.
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

/// Load and compile in one go: what `run`, `render` and the studio do.
struct LoadedModel {
  std::shared_ptr<const Model> model;
  std::vector<Notice> notices;
};
Result<LoadedModel> loadModel(const std::string& nameOrPath, const LoadOptions& options = {});

}  // namespace slipstick::assets

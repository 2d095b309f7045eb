// Models of MuJoCo (MJCF): all trees of a file as one robot that hangs from the file's own world, and the rest of it as
// the scene that the file is when it is opened alone.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

struct LoadOptions;
struct LoadedScene;

struct LoadedMjcf {
  /// Its root link is the world of the file, with the geoms that stand in it (see world_link.h); links are bodies, and
  /// joints are at zero where the file puts them. A body with several joints hangs from links without mass,
  /// "joint::frame". Equalities are in its loops and mimics.
  RobotDescription robot;
  std::vector<Notice> notices;
  /// The file opened alone: gravity and time step, its cameras, the posture of its keyframe `home` or of the first, and
  /// what its servos do, its sensors at sites; robots: the one above, under its own name.
  Scene scene;
  std::vector<Notice> sceneNotices;  ///< that matter where the scene is used
};

/// Masses, inertias and joints as MuJoCo's compiler makes them. Broken XML, numbers that are none, unknown names and sizes
/// beyond the limits are errors with file, line and what to do; what is not simulated or shown gives notices.
/// @param progress  told which mesh is read; cancelled, the file is an error of that code; null: nobody watches
Result<LoadedMjcf> loadMjcf(const std::filesystem::path& file,
                            const std::vector<std::filesystem::path>& packagePaths = {},
                            LoadProgress* progress = nullptr);

/// The file opened alone, with all notices.
Result<LoadedScene> openMjcf(const std::filesystem::path& file, const LoadOptions& options);

}  // namespace slipstick::assets

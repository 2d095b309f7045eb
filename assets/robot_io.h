// Robots from URDF (urdfdom) and SDF (libsdformat), with package:// resolution.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "assets/mesh_io.h"
#include "engine/foundation/load_progress.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

struct LoadedRobot {
  RobotDescription robot;
  Pose X_FR;  ///< where the file itself places the root link; identity for URDF
  std::vector<Notice> notices;
};

/// All joint types, limits, mimic, dynamics, inertials, visual and collision geometry. A missing mesh becomes
/// a placeholder box and a notice; broken XML, cyclic links, NaN values are errors with line and element.
/// @param progress  told which mesh is read; cancelled, the robot is an error of that code; null: nobody watches
Result<LoadedRobot> loadUrdf(const std::filesystem::path& file,
                             const std::vector<std::filesystem::path>& packagePaths = {},
                             LoadProgress* progress = nullptr);

/// One model with its inner and included models; links of inner ones are named "inner::link". Poses by SDF's
/// frame semantics. A joint that is not at its child's origin gets a link without mass, "joint::frame", that
/// carries the child. Faults as loadUrdf.
Result<LoadedRobot> loadSdf(const std::filesystem::path& file,
                            const std::vector<std::filesystem::path>& packagePaths = {},
                            LoadProgress* progress = nullptr);
/// False where this was built without libsdformat: loadSdf() then says so of every file.
bool readsSdf();

}  // namespace slipstick::assets

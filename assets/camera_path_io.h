// Ways of cameras from YAML files.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/camera_key.h"

namespace slipstick::assets {

/// Reads a list of keys, their times ascending: `{t: 2, eye: [x, y, z], target: [x, y, z], fov: 40}`, or
/// `{t: 2, camera: NAME}` of the scene, one that no body carries. `target` and `fov` are those of the key before where they are left out, at first
/// [0, 0, 0] and 40 degrees. Errors name the file, the line and the key.
/// @param cameras  of the scene
Result<std::vector<CameraKey>> loadCameraPath(const std::filesystem::path& file,
                                              const std::vector<CameraSpec>& cameras);

}  // namespace slipstick::assets

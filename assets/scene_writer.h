// Scene → YAML. What it writes reads back as the same scene, bit by bit.
#pragma once

#include <filesystem>
#include <string>

#include "assets/yaml_text.h"
#include "engine/foundation/result.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// A whole scene file: what differs from the defaults, in the order of assets/scene_format.md. Files are named as they
/// were, or relative to `folder`, whichever finds them from there. Fails for what no file can say: a mesh that came from
/// none, more copies than a reader takes.
Result<std::string> writeScene(const Scene& scene, const std::filesystem::path& folder);

// Parts of it, for a scene that gets new things.
Result<YamlOut> writeRobot(const RobotSpec& robot, const std::filesystem::path& folder);  ///< or body
Result<YamlOut> writeDeformable(const DeformableSpec& deformable, const std::filesystem::path& folder);
YamlOut writeMaterial(const MaterialParameters& material);
YamlOut writeCamera(const CameraSpec& camera);
/// 'position' and 'rpy_deg', or 'rotation' where no angles say it to the last bit; neither where it is the identity.
void addPose(const Pose& pose, YamlOut& map);

}  // namespace slipstick::assets

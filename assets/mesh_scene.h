// A mesh on its own: a body that stands on the ground.
#pragma once

#include <filesystem>

#include "assets/scene_io.h"

namespace slipstick::assets {

/// The mesh as a free body of 1000 kg/m³ that stands on a plane, with its middle above the origin, and a camera that sees
/// all of it. A mesh that is not closed, or encloses no volume, collides and weighs as the box around it, and one that
/// would be larger than 50 m is taken as millimetres: both with notices. Axes as loadMesh().
Result<LoadedScene> sceneOfMesh(const std::filesystem::path& file, const LoadOptions& options);

}  // namespace slipstick::assets

// Meshes of MJCF: MuJoCo's own binary format, and where a mesh lies that is scaled, shifted and turned.
#pragma once

#include <filesystem>
#include <memory>

#include "assets/mjcf_document.h"
#include "engine/foundation/result.h"
#include "engine/geometry/shape.h"

namespace slipstick::assets {

/// A .msh file, in its own units; without faces it is the convex hull of its points. Errors: sizes and indices that do
/// not fit.
Result<std::shared_ptr<const TriangleMesh>> readMsh(const std::filesystem::path& file);

/// The mesh after `refpos`, `refquat` and `scale` of its item, in that order.
std::shared_ptr<const TriangleMesh> placedMesh(const TriangleMesh& mesh, const MjcfItem& item);

}  // namespace slipstick::assets

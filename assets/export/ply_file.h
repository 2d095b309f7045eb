// A deformable at one moment as a PLY file: points, or triangles.
#pragma once

#include <filesystem>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::assets {

/// Binary, little-endian. The vertices of its surface and triangles, if any; each vertex with its speed, stress,
/// pressure and plastic strain, and the deformable's colour (sRGB). The snapshot must hold particles.
Result<void> writePly(const std::filesystem::path& file, const Deformable& deformable, const Color& color,
                      const Snapshot& snapshot);

}  // namespace slipstick::assets

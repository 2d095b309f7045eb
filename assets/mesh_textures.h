// Images that the materials of a mesh file name.
#pragma once

#include <filesystem>
#include <vector>

#include "assets/mesh_content.h"
#include "engine/geometry/shape.h"
#include "engine/model/model.h"

namespace slipstick::assets {

struct MaterialTextures {
  SurfaceMaps maps;
  unsigned uvChannel = 0;      ///< of the part: where these images lie
  bool finishMissing = false;  ///< the file gives roughness or metal by an image that cannot be had
};

/// The part's texture coordinates of a channel, or null.
const std::vector<Eigen::Vector2f>* uvsOf(const MeshPart& part, unsigned channel);

/// Per material of the file; empty for those that no part wears. Base colours of all formats, roughness and metal where
/// a format has them, occlusion and normals of glTF. An image that cannot be had is left out with a notice.
/// @param parts  those that are wanted
std::vector<MaterialTextures> texturesOf(const MeshContent& content,
                                         const std::vector<const MeshPart*>& parts,
                                         const std::filesystem::path& file, std::vector<Notice>& notices);

}  // namespace slipstick::assets

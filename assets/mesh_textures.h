// Images that the materials of a mesh file name, as Assimp hands them over.
#pragma once

#include <assimp/scene.h>

#include <filesystem>
#include <vector>

#include "engine/geometry/shape.h"
#include "engine/model/model.h"

namespace slipstick::assets {

struct MaterialTextures {
  SurfaceMaps maps;
  unsigned uvChannel = 0;      ///< of the mesh: where these images lie
  bool finishMissing = false;  ///< the file gives roughness or metal by an image that cannot be had
};

/// Per material of the scene; empty for those that no mesh uses. Base colours of all formats, roughness and
/// metal where a format has them, occlusion and normals of glTF. An image that cannot be had is left out with
/// a notice.
std::vector<MaterialTextures> texturesOf(const aiScene& scene, const std::filesystem::path& file, bool isGltf,
                                         std::vector<Notice>& notices);

}  // namespace slipstick::assets

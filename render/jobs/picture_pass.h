// Pictures for learners: how far away things are, how their surfaces lie, and what they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"
#include "render/camera.h"
#include "render/offscreen.h"

namespace slipstick::render {

/// What a picture has at the middle of each pixel. None is averaged over edges, and nothing lies over it.
enum class PicturePass : std::uint8_t {
  Color,
  Depth,    ///< distance along the view, from the plane of the eye; 0: nothing is there [m]
  Normals,  ///< of surfaces in the camera's frame, x right, y up, z towards the eye: 127.5 (1 + n); black: nothing is there
  Segmentation,  ///< ids, see segmentsOf()
};

/// "color", "depth", "normals" or "segmentation".
Result<PicturePass> picturePassNamed(std::string_view word);

/// What an id of a segmentation stands for.
struct Segment {
  std::string kind;  ///< "background", "ground", "body" or "deformable"
  std::string name;  ///< in the scene; of the first two empty
  Hex color = 0;     ///< in the picture
};

/// By id: the background, the ground, all bodies but the world, all deformables.
std::vector<Segment> segmentsOf(const Model& model);

/// @param pass  other than Color
Image passImage(const SurfaceImage& seen, PicturePass pass, const Model& model, const Camera& camera);

}  // namespace slipstick::render

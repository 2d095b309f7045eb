// Ids and depths of the last frame around one pixel.
#pragma once

#include <functional>
#include <optional>

#include "engine/foundation/math.h"
#include "render/gl_handles.h"
#include "render/pick_id.h"
#include "render/shader_common.h"

namespace slipstick::render {

class PickBuffer {
 public:
  struct Hit {
    PickId id;
    Vec3 p_W = Vec3::Zero();
  };
  /// Draws ids of a small neighbourhood only. An arrow near the pixel wins over the surface under it.
  /// @param u, v  the pixel, [0,1]² from the top left
  /// @param drawIds  draws the scene with Pass::Id
  std::optional<Hit> pick(double u, double v, const ViewBlock& view, const std::function<void()>& drawIds);

 private:
  void resize(int width, int height);
  int width_ = 0, height_ = 0;
  Texture ids_, depth_;
  Framebuffer framebuffer_;
};

}  // namespace slipstick::render

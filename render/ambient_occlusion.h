// Contact darkening: how much of the surroundings each pixel of a half-resolution depth image sees.
#pragma once

#include "render/shader.h"

namespace slipstick::render {

/// Alchemy-style obscurance (McGuire et al. 2011, eq. 10) on a depth image, then a depth-aware 4 × 4 blur.
class AmbientOcclusion {
 public:
  static Result<AmbientOcclusion> create();
  /// @param width, height  of the full picture [px]
  void resize(int width, int height);
  /// Binds and clears the depth image; draw the scene's depth next.
  void begin() const;
  /// Computes the openness into texture().
  void compute(const VertexArray& empty) const;
  GLuint texture() const { return blurred_.name(); }

 private:
  int width_ = 0, height_ = 0;
  Program occlusion_, blur_;
  Texture depth_, raw_, blurred_;
  Framebuffer depthTarget_, rawTarget_, blurTarget_;
};

}  // namespace slipstick::render

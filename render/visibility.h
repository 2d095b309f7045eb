// How much light reaches each pixel, found at half resolution: openness to the surroundings (contact
// darkening) and visibility of the key light (soft shadows). Both vary slowly, and a software driver pays for
// every tap.
#pragma once

#include "render/shader.h"

namespace slipstick::render {

/// Alchemy-style obscurance (McGuire et al. 2011, eq. 10), within two radii that are fixed in the world, and
/// percentage-closer filtering on a depth image, then a depth-aware 4 × 4 blur.
class Visibility {
 public:
  static Result<Visibility> create();
  /// @param width, height  of the full picture [px]
  void resize(int width, int height);
  /// Binds and clears the depth image; draw the scene's depth next.
  void begin() const;
  /// Computes both from the depth image and the shadow map bound to unit 1.
  void compute(const VertexArray& empty) const;
  void bindTexture(GLuint unit) const { glBindTextureUnit(unit, blurred_.name()); }
  /// All light reaches everything.
  void bindFull(GLuint unit) const { glBindTextureUnit(unit, full_.name()); }

 private:
  int width_ = 0, height_ = 0;
  Program gather_, blur_;
  Texture depth_, raw_, blurred_, full_;
  Framebuffer depthTarget_, rawTarget_, blurTarget_;
};

}  // namespace slipstick::render

// The key light's shadow map, fitted to what can cast a shadow.
#pragma once

#include "engine/foundation/math.h"
#include "render/gl_handles.h"
#include "render/shader_common.h"

namespace slipstick::render {

class ShadowMap {
 public:
  explicit ShadowMap(int size);
  /// Fits the light's parallel projection to the box and fills the light's own view block; the entries of
  /// `camera` that receivers need (shadowFromWorld, shadow.xy) are set as well.
  ViewBlock fit(const Eigen::AlignedBox3f& casters, const Eigen::Vector3f& toLight, ViewBlock& camera) const;
  /// Binds and clears the map for drawing casters.
  void begin() const;
  void bindTexture(GLuint unit) const { glBindTextureUnit(unit, depth_.name()); }

 private:
  int size_;
  Texture depth_;
  Framebuffer framebuffer_;
};

}  // namespace slipstick::render

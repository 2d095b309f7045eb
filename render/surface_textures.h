// The images that a model's surfaces wear, each once on the GPU.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "engine/geometry/shape.h"
#include "render/gl_handles.h"

namespace slipstick::render {

class SurfaceTextures {
 public:
  /// What shaders bind when `maps` lack an image: it changes nothing.
  SurfaceTextures();
  /// Starts a new list of maps. Images of the list before stay until endList(), so that those in both are not
  /// uploaded again.
  void beginList();
  /// Uploads what is not there yet. @return for bind(); the same number for the same maps
  int add(const SurfaceMaps& maps);
  void endList();

  /// To the texture units kSurfaceTextureUnit (colour), + 1 (openness, roughness, metallic), + 2 (normal).
  void bind(int maps) const;

 private:
  using Images = std::map<std::shared_ptr<const TextureImage>, Texture>;
  struct Names {
    GLuint color = 0, finish = 0, normal = 0;
  };
  GLuint nameOf(const std::shared_ptr<const TextureImage>& image, const Texture& otherwise);

  Texture white_, flat_;
  Images images_, before_;
  std::vector<SurfaceMaps> list_;
  std::vector<Names> names_;  ///< of list_
};

/// Units of GLSL's `binding`; other layers use lower ones.
inline constexpr GLuint kSurfaceTextureUnit = 8;

}  // namespace slipstick::render

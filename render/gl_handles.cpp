#include "render/gl_handles.h"

namespace slipstick::render {

Texture makeTexture(GLenum format, int width, int height, GLenum filter, int samples) {
  GLuint name = 0;
  if (samples > 1) {
    glCreateTextures(GL_TEXTURE_2D_MULTISAMPLE, 1, &name);
    glTextureStorage2DMultisample(name, samples, format, width, height, GL_TRUE);
    return Texture(name);
  }
  glCreateTextures(GL_TEXTURE_2D, 1, &name);
  glTextureStorage2D(name, 1, format, width, height);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(filter));
  glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return Texture(name);
}

}  // namespace slipstick::render

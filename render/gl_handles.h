// Owners of OpenGL names: one type per kind of object, movable, freed with the context that made them
// current.
#pragma once

#include <epoxy/gl.h>

#include <utility>

namespace slipstick::render {

template <class Traits>
class GlHandle {
 public:
  GlHandle() = default;
  explicit GlHandle(GLuint name) : name_(name) {}
  GlHandle(GlHandle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlHandle& operator=(GlHandle&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlHandle() {
    if (name_) Traits::destroy(name_);
  }
  GLuint name() const { return name_; }
  explicit operator bool() const { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

struct BufferTraits {
  static void destroy(GLuint name) { glDeleteBuffers(1, &name); }
};
struct VertexArrayTraits {
  static void destroy(GLuint name) { glDeleteVertexArrays(1, &name); }
};
struct TextureTraits {
  static void destroy(GLuint name) { glDeleteTextures(1, &name); }
};
struct FramebufferTraits {
  static void destroy(GLuint name) { glDeleteFramebuffers(1, &name); }
};
struct ProgramTraits {
  static void destroy(GLuint name) { glDeleteProgram(name); }
};

using Buffer = GlHandle<BufferTraits>;
using VertexArray = GlHandle<VertexArrayTraits>;
using Texture = GlHandle<TextureTraits>;
using Framebuffer = GlHandle<FramebufferTraits>;

inline Buffer makeBuffer() {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  return Buffer(name);
}
inline VertexArray makeVertexArray() {
  GLuint name = 0;
  glCreateVertexArrays(1, &name);
  return VertexArray(name);
}
inline Framebuffer makeFramebuffer() {
  GLuint name = 0;
  glCreateFramebuffers(1, &name);
  return Framebuffer(name);
}
/// An immutable two-dimensional texture, clamped to its edge; with samples > 1 a multisampled one.
Texture makeTexture(GLenum format, int width, int height, GLenum filter = GL_NEAREST, int samples = 1);

/// Replaces a buffer's contents; grows it when needed.
template <class Vector>
void upload(const Buffer& buffer, const Vector& values, GLenum usage = GL_STREAM_DRAW) {
  glNamedBufferData(buffer.name(), static_cast<GLsizeiptr>(values.size() * sizeof(values[0])), values.data(),
                    usage);
}

/// One attribute of an interleaved or separate array, `components` floats at a byte offset.
struct Attribute {
  GLuint location = 0;
  GLint components = 0;
  GLuint offset = 0;
  bool integer = false;
};

/// Binds a buffer to an attribute source of a vertex array. @param divisor 0 per vertex, 1 per instance
template <std::size_t N>
void bindAttributes(const VertexArray& array, GLuint binding, const Buffer& buffer, GLsizei stride,
                    GLuint divisor, const Attribute (&attributes)[N]) {
  glVertexArrayVertexBuffer(array.name(), binding, buffer.name(), 0, stride);
  glVertexArrayBindingDivisor(array.name(), binding, divisor);
  for (const Attribute& a : attributes) {
    glEnableVertexArrayAttrib(array.name(), a.location);
    glVertexArrayAttribBinding(array.name(), a.location, binding);
    if (a.integer)
      glVertexArrayAttribIFormat(array.name(), a.location, a.components, GL_UNSIGNED_INT, a.offset);
    else
      glVertexArrayAttribFormat(array.name(), a.location, a.components, GL_FLOAT, GL_FALSE, a.offset);
  }
}

}  // namespace slipstick::render

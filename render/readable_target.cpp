#include "render/readable_target.h"

#include "render/gl_handles.h"

namespace slipstick::render {

struct ReadableTarget::Impl {
  int width = 0, height = 0;
  Texture color, upright;
  Framebuffer framebuffer, uprightFramebuffer;
};

ReadableTarget::ReadableTarget() : impl_(std::make_unique<Impl>()) {}
ReadableTarget::ReadableTarget(ReadableTarget&&) noexcept = default;
ReadableTarget& ReadableTarget::operator=(ReadableTarget&&) noexcept = default;
ReadableTarget::~ReadableTarget() = default;

void ReadableTarget::resize(int width, int height) {
  Impl& t = *impl_;
  if (width == t.width && height == t.height) return;
  t.width = width;
  t.height = height;
  t.color = makeTexture(GL_RGBA8, width, height);
  t.upright = makeTexture(GL_RGBA8, width, height);
  t.framebuffer = makeFramebuffer();
  t.uprightFramebuffer = makeFramebuffer();
  glNamedFramebufferTexture(t.framebuffer.name(), GL_COLOR_ATTACHMENT0, t.color.name(), 0);
  glNamedFramebufferTexture(t.uprightFramebuffer.name(), GL_COLOR_ATTACHMENT0, t.upright.name(), 0);
}

Target ReadableTarget::target(double pixelRatio) const {
  return {impl_->framebuffer.name(), impl_->width, impl_->height, pixelRatio};
}

/// OpenGL's rows start at the bottom: the device turns them, which costs less than this machine would.
void ReadableTarget::read(void* pixels) const {
  const Impl& t = *impl_;
  glBlitNamedFramebuffer(t.framebuffer.name(), t.uprightFramebuffer.name(), 0, 0, t.width, t.height, 0,
                         t.height, t.width, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, t.uprightFramebuffer.name());
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, t.width, t.height, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, pixels);
}

}  // namespace slipstick::render

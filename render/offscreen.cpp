#include "render/offscreen.h"

#include <algorithm>

#include "render/egl_context.h"
#include "render/gl_handles.h"

namespace slipstick::render {

struct OffscreenRenderer::Impl {
  // Members die in reverse order: everything of OpenGL before its context.
  std::unique_ptr<EglContext> context;
  Texture color;
  Framebuffer framebuffer;
  std::unique_ptr<Renderer> renderer;
  std::unique_ptr<Hud> hud;
  std::shared_ptr<const Model> model;
  int width = 0, height = 0;

  ~Impl() {
    if (context) context->makeCurrent();
  }
  Image read() const;
};

/// OpenGL's rows start at the bottom.
Image OffscreenRenderer::Impl::read() const {
  Image image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * 4)};
  std::vector<std::uint8_t> rows(image.rgba.size());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer.name());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
  const auto stride = static_cast<std::ptrdiff_t>(width) * 4;
  for (int y = 0; y < height; ++y)
    std::copy_n(rows.begin() + stride * (height - 1 - y), stride, image.rgba.begin() + stride * y);
  return image;
}

OffscreenRenderer::OffscreenRenderer() = default;
OffscreenRenderer::~OffscreenRenderer() = default;

Result<std::unique_ptr<OffscreenRenderer>> OffscreenRenderer::create(int width, int height) {
  if (width < 1 || height < 1 || width > 16384 || height > 16384)
    return Error{ErrorCode::InvalidValue,
                 "a picture of " + std::to_string(width) + " x " + std::to_string(height), "picture size",
                 "use sizes from 1 to 16384 pixels"};
  auto context = EglContext::create();
  if (!context) return context.error();
  std::unique_ptr<OffscreenRenderer> offscreen(new OffscreenRenderer);
  offscreen->impl_ = std::make_unique<Impl>();
  Impl& o = *offscreen->impl_;
  o.context = std::move(context).value();
  o.width = width;
  o.height = height;
  auto renderer = Renderer::create();
  if (!renderer) return renderer.error();
  o.renderer = std::move(renderer).value();
  auto hud = Hud::create();
  if (!hud) return hud.error();
  o.hud = std::move(hud).value();
  o.color = makeTexture(GL_RGBA8, width, height);
  o.framebuffer = makeFramebuffer();
  glNamedFramebufferTexture(o.framebuffer.name(), GL_COLOR_ATTACHMENT0, o.color.name(), 0);
  if (glCheckNamedFramebufferStatus(o.framebuffer.name(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return Error{ErrorCode::DeviceFailure, "the driver cannot draw a picture of this size",
                 std::to_string(width) + " x " + std::to_string(height), "use a smaller size"};
  return offscreen;
}

void OffscreenRenderer::setModel(std::shared_ptr<const Model> model) {
  impl_->context->makeCurrent();
  impl_->model = model;
  impl_->renderer->setModel(std::move(model));
}

Image OffscreenRenderer::render(const Frame& frame, const Camera& camera, const ViewOptions& options,
                                const HudInput& hud) {
  Impl& o = *impl_;
  o.context->makeCurrent();
  const Target target{o.framebuffer.name(), o.width, o.height, std::max(1.0, o.height / 1080.0)};
  Target scene = target;
  if (hud.onlyTime)
    scene.pixelRatio = std::max(0.4, o.height / 720.0);  // lines as thin as the picture is small
  o.renderer->draw(frame, camera, options, hud.selection, scene);
  if (options.hud) {
    HudInput input = hud;
    if (!input.model) input.model = o.model.get();
    input.frame = &frame;
    input.camera = &camera;
    input.options = options;
    o.hud->draw(input, target);
  }
  return o.read();
}

}  // namespace slipstick::render

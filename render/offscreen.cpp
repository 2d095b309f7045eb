#include "render/offscreen.h"

#include <algorithm>
#include <chrono>

#include "render/egl_context.h"
#include "render/gl_handles.h"
#include "render/image_filter.h"

namespace slipstick::render {
namespace {

constexpr int kLargest = 16384;  // [px]
constexpr int kHairline = 2;     // between columns [px]

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// A texture that can be drawn into.
struct Canvas {
  Texture color;
  Framebuffer framebuffer;
  int width = 0, height = 0;

  Canvas() = default;
  Canvas(int w, int h)
      : color(makeTexture(GL_RGBA8, w, h)), framebuffer(makeFramebuffer()), width(w), height(h) {
    glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, color.name(), 0);
  }
  bool isComplete() const {
    return glCheckNamedFramebufferStatus(framebuffer.name(), GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  }
};

/// See SurfaceTarget.
struct SurfaceCanvas {
  Texture ids, surface, depth;
  Framebuffer framebuffer;

  SurfaceCanvas(int w, int h)
      : ids(makeTexture(GL_R32UI, w, h)),
        surface(makeTexture(GL_RGBA32F, w, h)),
        depth(makeTexture(GL_DEPTH_COMPONENT32F, w, h)),
        framebuffer(makeFramebuffer()) {
    glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, ids.name(), 0);
    glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT1, surface.name(), 0);
    glNamedFramebufferTexture(framebuffer.name(), GL_DEPTH_ATTACHMENT, depth.name(), 0);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glNamedFramebufferDrawBuffers(framebuffer.name(), 2, both);
  }
};

Result<void> checkLayout(const PictureLayout& layout) {
  const auto fits = [&](int side) { return side >= 1 && side <= kLargest / std::max(1, layout.supersample); };
  if (fits(layout.width) && fits(layout.height) && layout.supersample >= 1) return {};
  const bool larger = layout.supersample > 1;
  return Error{ErrorCode::InvalidValue,
               "a picture of " + std::to_string(layout.width) + " x " + std::to_string(layout.height) +
                   (larger ? ", drawn " + std::to_string(layout.supersample) + " times as large" : ""),
               "picture size", "use sizes from 1 to " + std::to_string(kLargest) + " pixels"};
}

}  // namespace

struct OffscreenRenderer::Impl {
  // Members die in reverse order: everything of OpenGL before its context.
  std::unique_ptr<EglContext> context;
  PictureLayout layout;
  Canvas whole, column;                     ///< the column only where it is not the whole
  std::unique_ptr<SurfaceCanvas> surfaces;  ///< once they are asked for
  std::unique_ptr<Renderer> renderer;
  std::unique_ptr<Hud> hud;
  std::shared_ptr<const Model> model;
  DrawTimes times;

  ~Impl() {
    if (context) context->makeCurrent();
  }
  Result<void> build();
  bool isPlain() const { return layout.columns == 1 && layout.band == 0; }
  /// Of the columns; the last one may lose a pixel at its side [device px].
  int columnWidth() const {
    const int hairlines = (layout.columns - 1) * kHairline;
    return layout.supersample * ((layout.width - hairlines + layout.columns - 1) / layout.columns);
  }
  int columnHeight() const { return layout.supersample * (layout.height - layout.band); }
  Target targetOf(const Canvas& canvas) const {
    return {canvas.framebuffer.name(), canvas.width, canvas.height, layout.supersample * layout.pixelRatio};
  }
  void draw(const PictureColumn& column, const Target& target);
  void place(int index) const;
  Image read() const;
};

Result<void> OffscreenRenderer::Impl::build() {
  auto opened = EglContext::create();
  if (!opened) return opened.error();
  context = std::move(opened).value();
  auto made = Renderer::create();
  if (!made) return made.error();
  renderer = std::move(made).value();
  auto overlay = Hud::create();
  if (!overlay) return overlay.error();
  hud = std::move(overlay).value();
  whole = Canvas(layout.supersample * layout.width, layout.supersample * layout.height);
  if (!isPlain()) column = Canvas(columnWidth(), columnHeight());
  if (whole.isComplete() && (isPlain() || column.isComplete())) return {};
  return Error{ErrorCode::DeviceFailure, "the driver cannot draw a picture of this size",
               std::to_string(whole.width) + " x " + std::to_string(whole.height), "use a smaller size"};
}

void OffscreenRenderer::Impl::draw(const PictureColumn& shown, const Target& target) {
  Target scene = target;
  if (shown.hud.onlyTime)  // lines as thin as the picture is small
    scene.pixelRatio = layout.supersample * std::max(0.4, columnHeight() / layout.supersample / 720.0);
  renderer->draw(*shown.frame, shown.camera, shown.options, shown.hud.selection, scene);
  if (!shown.options.hud) return;
  HudInput input = shown.hud;
  if (!input.model) input.model = model.get();
  input.frame = shown.frame;
  input.camera = &shown.camera;
  input.options = shown.options;
  hud->draw(input, target);
}

/// OpenGL's rows start at the bottom.
void OffscreenRenderer::Impl::place(int index) const {
  const int left = index * (column.width + kHairline * layout.supersample);
  const int width = std::min(column.width, whole.width - left);
  const int bottom = whole.height - column.height;
  glBlitNamedFramebuffer(column.framebuffer.name(), whole.framebuffer.name(), 0, 0, width, column.height,
                         left, bottom, left + width, whole.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

Image OffscreenRenderer::Impl::read() const {
  const int width = whole.width, height = whole.height;
  Image image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * 4)};
  std::vector<std::uint8_t> rows(image.rgba.size());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, whole.framebuffer.name());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
  const auto stride = static_cast<std::ptrdiff_t>(width) * 4;
  for (int y = 0; y < height; ++y)
    std::copy_n(rows.begin() + stride * (height - 1 - y), stride, image.rgba.begin() + stride * y);
  return image;
}

OffscreenRenderer::OffscreenRenderer() = default;
OffscreenRenderer::~OffscreenRenderer() = default;

Result<std::unique_ptr<OffscreenRenderer>> OffscreenRenderer::create(const PictureLayout& layout) {
  if (const Result<void> checked = checkLayout(layout); !checked) return checked.error();
  std::unique_ptr<OffscreenRenderer> offscreen(new OffscreenRenderer);
  offscreen->impl_ = std::make_unique<Impl>();
  offscreen->impl_->layout = layout;
  if (const Result<void> built = offscreen->impl_->build(); !built) return built.error();
  return offscreen;
}

void OffscreenRenderer::setModel(std::shared_ptr<const Model> model) {
  impl_->context->makeCurrent();
  impl_->model = model;
  impl_->renderer->setModel(std::move(model));
}

Image OffscreenRenderer::render(const Frame& frame, const Camera& camera, const ViewOptions& options,
                                const HudInput& hud) {
  const PictureColumn column{&frame, camera, options, hud};
  return render({&column, 1}, {});
}

Image OffscreenRenderer::render(std::span<const PictureColumn> columns, const Caption& caption) {
  Impl& o = *impl_;
  SIM_REQUIRE(static_cast<int>(columns.size()) == o.layout.columns, columns.size(), o.layout.columns);
  const double start = now();
  o.context->makeCurrent();
  const ViewOptions& options = columns.front().options;
  if (o.isPlain()) {
    o.draw(columns.front(), o.targetOf(o.whole));
  } else {
    const Eigen::Vector3f line = srgb(options.tokens().hud);
    const GLfloat clear[4] = {line.x(), line.y(), line.z(), options.transparentBackground ? 0.f : 1.f};
    glClearNamedFramebufferfv(o.whole.framebuffer.name(), GL_COLOR, 0, clear);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      o.draw(columns[i], o.targetOf(o.column));
      o.place(static_cast<int>(i));
    }
  }
  o.hud->draw(caption, options.backdrop(), o.targetOf(o.whole));
  glFinish();
  const double drawn = now();
  Image image = o.read();
  if (options.transparentBackground) unmultiply(image);
  if (o.layout.supersample > 1) image = averaged(image, o.layout.supersample);
  o.times = {drawn - start, now() - drawn};
  return image;
}

SurfaceImage OffscreenRenderer::surfaces(const Frame& frame, const Camera& camera,
                                         const ViewOptions& options) {
  Impl& o = *impl_;
  const double start = now();
  o.context->makeCurrent();
  const int width = o.columnWidth(), height = o.columnHeight();
  if (!o.surfaces) o.surfaces = std::make_unique<SurfaceCanvas>(width, height);
  o.renderer->drawSurfaces(frame, camera, options, {o.surfaces->framebuffer.name(), width, height});
  glFinish();
  const double drawn = now();
  const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<GLuint> ids(count);
  std::vector<Eigen::Vector4f> surface(count);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, o.surfaces->framebuffer.name());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadBuffer(GL_COLOR_ATTACHMENT0);
  glReadPixels(0, 0, width, height, GL_RED_INTEGER, GL_UNSIGNED_INT, ids.data());
  glReadBuffer(GL_COLOR_ATTACHMENT1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_FLOAT, surface.data());
  SurfaceImage image{width, height, {}, {}};
  for (int y = height - 1; y >= 0; --y)  // OpenGL's rows start at the bottom
    for (int x = 0; x < width; ++x) {
      const auto from =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
      image.ids.push_back(PickId::decode(ids[from]));
      image.surface.push_back(surface[from]);
    }
  o.times = {drawn - start, now() - drawn};
  return image;
}

const DrawTimes& OffscreenRenderer::times() const {
  return impl_->times;
}

double OffscreenRenderer::columnAspect() const {
  return static_cast<double>(impl_->columnWidth()) / impl_->columnHeight();
}

}  // namespace slipstick::render

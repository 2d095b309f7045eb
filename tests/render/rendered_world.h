// The sample world drawn without a window, and what its pixels show.
#pragma once

#include <gtest/gtest.h>

#include "render/egl_context.h"
#include "render/gl_handles.h"
#include "render/offscreen.h"
#include "render/renderer.h"
#include "tests/render/frame_input.h"
#include "tests/support/sample_world.h"

namespace slipstick::render {

struct Pixel {
  int r = 0, g = 0, b = 0;
  int luminance() const { return (2 * r + 5 * g + b) / 8; }
};

/// Where a world point is in the picture, [0,1]² from the top left.
inline Eigen::Vector2d project(const Camera& camera, double aspect, const Vec3& p) {
  const Eigen::Vector4d point(p.x(), p.y(), p.z(), 1);
  const Eigen::Vector4d clip = (camera.projection(aspect) * camera.view()).cast<double>() * point;
  return {0.5 + 0.5 * clip.x() / clip.w(), 0.5 - 0.5 * clip.y() / clip.w()};
}

struct RenderedWorld : ::testing::Test {
  static constexpr int kWidth = 480, kHeight = 320;
  static constexpr double kAspect = 1.5;

  slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();
  std::shared_ptr<const Snapshot> snapshot = slipstick::testing::sampleSnapshot(world, 1.54);
  Camera camera = Camera::from(world.model->cameras.front());
  ViewOptions options;
  Selection selection;
  std::unique_ptr<OffscreenRenderer> offscreen;

  void SetUp() override {
    options.hud = false;
    auto created = OffscreenRenderer::create(kWidth, kHeight);
    ASSERT_TRUE(created.ok()) << created.error().message();
    offscreen = std::move(created).value();
    offscreen->setModel(world.model);
  }
  Frame frame() const { return buildFrame(inputOf(*world.model, *snapshot, options, selection)); }
  Image draw(const Frame& f) {
    HudInput hud;
    hud.snapshot = snapshot.get();
    hud.selection = selection;
    return offscreen->render(f, camera, options, hud);
  }
  static Pixel at(const Image& image, int x, int y) {
    const std::uint8_t* p = &image.rgba[static_cast<std::size_t>(y * image.width + x) * 4];
    return {p[0], p[1], p[2]};
  }
  Pixel at(const Image& image, const Vec3& p) const {
    const Eigen::Vector2d uv = project(camera, kAspect, p);
    return at(image, static_cast<int>(uv.x() * kWidth), static_cast<int>(uv.y() * kHeight));
  }
};

/// The renderer itself, drawing into a framebuffer of its own: for what lies in it besides the colours.
struct InFramebuffer : ::testing::Test {
  std::unique_ptr<EglContext> context;
  Texture color;
  Framebuffer framebuffer;
  std::unique_ptr<Renderer> renderer;

  void prepare(std::shared_ptr<const Model> model, int width, int height) {
    auto created = EglContext::create();
    ASSERT_TRUE(created.ok()) << created.error().message();
    context = std::move(created).value();
    color = makeTexture(GL_RGBA8, width, height);
    framebuffer = makeFramebuffer();
    glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, color.name(), 0);
    auto made = Renderer::create();
    ASSERT_TRUE(made.ok()) << made.error().message();
    renderer = std::move(made).value();
    renderer->setModel(std::move(model));
  }
};

}  // namespace slipstick::render

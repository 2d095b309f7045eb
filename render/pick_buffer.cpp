#include "render/pick_buffer.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>

namespace slipstick::render {
namespace {

constexpr int kReach = 3;  ///< arrows are found this many pixels around the pointer
constexpr int kSide = 2 * kReach + 1;

Vec3 unproject(double x, double y, double depth, const ViewBlock& view) {
  const Eigen::Vector4d clip(2 * x / static_cast<double>(view.viewport.x()) - 1,
                             2 * y / static_cast<double>(view.viewport.y()) - 1, 2 * depth - 1, 1);
  const Eigen::Vector4d p = view.clipFromWorld.cast<double>().inverse() * clip;
  return p.head<3>() / p.w();
}

}  // namespace

void PickBuffer::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  ids_ = makeTexture(GL_R32UI, width, height);
  depth_ = makeTexture(GL_DEPTH_COMPONENT32F, width, height);
  framebuffer_ = makeFramebuffer();
  glNamedFramebufferTexture(framebuffer_.name(), GL_COLOR_ATTACHMENT0, ids_.name(), 0);
  glNamedFramebufferTexture(framebuffer_.name(), GL_DEPTH_ATTACHMENT, depth_.name(), 0);
}

std::optional<PickBuffer::Hit> PickBuffer::pick(double u, double v, const ViewBlock& view,
                                                const std::function<void()>& drawIds) {
  resize(static_cast<int>(view.viewport.x()), static_cast<int>(view.viewport.y()));
  const int x = std::clamp(static_cast<int>(u * width_), 0, width_ - 1);
  const int y = std::clamp(static_cast<int>((1 - v) * height_), 0, height_ - 1);
  const int left = std::clamp(x - kReach, 0, std::max(0, width_ - kSide));
  const int bottom = std::clamp(y - kReach, 0, std::max(0, height_ - kSide));
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, width_, height_);
  glEnable(GL_SCISSOR_TEST);
  glScissor(left, bottom, kSide, kSide);
  const GLuint nothing[4] = {0, 0, 0, 0};
  glClearBufferuiv(GL_COLOR, 0, nothing);
  glClear(GL_DEPTH_BUFFER_BIT);
  drawIds();
  glDisable(GL_SCISSOR_TEST);
  std::array<GLuint, kSide * kSide> ids{};
  std::array<float, kSide * kSide> depths{};
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(left, bottom, kSide, kSide, GL_RED_INTEGER, GL_UNSIGNED_INT, ids.data());
  glReadPixels(left, bottom, kSide, kSide, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());

  int best = (y - bottom) * kSide + (x - left);
  int nearest = 1 << 30;
  for (int i = 0; i < kSide * kSide; ++i) {
    if (PickId::decode(ids[static_cast<std::size_t>(i)]).kind != PickKind::Arrow) continue;
    const int dx = left + i % kSide - x, dy = bottom + i / kSide - y;
    if (dx * dx + dy * dy < nearest) {
      nearest = dx * dx + dy * dy;
      best = i;
    }
  }
  const PickId id = PickId::decode(ids[static_cast<std::size_t>(best)]);
  if (id.kind == PickKind::Nothing) return std::nullopt;
  return Hit{id, unproject(left + best % kSide + 0.5, bottom + best / kSide + 0.5,
                           static_cast<double>(depths[static_cast<std::size_t>(best)]), view)};
}

}  // namespace slipstick::render

#include "render/selection_outline.h"

#include "render/full_screen.h"
#include "render/palette.h"

namespace slipstick::render {
namespace {

constexpr std::string_view kFragment = R"(
in vec2 uv;
layout(binding = 2) uniform sampler2D maskMap;
layout(location = 0) out vec4 pixel;
uniform vec4 color;
void main() {
  float inside = texture(maskMap, uv).r, sum = 0.0;
  for (int i = 0; i < 12; ++i) {
    float a = 6.2831853 * float(i) / 12.0;
    sum = max(sum, texture(maskMap, uv + 1.9 * mode.z * viewport.zw * vec2(cos(a), sin(a))).r);
  }
  float alpha = clamp(sum - inside, 0.0, 1.0);
  if (alpha <= 0.0) discard;
  pixel = vec4(color.rgb, alpha);
}
)";

}  // namespace

Result<SelectionOutline> SelectionOutline::create() {
  SelectionOutline o;
  Result<void> status;
  make(o.program_, Program::create("selection outline", kFullScreenVertex, kFragment, Pass::Depth), status);
  if (!status.ok()) return status.error();
  return o;
}

void SelectionOutline::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = width;
  height_ = height;
  mask_ = makeTexture(GL_R8, width, height, GL_LINEAR);
  framebuffer_ = makeFramebuffer();
  glNamedFramebufferTexture(framebuffer_.name(), GL_COLOR_ATTACHMENT0, mask_.name(), 0);
}

void SelectionOutline::begin() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, width_, height_);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
}

void SelectionOutline::draw(const VertexArray& empty, Hex color) const {
  program_.set("color", append(srgb(color), 1));
  glBindTextureUnit(2, mask_.name());
  program_.use();
  glBindVertexArray(empty.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace slipstick::render

#include "render/scene_target.h"

#include <algorithm>
#include <string>

#include "engine/foundation/require.h"
#include "render/full_screen.h"

namespace slipstick::render {
namespace {

constexpr GLuint kBehindLightUnit = 6, kBehindDepthUnit = 7;

// A fixed 4 × 4 pattern of ± half a level hides the steps of smooth gradients.
constexpr std::string_view kPost = R"(
layout(location = 0) out vec4 pixel;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  vec3 c = vec3(0.0);
  float opacity = 0.0;
  for (int i = 0; i < SAMPLES; ++i) {
    vec4 one = texelFetch(scene, at, i);
    c += toneMap(max(one.rgb, 0.0));
    opacity += one.a;
  }
  c /= float(SAMPLES);
  opacity = mode.w == 1.0 ? clamp(opacity / float(SAMPLES), 0.0, 1.0) : 1.0;
  c = mode.w == 1.0 ? min(c / max(opacity, 1e-4), 1.0) : c;
  vec3 s = mix(c * 12.92, 1.055 * pow(max(c, 1e-6), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
  ivec2 cell = at & 3;
  int coarse = (cell.x & 1) ^ (cell.y & 1), fine = (cell.x >> 1) ^ (cell.y >> 1);
  int rank = coarse * 8 + (cell.y & 1) * 4 + fine * 2 + (cell.y >> 1);
  pixel = vec4((s + (float(rank) - 7.5) / (16.0 * 255.0)) * opacity, opacity);
}
)";

constexpr std::string_view kCover = R"(
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(1.0); }
)";

std::string postSource(bool multisampled) {
  const std::string declarations = multisampled
                                       ? "#define SAMPLES 4\nlayout(binding = 2) uniform sampler2DMS scene;\n"
                                       : "#define SAMPLES 1\nlayout(binding = 2) uniform sampler2D scene;\n";
  return declarations + std::string(kPost);
}

void attach(const Framebuffer& framebuffer, const Texture& color, const Texture& depth) {
  glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, color.name(), 0);
  glNamedFramebufferTexture(framebuffer.name(), GL_DEPTH_ATTACHMENT, depth.name(), 0);
}

}  // namespace

Result<SceneTarget> SceneTarget::create() {
  SceneTarget t;
  Result<void> status;
  make(t.postOne_, Program::create("post", kFullScreenVertex, postSource(false)), status);
  make(t.postMany_, Program::create("post", kFullScreenVertex, postSource(true)), status);
  make(t.cover_, Program::create("cover", kFullScreenVertex, kCover), status);
  if (!status.ok()) return status.error();
  glGetIntegerv(GL_MAX_SAMPLES, &t.mostSamples_);
  return t;
}

void SceneTarget::resize(int width, int height, int samples) {
  samples = samples > 1 && mostSamples_ >= 4 ? 4 : 1;  // as the two programs have it
  if (width == width_ && height == height_ && samples == samples_) return;
  width_ = width;
  height_ = height;
  samples_ = samples;
  light_ = makeTexture(GL_RGBA16F, width, height, GL_NEAREST, samples);
  depth_ = makeTexture(GL_DEPTH_COMPONENT24, width, height, GL_NEAREST, samples);
  display_ = makeTexture(GL_RGBA8, width, height, GL_NEAREST, samples);
  scene_ = makeFramebuffer();
  shown_ = makeFramebuffer();
  attach(scene_, light_, depth_);
  attach(shown_, display_, depth_);
  behind_ = Framebuffer();
}

void SceneTarget::begin() const {
  glBindFramebuffer(GL_FRAMEBUFFER, scene_.name());
  glViewport(0, 0, width_, height_);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

/// A triangle on the far plane is behind all that was drawn. Not every layer writes an opacity that can be used: edges
/// of particles are coverage.
void SceneTarget::coverDrawn(const VertexArray& empty) const {
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_GREATER);
  cover_.use();
  glBindVertexArray(empty.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

void SceneTarget::resolveBehind() {
  if (!behind_) {
    behindLight_ = makeTexture(GL_RGBA16F, width_, height_, GL_LINEAR);
    behindDepth_ = makeTexture(GL_DEPTH_COMPONENT24, width_, height_);
    behind_ = makeFramebuffer();
    attach(behind_, behindLight_, behindDepth_);
  }
  glBlitNamedFramebuffer(scene_.name(), behind_.name(), 0, 0, width_, height_, 0, 0, width_, height_,
                         GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
  glBindTextureUnit(kBehindLightUnit, behindLight_.name());
  glBindTextureUnit(kBehindDepthUnit, behindDepth_.name());
}

void SceneTarget::toDisplay(const VertexArray& empty) const {
  bindDisplay();
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glBindTextureUnit(2, light_.name());
  (samples_ > 1 ? postMany_ : postOne_).use();
  glBindVertexArray(empty.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

void SceneTarget::bindDisplay() const {
  glBindFramebuffer(GL_FRAMEBUFFER, shown_.name());
  glViewport(0, 0, width_, height_);
}

void SceneTarget::resolveTo(unsigned framebuffer, int width, int height) const {
  const bool same = width == width_ && height == height_;
  SIM_REQUIRE(same || samples_ == 1, samples_, 1);
  glBlitNamedFramebuffer(shown_.name(), framebuffer, 0, 0, width_, height_, 0, 0, width, height,
                         GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
}

}  // namespace slipstick::render

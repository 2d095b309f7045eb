#include "render/ambient_occlusion.h"

#include "render/full_screen.h"

namespace slipstick::render {
namespace {

constexpr std::string_view kOcclusion = R"(
in vec2 uv;
layout(binding = 2) uniform sampler2D depthMap;
layout(location = 0) out float open;

vec3 viewPoint(vec2 at) {
  float z = texture(depthMap, at).r * 2.0 - 1.0;
  float viewZ = -clipFromView[3][2] / (z + clipFromView[2][2]);
  return vec3((at * 2.0 - 1.0) * -viewZ / vec2(clipFromView[0][0], clipFromView[1][1]), viewZ);
}

void main() {
  if (texture(depthMap, uv).r > 0.99995) { open = 1.0; return; }
  vec3 p = viewPoint(uv);
  vec3 n = normalize(cross(dFdx(p), dFdy(p)));
  float radius = 0.075 * target.w;
  float reach = 0.5 * clipFromView[1][1] * radius / -p.z;
  ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
  float turn = float((cell.x * 5 + cell.y * 11 + cell.x * cell.y * 3) & 15) / 16.0;
  float sum = 0.0;
  const int taps = 9;
  for (int i = 0; i < taps; ++i) {
    float t = (float(i) + turn * 0.9 + 0.1) / float(taps);
    float a = 6.2831853 * (t * 2.0 + turn);
    vec2 offset = reach * t * vec2(cos(a) * viewport.y / viewport.x, sin(a));
    vec3 v = viewPoint(uv + offset) - p;
    float vv = dot(v, v);
    float f = max(radius * radius - vv, 0.0) / (radius * radius);
    sum += f * max(dot(v, n) - 0.0025 * target.w, 0.0) / (sqrt(vv) + 0.02 * radius);
  }
  open = clamp(1.0 - 1.9 * sum / float(taps), 0.0, 1.0);
}
)";

constexpr std::string_view kBlur = R"(
in vec2 uv;
layout(binding = 2) uniform sampler2D depthMap;
layout(binding = 3) uniform sampler2D rawMap;
layout(location = 0) out float open;

float viewDepth(ivec2 at) {
  return clipFromView[3][2] / (texelFetch(depthMap, at, 0).r * 2.0 - 1.0 + clipFromView[2][2]);
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(rawMap, 0) - 1;
  float z = viewDepth(at), sum = 0.0, weight = 0.0;
  for (int y = -2; y < 2; ++y)
    for (int x = -2; x < 2; ++x) {
      ivec2 q = clamp(at + ivec2(x, y), ivec2(0), last);
      float w = abs(viewDepth(q) - z) < 0.02 * target.w ? 1.0 : 0.02;
      sum += w * texelFetch(rawMap, q, 0).r;
      weight += w;
    }
  open = sum / weight;
}
)";

}  // namespace

Result<AmbientOcclusion> AmbientOcclusion::create() {
  AmbientOcclusion ao;
  Result<void> status;
  make(ao.occlusion_, Program::create("ambient occlusion", kFullScreenVertex, kOcclusion, Pass::Depth),
       status);
  make(ao.blur_, Program::create("occlusion blur", kFullScreenVertex, kBlur, Pass::Depth), status);
  if (!status.ok()) return status.error();
  return ao;
}

void AmbientOcclusion::resize(int width, int height) {
  const int w = std::max(1, (width + 1) / 2), h = std::max(1, (height + 1) / 2);
  if (w == width_ && h == height_) return;
  width_ = w;
  height_ = h;
  depth_ = makeTexture(GL_DEPTH_COMPONENT24, w, h);
  raw_ = makeTexture(GL_R8, w, h);
  blurred_ = makeTexture(GL_R8, w, h, GL_LINEAR);
  depthTarget_ = makeFramebuffer();
  rawTarget_ = makeFramebuffer();
  blurTarget_ = makeFramebuffer();
  glNamedFramebufferTexture(depthTarget_.name(), GL_DEPTH_ATTACHMENT, depth_.name(), 0);
  glNamedFramebufferDrawBuffer(depthTarget_.name(), GL_NONE);
  glNamedFramebufferTexture(rawTarget_.name(), GL_COLOR_ATTACHMENT0, raw_.name(), 0);
  glNamedFramebufferTexture(blurTarget_.name(), GL_COLOR_ATTACHMENT0, blurred_.name(), 0);
}

void AmbientOcclusion::begin() const {
  glBindFramebuffer(GL_FRAMEBUFFER, depthTarget_.name());
  glViewport(0, 0, width_, height_);
  glClear(GL_DEPTH_BUFFER_BIT);
}

void AmbientOcclusion::compute(const VertexArray& empty) const {
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(empty.name());
  glBindTextureUnit(2, depth_.name());
  glBindTextureUnit(3, raw_.name());
  glBindFramebuffer(GL_FRAMEBUFFER, rawTarget_.name());
  occlusion_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindFramebuffer(GL_FRAMEBUFFER, blurTarget_.name());
  blur_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

}  // namespace slipstick::render

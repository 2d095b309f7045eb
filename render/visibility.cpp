#include "render/visibility.h"

#include "render/full_screen.h"

namespace slipstick::render {
namespace {

constexpr std::string_view kGather = R"(
in vec2 uv;
layout(binding = 2) uniform sampler2D depthMap;
layout(binding = 1) uniform sampler2DShadow shadowMap;
layout(location = 0) out vec2 seen;

float shadowTap(vec3 s, vec2 offset) {
  return texture(shadowMap, vec3(s.xy + offset * shadow.y * shadow.z, s.z));
}

// Four outer taps decide most pixels; only the penumbra pays for the rest. A loop, because software drivers
// skip no branches but do leave a loop that no pixel needs any more.
float keyVisibility(vec3 p, vec3 n) {
  float slope = 1.0 - max(dot(n, key.xyz), 0.0);
  vec3 s = (shadowFromWorld * vec4(p + n * shadow.x * shadow.z * (0.8 + 1.0 * slope), 1.0)).xyz;
  if (any(lessThan(s.xy, vec2(0.0))) || any(greaterThan(s.xy, vec2(1.0)))) return 1.0;
  s.z = min(s.z, 1.0);  // the map ends behind the last caster; shadows reach farther
  float sum = shadowTap(s, vec2(-1.9, -0.7)) + shadowTap(s, vec2(0.7, -1.9)) + shadowTap(s, vec2(1.9, 0.7)) +
              shadowTap(s, vec2(-0.7, 1.9));
  int more = sum < 0.001 || sum > 3.999 || occlusion.w < 0.5 ? 0 : 8;
  vec2 offset = vec2(0.45, 0.1);
  for (int i = 0; i < more; ++i) {  // a spiral by the golden angle
    sum += shadowTap(s, offset);
    offset = 1.15 * vec2(-0.7374 * offset.x - 0.6755 * offset.y, 0.6755 * offset.x - 0.7374 * offset.y);
  }
  return sum / float(4 + more);
}

// What divides places in the picture: the depth, or 1 in a parallel projection.
float divisor(float viewZ) { return clipFromView[3][3] == 1.0 ? 1.0 : -viewZ; }

vec3 viewPoint(vec2 at) {
  float z = texture(depthMap, at).r * 2.0 - 1.0;
  float viewZ = clipFromView[3][3] == 1.0 ? (z - clipFromView[3][2]) / clipFromView[2][2]
                                          : -clipFromView[3][2] / (z + clipFromView[2][2]);
  return vec3((at * 2.0 - 1.0) * divisor(viewZ) / vec2(clipFromView[0][0], clipFromView[1][1]), viewZ);
}

// Across the nearer neighbour on either side: a silhouette beside the pixel does not bend its normal, nor does the end of
// the picture, beyond which there is none.
vec3 normalAt(vec3 p) {
  vec2 texel = 1.0 / vec2(textureSize(depthMap, 0));
  vec3 right = viewPoint(uv + vec2(texel.x, 0.0)) - p, left = p - viewPoint(uv - vec2(texel.x, 0.0));
  vec3 up = viewPoint(uv + vec2(0.0, texel.y)) - p, down = p - viewPoint(uv - vec2(0.0, texel.y));
  bool toRight = uv.x < texel.x || (abs(right.z) < abs(left.z) && uv.x < 1.0 - texel.x);
  bool toUp = uv.y < texel.y || (abs(up.z) < abs(down.z) && uv.y < 1.0 - texel.y);
  return normalize(cross(toRight ? right : left, toUp ? up : down));
}

// How much surroundings within the radius cover, on a spiral of taps.
float obscurance(vec3 p, vec3 n, float radius, float turn) {
  float reach = 0.5 * clipFromView[1][1] * radius / divisor(p.z);
  float shorter = min(reach, 0.2) / reach;  // so near that a tap would leave the picture's neighbourhood
  radius *= shorter;
  reach *= shorter;
  float blind = 0.01 * radius + 2.0 * mode.y * divisor(p.z), sum = 0.0;
  for (int i = 0; i < 4; ++i) {
    float t = (float(i) + turn * 0.9 + 0.1) / 4.0;
    float a = 6.2831853 * (t * 1.25 + turn);
    vec2 at = uv + reach * t * vec2(cos(a) * viewport.y / viewport.x, sin(a));
    if (at != clamp(at, 0.0, 1.0)) continue;  // what the picture ends before covers nothing
    vec3 v = viewPoint(at) - p;
    float vv = dot(v, v);
    sum += max(1.0 - vv / (radius * radius), 0.0) * max(dot(v, n) - blind, 0.0) / (sqrt(vv) + 0.02 * radius);
  }
  return sum / 4.0;
}

void main() {
  if (texture(depthMap, uv).r > 0.99995) { seen = vec2(1.0); return; }
  vec3 p = viewPoint(uv);
  vec3 n = normalAt(p);
  float open = 1.0;
  if (occlusion.z > 0.5) {
    ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
    float turn = float((cell.x * 5 + cell.y * 11 + cell.x * cell.y * 3) & 15) / 16.0;
    open = clamp(1.0 - 1.7 * obscurance(p, n, occlusion.x, turn), 0.0, 1.0) *
           clamp(1.0 - 1.1 * obscurance(p, n, occlusion.y, turn), 0.0, 1.0);
  }
  vec3 world = transpose(mat3(viewFromWorld)) * p + eye.xyz;
  seen = vec2(open, keyVisibility(world, transpose(mat3(viewFromWorld)) * n));
}
)";

constexpr std::string_view kBlur = R"(
in vec2 uv;
layout(binding = 2) uniform sampler2D depthMap;
layout(binding = 3) uniform sampler2D rawMap;
layout(location = 0) out vec4 seen;

float viewDepth(ivec2 at) {
  float z = texelFetch(depthMap, at, 0).r * 2.0 - 1.0;
  return depthOf(clipFromView[3][3] == 1.0 ? (z - clipFromView[3][2]) / clipFromView[2][2]
                                           : -clipFromView[3][2] / (z + clipFromView[2][2]));
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy), last = textureSize(rawMap, 0) - 1;
  float z = viewDepth(at), weight = 0.0;
  vec2 sum = vec2(0.0);
  for (int y = -2; y < 2; ++y)
    for (int x = -2; x < 2; ++x) {
      ivec2 q = clamp(at + ivec2(x, y), ivec2(0), last);
      float w = abs(viewDepth(q) - z) < 0.012 * z ? 1.0 : 0.002;
      sum += w * texelFetch(rawMap, q, 0).rg;
      weight += w;
    }
  seen = vec4(sum / weight, z, 1.0);
}
)";

}  // namespace

Result<Visibility> Visibility::create() {
  Visibility made;
  Result<void> status;
  make(made.gather_, Program::create("visibility", kFullScreenVertex, kGather, Pass::Depth), status);
  make(made.blur_, Program::create("visibility blur", kFullScreenVertex, kBlur, Pass::Depth), status);
  if (!status.ok()) return status.error();
  made.full_ = makeTexture(GL_RGBA16F, 1, 1);
  const GLfloat all[4] = {1, 1, 0, 1};
  glTextureSubImage2D(made.full_.name(), 0, 0, 0, 1, 1, GL_RGBA, GL_FLOAT, all);
  return made;
}

void Visibility::resize(int width, int height) {
  const int w = std::max(1, (width + 1) / 2), h = std::max(1, (height + 1) / 2);
  if (w == width_ && h == height_) return;
  width_ = w;
  height_ = h;
  depth_ = makeTexture(GL_DEPTH_COMPONENT24, w, h);
  raw_ = makeTexture(GL_RG8, w, h);
  blurred_ = makeTexture(GL_RGBA16F, w, h);
  depthTarget_ = makeFramebuffer();
  rawTarget_ = makeFramebuffer();
  blurTarget_ = makeFramebuffer();
  glNamedFramebufferTexture(depthTarget_.name(), GL_DEPTH_ATTACHMENT, depth_.name(), 0);
  glNamedFramebufferDrawBuffer(depthTarget_.name(), GL_NONE);
  glNamedFramebufferTexture(rawTarget_.name(), GL_COLOR_ATTACHMENT0, raw_.name(), 0);
  glNamedFramebufferTexture(blurTarget_.name(), GL_COLOR_ATTACHMENT0, blurred_.name(), 0);
}

void Visibility::begin() const {
  glBindFramebuffer(GL_FRAMEBUFFER, depthTarget_.name());
  glViewport(0, 0, width_, height_);
  glClear(GL_DEPTH_BUFFER_BIT);
}

void Visibility::compute(const VertexArray& empty) const {
  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(empty.name());
  glBindTextureUnit(2, depth_.name());
  glBindTextureUnit(3, raw_.name());
  glBindFramebuffer(GL_FRAMEBUFFER, rawTarget_.name());
  gather_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindFramebuffer(GL_FRAMEBUFFER, blurTarget_.name());
  blur_.use();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnable(GL_DEPTH_TEST);
}

}  // namespace slipstick::render

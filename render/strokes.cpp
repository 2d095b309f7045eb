#include "render/strokes.h"

#include <cstddef>

namespace slipstick::render {
namespace {

/// Of a stroke that something hides.
constexpr float kHidden = 0.12f;

// A quad around the stroke and its foot; the fragment finds its distance to both [px].
constexpr std::string_view kVertex = R"(
layout(location = 0) in vec4 from;
layout(location = 1) in vec4 to;
layout(location = 2) in vec4 color;
layout(location = 3) in vec4 normal;
layout(location = 4) in float foot;
noperspective out vec2 q;
flat out vec4 c;
flat out vec4 shape;  // length, width, end width, radius of the foot (negative: a ring)

vec4 clipNearer(vec3 p) {
  vec4 clip = clipFromWorld * vec4(p, 1.0);
  vec3 toEye = eye.xyz - p;
  vec4 nearer = clipFromWorld * vec4(p + toEye * min(normal.w / length(toEye), 0.95), 1.0);
  clip.z = max(nearer.z / nearer.w, -0.999) * clip.w;
  return clip;
}

void main() {
  vec4 a = clipNearer(from.xyz), b = clipNearer(to.xyz);
  vec2 ends = (b.xy / max(b.w, 1e-6) - a.xy / max(a.w, 1e-6)) * viewport.xy * 0.5;
  float L = length(ends);
  vec2 along = L > 1e-4 ? ends / L : vec2(1.0, 0.0);
  float ratio = mode.z;
  float radius = (foot == 0.0 ? 0.0 : foot == 1.0 ? 2.5 : 3.3) * ratio;
  shape = vec4(L, from.w * ratio, to.w * ratio, foot == 2.0 ? -radius : radius);
  float side = max(max(shape.y, shape.z) * 0.5, radius) + 2.5 * ratio;
  bool end = gl_VertexID >= 2;
  q = vec2(end ? L + side : -side, (gl_VertexID & 1) == 0 ? -side : side);
  vec2 away = along * (end ? side : -side) + vec2(-along.y, along.x) * q.y;
  vec4 p = end ? b : a;
  p.xy += away * 2.0 * viewport.zw * p.w;
  bool turned = dot(normal.xyz, eye.xyz - from.xyz) < 0.0;
  c = vec4(color.rgb, color.a * (turned ? 0.25 : 1.0));
  gl_Position = a.w > 0.0 && b.w > 0.0 ? p : vec4(0.0);
}
)";

constexpr std::string_view kFragment = R"(
noperspective in vec2 q;
flat in vec4 c;
flat in vec4 shape;
layout(location = 0) out vec4 pixel;
uniform float opacity, rims;
void main() {
  float t = clamp(q.x / max(shape.x, 1e-4), 0.0, 1.0);
  float d = length(vec2(q.x - t * shape.x, q.y)) - 0.5 * mix(shape.y, shape.z, t);
  float r = abs(shape.w), foot = length(q) - r;
  float line = 0.75 * mode.z;
  float core = shape.w < 0.0 ? min(max(d, -foot), abs(foot + line) - line) : r > 0.0 ? min(d, foot) : d;
  float body = r > 0.0 ? min(d, foot) : d;
  float inside = clamp(0.5 - core, 0.0, 1.0), rim = clamp(0.5 + 0.9 * mode.z - body, 0.0, 1.0);
  vec3 s = mix(c.rgb * 12.92, 1.055 * pow(max(c.rgb, 1e-5), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c.rgb));
  float alpha = rims > 0.5 ? 0.7 * rim : inside;
  if (alpha <= 0.0) discard;
  pixel = vec4(rims > 0.5 ? (mode.x > 0.25 ? vec3(1.0) : vec3(0.07, 0.075, 0.085)) : s, alpha * c.a * opacity);
}
)";

}  // namespace

Result<Strokes> Strokes::create() {
  Strokes s;
  Result<void> status;
  make(s.program_, Program::create("stroke", kVertex, kFragment), status);
  if (!status.ok()) return status.error();
  s.array_ = makeVertexArray();
  s.buffer_ = makeBuffer();
  bindAttributes(s.array_, 0, s.buffer_, sizeof(Instance), 1,
                 {{0, 4, 0}, {1, 4, 16}, {2, 4, 32}, {3, 4, 48}, {4, 1, 64}});
  return s;
}

void Strokes::update(const std::vector<Stroke>& strokes) {
  std::vector<Instance> instances;
  for (const Stroke& stroke : strokes) {
    Instance i;
    i.from = append(stroke.from, stroke.width);
    i.to = append(stroke.to, stroke.endWidth);
    i.color = stroke.color;
    i.normal = append(stroke.normal, stroke.reach);
    i.foot = static_cast<float>(stroke.foot);
    instances.push_back(i);
  }
  count_ = static_cast<int>(instances.size());
  upload(buffer_, instances);
}

void Strokes::draw() const {
  if (count_ == 0) return;
  program_.use();
  glBindVertexArray(array_.name());
  glDepthMask(GL_FALSE);
  for (const bool hidden : {true, false}) {
    glDepthFunc(hidden ? GL_GREATER : GL_LEQUAL);
    program_.set("opacity", hidden ? kHidden : 1.f);
    for (const bool rims : {true, false}) {  // all rims first, or they would cut the joints of chains
      program_.set("rims", rims ? 1.f : 0.f);
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count_);
    }
  }
  glDepthMask(GL_TRUE);
}

}  // namespace slipstick::render

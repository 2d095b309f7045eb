#include "render/arrows.h"

#include "render/palette.h"
#include "render/pick_id.h"

namespace slipstick::render {
namespace {

constexpr int kSides = 14;
constexpr int kVertices = 12 * kSides;  // 6 per side of the shaft, 3 of the cone, 3 of the cone's base

// Built from the vertex number alone. mode.y · w is the size of a pixel at the arrow's foot [m], mode.z the
// pixel ratio.
constexpr std::string_view kVertex = R"(
layout(location = 0) in vec4 from;
layout(location = 1) in vec4 along;
layout(location = 2) in vec4 color;
uniform float grow;
flat out vec4 c;
flat out uint id;
out vec3 p;
out vec3 n;
const int N = 14;
void main() {
  float L = length(along.xyz);
  vec3 d = along.xyz / max(L, 1e-9);
  float px = mode.y * mode.z * max((clipFromWorld * vec4(from.xyz, 1.0)).w, 0.0);
  float thick = from.w;
  float headLength = 12.5 * px * mix(1.0, thick, 0.62);
  float s = min(1.0, L / (1.5 * headLength));
  headLength *= s;
  float headRadius = 4.8 * px * mix(1.0, thick, 0.7) * mix(s, 1.0, 0.35) + grow * px;
  float shaft = 1.55 * px * thick * mix(s, 1.0, 0.5) + grow * px;
  vec3 side = normalize(cross(d, abs(d.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 up = cross(d, side);
  int part, corner, slice;
  if (gl_VertexID < 6 * N) { part = 0; slice = gl_VertexID / 6; corner = gl_VertexID % 6; }
  else if (gl_VertexID < 9 * N) { part = 1; slice = (gl_VertexID - 6 * N) / 3; corner = gl_VertexID % 3; }
  else { part = 2; slice = (gl_VertexID - 9 * N) / 3; corner = gl_VertexID % 3; }
  bool next = part == 0 ? (corner == 1 || corner == 2 || corner == 4) : corner == (part == 1 ? 1 : 0);
  float a = 6.2831853 * float(slice + (next ? 1 : 0)) / float(N);
  vec3 radial = cos(a) * side + sin(a) * up;
  float neck = L - headLength;
  if (part == 0) {
    bool top = corner == 2 || corner == 4 || corner == 5;
    p = from.xyz + d * (top ? neck : -grow * px) + radial * shaft;
    n = radial;
  } else if (part == 1) {
    bool tip = corner == 2;
    p = from.xyz + d * (tip ? L + 2.4 * grow * px : neck - grow * px) + radial * (tip ? 0.0 : headRadius);
    n = normalize(radial * headLength + d * headRadius);
  } else {
    bool middle = corner == 2;
    p = from.xyz + d * (neck - grow * px) + radial * (middle ? 0.0 : headRadius);
    n = -d;
  }
  c = color;
  id = uint(gl_InstanceID);
  gl_Position = clipFromWorld * vec4(p, 1.0);
}
)";

constexpr std::string_view kFragment = R"(
flat in vec4 c;
flat in uint id;
in vec3 p;
in vec3 n;
#ifdef ID
layout(location = 0) out uint pixel;
uniform int firstId;
void main() { pixel = uint(firstId) + id; }
#else
layout(location = 0) out vec4 pixel;
uniform float outline;
void main() {
  vec3 v = normalize(eye.xyz - p);
  float facing = abs(dot(normalize(n), v));
  float lit = 0.66 + 0.34 * facing;
  vec3 shaded = c.rgb * lit + 0.04 * max(dot(normalize(n), normalize(v + key.xyz)), 0.0);
  vec3 srgb = mix(shaded * 12.92, 1.055 * pow(max(shaded, 1e-5), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, shaded));
  pixel = outline > 0.0 ? vec4((mode.x > 0.25 ? vec3(1.0) : vec3(0.07, 0.075, 0.085)), c.a * outline) : vec4(min(srgb, 1.0), c.a);
}
#endif
)";

constexpr std::string_view kMarkVertex = R"(
layout(location = 0) in vec4 point;
layout(location = 1) in vec4 normal;
layout(location = 2) in vec4 color;
out vec2 corner;
flat out vec4 c;
flat out float ring;
void main() {
  corner = 1.25 * (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0);
  vec3 d = normalize(normal.xyz);
  vec3 side = normalize(cross(d, abs(d.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  float px = mode.y * mode.z * (clipFromWorld * vec4(point.xyz, 1.0)).w;
  vec3 toEye = normalize(eye.xyz - point.xyz);
  vec3 p = point.xyz + normal.w * px * (corner.x * side + corner.y * cross(d, side)) + px * toEye;
  c = color;
  ring = point.w;
  gl_Position = clipFromWorld * vec4(p, 1.0);
}
)";

constexpr std::string_view kMarkFragment = R"(
in vec2 corner;
flat in vec4 c;
flat in float ring;
layout(location = 0) out vec4 pixel;
void main() {
  float r = length(corner), w = max(fwidth(r), 1e-4);
  float a = clamp((1.0 - r) / w + 0.5, 0.0, 1.0);
  if (ring > 0.5) a *= clamp((r - 0.52) / w + 0.5, 0.0, 1.0);
  vec3 s = mix(c.rgb * 12.92, 1.055 * pow(max(c.rgb, 1e-5), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c.rgb));
  if (a <= 0.0) discard;
  pixel = vec4(s, a * c.a);
}
)";

}  // namespace

Result<Arrows> Arrows::create() {
  Arrows a;
  Result<void> status;
  make(a.shade_, Program::create("arrow", kVertex, kFragment), status);
  make(a.id_, Program::create("arrow", kVertex, kFragment, Pass::Id), status);
  make(a.mark_, Program::create("contact mark", kMarkVertex, kMarkFragment), status);
  if (!status.ok()) return status.error();
  a.id_.set("firstId", static_cast<int>(PickId{PickKind::Arrow, 0}.encode()));
  a.arrowArray_ = makeVertexArray();
  a.markArray_ = makeVertexArray();
  a.arrowBuffer_ = makeBuffer();
  a.markBuffer_ = makeBuffer();
  bindAttributes(a.arrowArray_, 0, a.arrowBuffer_, sizeof(ArrowInstance), 1,
                 {{0, 4, 0}, {1, 4, 16}, {2, 4, 32}});
  bindAttributes(a.markArray_, 0, a.markBuffer_, sizeof(MarkInstance), 1,
                 {{0, 4, 0}, {1, 4, 16}, {2, 4, 32}});
  return a;
}

void Arrows::update(const std::vector<Arrow>& arrows, const std::vector<ContactMark>& marks) {
  std::vector<ArrowInstance> instances(arrows.size());
  for (std::size_t i = 0; i < arrows.size(); ++i) {
    instances[i].from = append(arrows[i].from, arrows[i].thickness);
    instances[i].vector = append(arrows[i].vector, 0);
    instances[i].color = arrows[i].color;
  }
  std::vector<MarkInstance> markInstances(marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    markInstances[i].point = append(marks[i].point, marks[i].ring ? 1.f : 0.f);
    markInstances[i].normal = append(marks[i].normal, marks[i].radius);
    markInstances[i].color = marks[i].color;
  }
  arrows_ = static_cast<int>(arrows.size());
  marks_ = static_cast<int>(marks.size());
  upload(arrowBuffer_, instances);
  upload(markBuffer_, markInstances);
}

void Arrows::draw(Pass pass, float growth) const {
  if (arrows_ == 0) return;
  const Program& program = pass == Pass::Id ? id_ : shade_;
  glBindVertexArray(arrowArray_.name());
  program.use();
  // A thin hull around each arrow keeps ivory legible on dough, and dark arrows on dark robots.
  if (pass == Pass::Shade) {
    program.set("outline", 0.85f);
    program.set("grow", 0.9f);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT);
    glDrawArraysInstanced(GL_TRIANGLES, 0, kVertices, arrows_);
    glDisable(GL_CULL_FACE);
    program.set("outline", 0.f);
  }
  program.set("grow", growth);
  glDrawArraysInstanced(GL_TRIANGLES, 0, kVertices, arrows_);
}

void Arrows::drawMarks() const {
  if (marks_ == 0) return;
  mark_.use();
  glBindVertexArray(markArray_.name());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, marks_);
}

}  // namespace slipstick::render

#include "render/soft_meshes.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "engine/model/soft_surface.h"
#include "render/pick_id.h"

namespace slipstick::render {
namespace {

// Where a point is, with the depth of the point that lies `lift` nearer to the eye; as it is for the light.
constexpr std::string_view kLifted = R"(
uniform float lift;
vec4 lifted(vec3 p, float more) {
  vec4 clip = clipFromWorld * vec4(p, 1.0);
  if (eye.w != 0.0 || lift + more <= 0.0) return clip;
  vec3 toEye = eye.xyz - p;
  vec4 nearer = clipFromWorld * vec4(p + toEye * min(lift / length(toEye) + more, 0.5), 1.0);
  clip.z = nearer.z / nearer.w * clip.w;
  return clip;
}
)";

constexpr std::string_view kVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
out vec3 p;
out vec3 n;
out vec4 c;
void main() {
  p = position;
  n = normal;
  c = color;
  gl_ClipDistance[0] = kept(p);
  gl_Position = lifted(p, 0.0);
}
)";

// Looks: 0 cloth, 1 matt, 2 liquid.
constexpr std::string_view kFragment = R"(
in vec3 p;
in vec3 n;
in vec4 c;
uniform int look;
uniform int mapped;  // 1: the colour means a number
uniform int pickId;
#ifdef SHADE
layout(location = 0) out vec4 pixel;

// Loose threads catch light where the cloth turns away.
vec3 fabric(vec3 normal, vec3 v) {
  float graze = 1.0 - abs(dot(normal, v));
  vec2 seen = visibility(p, normal);
  vec3 sheen = (0.42 * c.rgb + 0.035) * (graze * graze * graze * c.w) * (0.35 + 0.65 * seen.x);
  return light(c.rgb, 0.85, p, normal, seen) + sheen;
}

layout(binding = 6) uniform sampler2D behindLight;
layout(binding = 7) uniform sampler2D behindDepth;

float distanceBehind(vec2 at) {
  return clipFromView[3][2] / (texture(behindDepth, at).r * 2.0 - 1.0 + clipFromView[2][2]);
}

// What is behind is seen bent and, through what is thick, tinted; at a flat angle the studio is mirrored
// instead.
vec3 liquid(vec3 normal, vec3 v) {
  if (dot(normal, v) < 0.0) normal = -normal;
  float m = 1.0 - dot(normal, v), m2 = m * m;
  float fresnel = 0.02 + 0.98 * m2 * m2 * m;
  vec2 seen = visibility(p, normal), straight = gl_FragCoord.xy * viewport.zw;
  float z = -(viewFromWorld * vec4(p, 1.0)).z;
  // A stream far in front of things is no thicker than it is.
  float thickness = clamp(min(distanceBehind(straight) - z, c.w / max(dot(normal, v), 0.25)), 0.0, 0.08);
  vec3 side = mat3(viewFromWorld) * normal;
  vec2 bent = straight - side.xy * vec2(clipFromView[0][0], clipFromView[1][1]) * (0.16 * thickness / z);
  bent = distanceBehind(bent) > z ? bent : straight;  // not what is in front
  vec3 behind = min(texture(behindLight, bent).rgb, 1.3);
  vec3 clear = exp(-(1.04 - c.rgb) * (26.0 * thickness + 0.10));
  vec3 body = light(c.rgb, 0.6, p, normal, vec2(0.4 + 0.6 * seen.x, seen.y));
  vec3 r = reflect(-v, normal);
  float glint = smoothstep(0.965, 0.995, dot(r, key.xyz)) * seen.y;
  vec3 through = behind * clear + 0.75 * body * (1.0 - clear);
  return mix(through, studio(r, 0.0) * (1.5 * (0.35 + 0.65 * seen.x)), fresnel) + 1.6 * glint;
}

void main() {
  vec3 normal = normalize(n), v = normalize(eye.xyz - p);
  vec4 lit = vec4(0.0, 0.0, 0.0, 1.0);
  if (mapped == 1) lit.rgb = dataLight(c.rgb, p, normal, visibility(p, normal));
  else if (look == 0) lit.rgb = fabric(normal, v);
  else if (look == 1) lit.rgb = light(c.rgb, 0.75, p, normal, visibility(p, normal));
  else lit.rgb = liquid(normal, v);
  pixel = lit;
}
#elif defined(ID)
layout(location = 0) out uint pixel;
void main() {
  pixel = uint(pickId);
  tellFace(p, n);
}
#endif
)";

// Drawn a little towards the eye, in front of the faces that the edges belong to.
constexpr std::string_view kEdgeVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 2) in vec4 color;
out vec3 c;
void main() {
  c = color.rgb;
  gl_ClipDistance[0] = kept(position);
  gl_Position = lifted(position, 0.0015);
}
)";

constexpr std::string_view kEdgeFragment = R"(
in vec3 c;
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(0.12 * c, 1.0); }
)";

}  // namespace

Result<SoftMeshes> SoftMeshes::create() {
  SoftMeshes m;
  const std::string lift(kLifted);
  Result<PassPrograms> programs = createPasses("soft mesh", lift + std::string(kVertex), kFragment);
  if (!programs) return programs.error();
  m.programs_ = std::move(programs).value();
  Result<Program> edge = Program::create("cloth edge", lift + std::string(kEdgeVertex), kEdgeFragment);
  if (!edge) return edge.error();
  m.edge_ = std::move(edge).value();
  m.array_ = makeVertexArray();
  m.vertices_ = makeBuffer();
  m.indices_ = makeBuffer();
  bindAttributes(m.array_, 0, m.vertices_, sizeof(SoftVertex), 0,
                 {{0, 3, offsetof(SoftVertex, position)},
                  {1, 3, offsetof(SoftVertex, normal)},
                  {2, 4, offsetof(SoftVertex, color)}});
  glVertexArrayElementBuffer(m.array_.name(), m.indices_.name());
  return m;
}

void SoftMeshes::update(const Picture& picture) {
  selected_ = indexOf<SelectedDeformable>(picture.selection);
  if (soft_ == picture.frame.soft) return;
  soft_ = picture.frame.soft;
  uploadMeshes(picture.model);
}

/// The pick id of a mesh is that of its first vertex.
void SoftMeshes::uploadMeshes(const Model& model) {
  std::vector<SoftVertex> vertices;
  std::vector<std::uint32_t> indices;
  slices_.clear();
  for (const SoftMesh& mesh : soft_->meshes) {
    const Deformable& d = model.deformables[static_cast<std::size_t>(mesh.deformable)];
    Slice slice;
    slice.deformable = mesh.deformable;
    slice.id = PickId{PickKind::Particle, static_cast<std::uint32_t>(surfaceOf(d).first)}.encode();
    slice.look = mesh.look;
    slice.mapped = mesh.mapped;
    slice.lift = mesh.lift;
    slice.firstVertex = static_cast<GLint>(vertices.size());
    slice.firstIndex = indices.size();
    slice.indices = static_cast<GLsizei>(mesh.indices.size());
    slice.firstEdge = indices.size() + mesh.indices.size();
    slice.edges = static_cast<GLsizei>(mesh.edges.size());
    vertices.insert(vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    indices.insert(indices.end(), mesh.indices.begin(), mesh.indices.end());
    indices.insert(indices.end(), mesh.edges.begin(), mesh.edges.end());
    slices_.push_back(slice);
  }
  upload(vertices_, vertices);
  upload(indices_, indices);
}

void SoftMeshes::draw(Pass pass, const Slice& slice) const {
  const Program& program = programs_[static_cast<std::size_t>(pass)];
  program.set("lift", slice.lift);
  if (pass == Pass::Shade) {
    program.set("look", static_cast<int>(slice.look));
    program.set("mapped", slice.mapped ? 1 : 0);
  }
  if (pass == Pass::Id) program.set("pickId", static_cast<int>(slice.id));
  program.use();
  glBindVertexArray(array_.name());
  glDrawElementsBaseVertex(GL_TRIANGLES, slice.indices, GL_UNSIGNED_INT,
                           reinterpret_cast<const void*>(slice.firstIndex * sizeof(std::uint32_t)),
                           slice.firstVertex);
}

void SoftMeshes::draw(Stage stage, Pass pass) const {
  for (const Slice& slice : slices_) {
    const bool liquid = slice.look == SoftLook::Liquid;
    if (stage == Stage::Shadow || (stage == Stage::Opaque && pass == Pass::Depth) ||
        (stage == Stage::Opaque && !liquid) || (stage == Stage::Transparent && liquid) ||
        (stage == Stage::Outline && selected_ == slice.deformable))
      draw(pass, slice);
  }
  if (stage == Stage::Opaque && pass == Pass::Shade) drawEdges();
}

bool SoftMeshes::refracts() const {
  return std::any_of(slices_.begin(), slices_.end(),
                     [](const Slice& slice) { return slice.look == SoftLook::Liquid; });
}

void SoftMeshes::drawEdges() const {
  if (std::none_of(slices_.begin(), slices_.end(), [](const Slice& slice) { return slice.edges > 0; }))
    return;
  edge_.use();
  glBindVertexArray(array_.name());
  for (const Slice& slice : slices_) {
    if (slice.edges == 0) continue;
    edge_.set("lift", slice.lift);
    glDrawElementsBaseVertex(GL_LINES, slice.edges, GL_UNSIGNED_INT,
                             reinterpret_cast<const void*>(slice.firstEdge * sizeof(std::uint32_t)),
                             slice.firstVertex);
  }
}

}  // namespace slipstick::render

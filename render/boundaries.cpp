#include "render/boundaries.h"

#include <cstddef>
#include <utility>

#include "render/palette.h"
#include "render/pick_id.h"

namespace slipstick::render {
namespace {

constexpr std::string_view kVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 across;
layout(location = 3) in vec2 halfSize;
out vec3 p;
out vec3 n;
out vec2 at;
flat out vec2 size;
void main() {
  p = position;
  n = normal;
  at = across;
  size = halfSize;
  gl_ClipDistance[0] = kept(position);
  gl_Position = clipFromWorld * vec4(position, 1.0);
}
)";

// The hatching says the kind: crossed where nothing moves (sticky), stripes where things slide along (slip),
// broken stripes where they may leave (separate). Lines along the edges, on round shapes along the
// silhouette.
constexpr std::string_view kFragment = R"(
in vec3 p;
in vec3 n;
in vec2 at;
flat in vec2 size;
uniform int kind;
uniform int pickId;
uniform float pitch;
uniform vec4 color;
#ifdef SHADE
layout(location = 0) out vec4 pixel;

float stripe(float x) {
  float w = max(fwidth(x), 1e-5);
  float d = abs(fract(x) - 0.5);
  return clamp((0.11 - d) / w + 0.5, 0.0, 1.0) * (1.0 - smoothstep(0.25, 0.7, w)) + 0.22 * smoothstep(0.25, 0.7, w);
}

float outline() {
  if (size.x <= 0.0) {
    float facing = abs(dot(normalize(n), normalize(eye.xyz - p)));
    return 1.0 - smoothstep(0.0, 3.0, facing / max(fwidth(facing), 1e-4) / mode.z);
  }
  vec2 d = (size - abs(at)) / max(fwidth(at), vec2(1e-7)) / mode.z;
  return 1.0 - smoothstep(0.9, 1.9, min(d.x, d.y));
}

void main() {
  float along = (at.x + at.y) / pitch, against = (at.x - at.y) / pitch;
  float hatch = stripe(along);
  if (kind == 0) hatch = max(hatch, stripe(against));
  if (kind == 2) hatch *= clamp((abs(fract(against / 1.5) - 0.5) - 0.16) / max(fwidth(against / 1.5), 1e-5) + 0.5, 0.0, 1.0);
  float alpha = mix(0.06 + 0.13 * hatch, 0.8, outline());
  pixel = vec4(color.rgb, alpha * color.a);
}
#elif defined(ID)
layout(location = 0) out uint pixel;
void main() {
  pixel = uint(pickId);
  tellFace(p, n);
}
#endif
)";

}  // namespace

Result<Boundaries> Boundaries::create() {
  Boundaries b;
  Result<PassPrograms> programs = createPasses("boundary", kVertex, kFragment);
  if (!programs) return programs.error();
  b.programs_ = std::move(programs).value();
  b.array_ = makeVertexArray();
  b.vertices_ = makeBuffer();
  bindAttributes(b.array_, 0, b.vertices_, sizeof(BoundaryVertex), 0,
                 {{0, 3, offsetof(BoundaryVertex, position)},
                  {1, 3, offsetof(BoundaryVertex, normal)},
                  {2, 2, offsetof(BoundaryVertex, across)},
                  {3, 2, offsetof(BoundaryVertex, half)}});
  return b;
}

void Boundaries::update(const Picture& picture) {
  std::vector<BoundaryVertex> vertices;
  slices_.clear();
  for (const BoundarySurface& surface : picture.frame.boundaries) {
    const PickId id{PickKind::Boundary, static_cast<std::uint32_t>(surface.boundary)};
    const Eigen::Vector3f own =
        surface.color ? toSrgb(surface.color->head<3>()) : srgb(picture.options.tokens().boundary);
    slices_.push_back({id.encode(), static_cast<int>(surface.kind), surface.selected, surface.pitch,
                       surface.selected ? srgb(picture.options.tokens().stick) : own,
                       static_cast<GLint>(vertices.size()), static_cast<GLsizei>(surface.triangles.size())});
    vertices.insert(vertices.end(), surface.triangles.begin(), surface.triangles.end());
  }
  if (!slices_.empty()) upload(vertices_, vertices);
}

void Boundaries::draw(Pass pass, const Slice& slice) const {
  const Program& program = programs_[static_cast<std::size_t>(pass)];
  if (pass == Pass::Id) program.set("pickId", static_cast<int>(slice.id));
  if (pass == Pass::Shade) {
    program.set("kind", slice.kind);
    program.set("pitch", slice.pitch);
    program.set("color", append(slice.color, 1));
  }
  program.use();
  glBindVertexArray(array_.name());
  glDrawArrays(GL_TRIANGLES, slice.first, slice.count);
}

/// Moved a hair towards the eye, so that a wall on the ground shows.
void Boundaries::draw(Stage stage, Pass pass) const {
  if (slices_.empty() || (stage != Stage::SeenThrough && stage != Stage::Outline)) return;
  if (pass == Pass::Shade) glDepthMask(GL_FALSE);
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(-2.f, -8.f);
  for (const Slice& slice : slices_)
    if (stage == Stage::SeenThrough || slice.selected) draw(pass, slice);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDepthMask(GL_TRUE);
}

std::optional<Selection> Boundaries::selectionOf(const PickId& id) const {
  if (id.kind != PickKind::Boundary) return std::nullopt;
  return SelectedBoundary{static_cast<std::int32_t>(id.index)};
}

}  // namespace slipstick::render

#include "render/patches.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "render/palette.h"

namespace slipstick::render {
namespace {

constexpr int kMapSize = 256;
/// Opaque enough that a colour means what the bar says, clear enough to see what lies behind.
constexpr float kOpacity = 0.86f;
constexpr float kHiddenOpacity = 0.1f;
constexpr float kBackOpacity = 0.3f;

// Where the point is, with the depth of the point that lies `reach` nearer to the eye.
constexpr std::string_view kNearer = R"(
uniform float reach;
vec4 clipNearer(vec3 p) {
  vec4 clip = clipFromWorld * vec4(p, 1.0);
  vec3 toEye = eye.xyz - p;
  vec4 nearer = clipFromWorld * vec4(p + toEye * min(reach / length(toEye), 0.95), 1.0);
  clip.z = max(nearer.z / nearer.w, -0.999) * clip.w;
  return clip;
}
)";

constexpr std::string_view kVertex = R"(
layout(location = 0) in vec4 vertex;
out float t;
void main() {
  t = vertex.w;
  gl_Position = clipNearer(vertex.xyz);
}
)";

constexpr std::string_view kFragment = R"(
in float t;
layout(binding = 4) uniform sampler2D map;
layout(location = 0) out vec4 pixel;
uniform float opacity, row, fades, back;
void main() {
  vec3 color = texture(map, vec2((clamp(t, 0.0, 1.0) * 255.0 + 0.5) / 256.0, row)).rgb;
  float alpha = opacity * mix(1.0, smoothstep(0.005, 0.08, t), fades);
  pixel = vec4(color, gl_FrontFacing ? alpha : alpha * back);
}
)";

// A line of constant width on screen: each end moves sideways by half the width. The ends reach half a width
// further, so that corners close.
constexpr std::string_view kLineVertex = R"(
layout(location = 0) in vec4 from;
layout(location = 1) in vec4 to;
uniform float width;
void main() {
  vec4 a = clipNearer(from.xyz), b = clipNearer(to.xyz);
  bool end = gl_VertexID >= 2;
  float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
  vec2 along = (b.xy / max(b.w, 1e-6) - a.xy / max(a.w, 1e-6)) * viewport.xy;
  along = length(along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  vec4 p = end ? b : a;
  vec2 shift = (vec2(-along.y, along.x) * side + along * (end ? 0.5 : -0.5)) * width * mode.z;
  p.xy += shift * viewport.zw * p.w;
  gl_Position = a.w > 0.0 && b.w > 0.0 ? p : vec4(0.0, 0.0, 0.0, 0.0);
}
)";

constexpr std::string_view kLineFragment = R"(
layout(location = 0) out vec4 pixel;
uniform vec4 color;
void main() { pixel = color; }
)";

/// A row per ColorMap.
Texture mapTexture() {
  Texture map = makeTexture(GL_RGBA8, kMapSize, 2, GL_LINEAR);
  std::vector<GLubyte> texels;
  for (const ColorMap name : {ColorMap::Ember, ColorMap::Viridis})
    for (int i = 0; i < kMapSize; ++i) {
      const Eigen::Vector3f c = mapFunction(name)(i / double(kMapSize - 1));
      for (int k = 0; k < 3; ++k) texels.push_back(static_cast<GLubyte>(std::lround(255 * c[k])));
      texels.push_back(255);
    }
  glTextureSubImage2D(map.name(), 0, 0, 0, kMapSize, 2, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  return map;
}

}  // namespace

Result<Patches> Patches::create() {
  Patches p;
  const std::string nearer(kNearer);
  Result<void> status;
  make(p.surface_, Program::create("contact surface", nearer + std::string(kVertex), kFragment), status);
  make(p.line_, Program::create("contact outline", nearer + std::string(kLineVertex), kLineFragment), status);
  if (!status.ok()) return status.error();
  p.map_ = mapTexture();
  p.surfaceArray_ = makeVertexArray();
  p.lineArray_ = makeVertexArray();
  p.vertices_ = makeBuffer();
  p.edges_ = makeBuffer();
  bindAttributes(p.surfaceArray_, 0, p.vertices_, sizeof(Eigen::Vector4f), 0, {{0, 4, 0}});
  bindAttributes(p.lineArray_, 0, p.edges_, sizeof(Edge), 1, {{0, 4, 0}, {1, 4, 16}});
  return p;
}

void Patches::update(const std::vector<PatchSurface>& patches, const Eigen::Vector3f& eye,
                     const Tokens& tokens) {
  rim_ = append(srgb(tokens.hud), 0.75f);
  selectedRim_ = append(srgb(tokens.stick), 1);
  std::vector<std::size_t> order(patches.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return (patches[a].center - eye).squaredNorm() > (patches[b].center - eye).squaredNorm();
  });
  std::vector<Eigen::Vector4f> vertices;
  std::vector<Edge> edges;
  slices_.clear();
  for (const std::size_t i : order) {
    const PatchSurface& patch = patches[i];
    Slice slice;
    slice.firstVertex = static_cast<int>(vertices.size());
    slice.vertices = static_cast<int>(patch.triangles.size());
    slice.firstEdge = static_cast<int>(edges.size());
    slice.edges = static_cast<int>(patch.outline.size() / 2);
    slice.reach = patch.reach;
    slice.selected = patch.selected;
    slice.fades = patch.fades;
    slice.oneSided = patch.oneSided;
    slice.map = patch.map;
    vertices.insert(vertices.end(), patch.triangles.begin(), patch.triangles.end());
    for (std::size_t k = 0; k + 1 < patch.outline.size(); k += 2)
      edges.push_back({append(patch.outline[k], 1), append(patch.outline[k + 1], 1)});
    slices_.push_back(slice);
  }
  upload(vertices_, vertices);
  upload(edges_, edges);
}

void Patches::drawSurface(const Slice& slice, float opacity) const {
  surface_.use();
  surface_.set("reach", slice.reach);
  surface_.set("opacity", opacity);
  surface_.set("row", slice.map == ColorMap::Viridis ? 0.75f : 0.25f);
  surface_.set("fades", slice.fades ? 1.f : 0.f);
  surface_.set("back", slice.oneSided ? kBackOpacity : 1.f);
  glBindVertexArray(surfaceArray_.name());
  glDrawArrays(GL_TRIANGLES, slice.firstVertex, slice.vertices);
}

void Patches::drawOutline(const Slice& slice) const {
  line_.use();
  line_.set("reach", slice.reach);
  line_.set("color", slice.selected ? selectedRim_ : rim_);
  line_.set("width", slice.selected ? 2.2f : 1.2f);
  glBindVertexArray(lineArray_.name());
  glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, slice.edges,
                                    static_cast<GLuint>(slice.firstEdge));
}

void Patches::draw() const {
  if (slices_.empty()) return;
  glBindTextureUnit(4, map_.name());
  glDepthMask(GL_FALSE);
  for (const Slice& slice : slices_) {
    glDepthFunc(GL_GREATER);
    drawSurface(slice, kHiddenOpacity);
    glDepthFunc(GL_LEQUAL);
    drawSurface(slice, kOpacity);
    drawOutline(slice);
  }
  glDepthMask(GL_TRUE);
}

}  // namespace slipstick::render

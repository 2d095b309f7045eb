#include "render/patches.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/palette.h"

namespace slipstick::render {
namespace {

constexpr int kMapSize = 256;
/// Opaque enough that a colour means what the bar says, clear enough to see what lies behind.
constexpr float kOpacity = 0.86f;

constexpr std::string_view kVertex = R"(
layout(location = 0) in vec4 vertex;
out float t;
void main() {
  t = vertex.w;
  gl_Position = clipFromWorld * vec4(vertex.xyz, 1.0);
}
)";

constexpr std::string_view kFragment = R"(
in float t;
layout(binding = 4) uniform sampler2D map;
layout(location = 0) out vec4 pixel;
uniform float opacity;
void main() {
  pixel = vec4(texture(map, vec2((clamp(t, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb, opacity);
}
)";

// A line of constant width on screen: each end moves sideways by half the width. The ends reach half a width
// further, so that corners close.
constexpr std::string_view kLineVertex = R"(
layout(location = 0) in vec4 from;
layout(location = 1) in vec4 to;
uniform float width;
void main() {
  vec4 a = clipFromWorld * vec4(from.xyz, 1.0), b = clipFromWorld * vec4(to.xyz, 1.0);
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

Texture mapTexture() {
  Texture map = makeTexture(GL_RGBA8, kMapSize, 1, GL_LINEAR);
  std::vector<GLubyte> texels;
  for (int i = 0; i < kMapSize; ++i) {
    const Eigen::Vector3f c = scalarMap(i / double(kMapSize - 1));
    for (int k = 0; k < 3; ++k) texels.push_back(static_cast<GLubyte>(std::lround(255 * c[k])));
    texels.push_back(255);
  }
  glTextureSubImage2D(map.name(), 0, 0, 0, kMapSize, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
  return map;
}

}  // namespace

Result<Patches> Patches::create() {
  Patches p;
  Result<void> status;
  make(p.surface_, Program::create("contact surface", kVertex, kFragment), status);
  make(p.line_, Program::create("contact outline", kLineVertex, kLineFragment), status);
  if (!status.ok()) return status.error();
  p.surface_.set("opacity", kOpacity);
  p.map_ = mapTexture();
  p.surfaceArray_ = makeVertexArray();
  p.lineArray_ = makeVertexArray();
  p.vertices_ = makeBuffer();
  p.edges_ = makeBuffer();
  bindAttributes(p.surfaceArray_, 0, p.vertices_, sizeof(Eigen::Vector4f), 0, {{0, 4, 0}});
  bindAttributes(p.lineArray_, 0, p.edges_, sizeof(Edge), 1, {{0, 4, 0}, {1, 4, 16}});
  return p;
}

void Patches::update(const std::vector<PatchSurface>& patches, const Eigen::Vector3f& eye) {
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
    slice.selected = patch.selected;
    vertices.insert(vertices.end(), patch.triangles.begin(), patch.triangles.end());
    for (std::size_t k = 0; k + 1 < patch.outline.size(); k += 2)
      edges.push_back({append(patch.outline[k], 1), append(patch.outline[k + 1], 1)});
    slices_.push_back(slice);
  }
  upload(vertices_, vertices);
  upload(edges_, edges);
}

void Patches::draw() const {
  glDisable(GL_DEPTH_TEST);
  glBindTextureUnit(4, map_.name());
  for (const Slice& slice : slices_) {
    surface_.use();
    glBindVertexArray(surfaceArray_.name());
    glDrawArrays(GL_TRIANGLES, slice.firstVertex, slice.vertices);
    line_.use();
    line_.set("color",
              slice.selected ? append(srgb(palette::kStick), 1) : append(srgb(palette::kHud), 0.75f));
    line_.set("width", slice.selected ? 2.2f : 1.2f);
    glBindVertexArray(lineArray_.name());
    glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, slice.edges,
                                      static_cast<GLuint>(slice.firstEdge));
  }
  glEnable(GL_DEPTH_TEST);
}

}  // namespace slipstick::render

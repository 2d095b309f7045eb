#include "render/ghosts.h"

#include <cstddef>

#include "engine/foundation/require.h"
#include "render/affine_rows.h"
#include "render/palette.h"
#include "render/shapes.h"

namespace slipstick::render {
namespace {

/// Nearer than that, a body is where it is now [m].
constexpr double kMoved = 1e-4;

constexpr std::string_view kBodyVertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform vec4 row0, row1, row2;
out vec3 p;
out vec3 n;
void main() {
  mat4 X = transpose(mat4(row0, row1, row2, vec4(0.0, 0.0, 0.0, 1.0)));
  p = (X * vec4(position, 1.0)).xyz;
  n = mat3(X) * normal;
  gl_ClipDistance[0] = kept(p);
  gl_Position = clipFromWorld * vec4(p, 1.0);
}
)";

constexpr std::string_view kBodyFragment = R"(
in vec3 p;
in vec3 n;
uniform vec4 color;
layout(location = 0) out vec4 pixel;
void main() {
  float facing = dot(normalize(n), normalize(eye.xyz - p)), rim = 1.0 - max(facing, 0.0);
  pixel = vec4(mix(color.rgb, vec3(1.0), 0.35 * rim * rim), facing <= 0.0 ? 0.0 : 0.10 + 0.6 * rim * rim * rim);
}
)";

constexpr std::string_view kParticleVertex = R"(
layout(location = 0) in vec3 center;
uniform vec4 own;  // colour, radius [m]
out vec2 corner;
void main() {
  corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec4 at = viewFromWorld * vec4(center, 1.0);
  at.xy += own.w * corner;
  gl_ClipDistance[0] = kept(center);
  gl_Position = clipFromView * at;
}
)";

constexpr std::string_view kParticleFragment = R"(
in vec2 corner;
uniform vec4 own;
layout(location = 0) out vec4 pixel;
void main() {
  float r = length(corner), w = max(fwidth(r), 1e-4);
  float inside = clamp((1.0 - r) / w + 0.5, 0.0, 1.0);
  pixel = vec4(own.rgb, inside * (0.05 + 0.4 * r * r * r * r));
}
)";

bool moved(const Pose& from, const Pose& to) {
  return (from.p - to.p).norm() > kMoved || (from.R - to.R).norm() > 10 * kMoved;
}

}  // namespace

Result<Ghosts> Ghosts::create() {
  Ghosts g;
  Result<void> status;
  make(g.body_, Program::create("ghost of a body", kBodyVertex, kBodyFragment, Pass::Depth), status);
  make(g.particle_, Program::create("ghost of particles", kParticleVertex, kParticleFragment, Pass::Depth),
       status);
  if (!status.ok()) return status.error();
  g.bodyArray_ = makeVertexArray();
  g.particleArray_ = makeVertexArray();
  g.vertices_ = makeBuffer();
  g.indices_ = makeBuffer();
  g.centers_ = makeBuffer();
  bindAttributes(g.bodyArray_, 0, g.vertices_, sizeof(DrawVertex), 0,
                 {{0, 3, offsetof(DrawVertex, position)}, {1, 3, offsetof(DrawVertex, normal)}});
  bindAttributes(g.particleArray_, 0, g.centers_, sizeof(Eigen::Vector3f), 1, {{0, 3, 0}});
  glVertexArrayElementBuffer(g.bodyArray_.name(), g.indices_.name());
  return g;
}

void Ghosts::setModel(const Model&) {
  ranges_.clear();
  bodies_.clear();
  clouds_.clear();
}

void Ghosts::tessellateAll(const Model& model) {
  DrawMesh all;
  for (const Visual& visual : model.visuals) {
    const DrawMesh mesh = tessellate(visual.shape);
    ranges_.push_back({all.indices.size(), static_cast<GLsizei>(mesh.indices.size()),
                       static_cast<GLint>(all.vertices.size())});
    all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    all.indices.insert(all.indices.end(), mesh.indices.begin(), mesh.indices.end());
  }
  upload(vertices_, all.vertices, GL_STATIC_DRAW);
  upload(indices_, all.indices, GL_STATIC_DRAW);
}

void Ghosts::update(const Picture& picture) {
  bodies_.clear();
  clouds_.clear();
  std::vector<Eigen::Vector3f> centers;
  for (const Ghost& ghost : picture.frame.ghosts) {
    const Eigen::Vector3f color = toSrgb(ghost.color);
    clouds_.push_back({static_cast<int>(centers.size()), static_cast<int>(ghost.particles.size()),
                       append(color, ghost.radius)});
    centers.insert(centers.end(), ghost.particles.begin(), ghost.particles.end());
    if (ghost.X_WB.empty()) continue;
    SIM_REQUIRE(ghost.X_WB.size() == picture.frame.X_WB.size(), ghost.X_WB.size(), picture.frame.X_WB.size());
    for (std::size_t i = 0; i < picture.model.visuals.size(); ++i) {
      const Visual& visual = picture.model.visuals[i];
      const auto body = static_cast<std::size_t>(visual.body);
      if (!picture.frame.lookOf(visual.body).visible) continue;
      if (!moved(picture.frame.X_WB[body], ghost.X_WB[body])) continue;
      bodies_.push_back({i, rowsOf(ghost.X_WB[body] * visual.X_BV), append(color, 1)});
    }
  }
  if (!bodies_.empty() && ranges_.empty()) tessellateAll(picture.model);
  if (!centers.empty()) upload(centers_, centers);
}

void Ghosts::draw(Stage stage, Pass pass) const {
  if (stage != Stage::SeenThrough || pass != Pass::Shade || clouds_.empty()) return;
  glDepthMask(GL_FALSE);
  body_.use();
  glBindVertexArray(bodyArray_.name());
  for (const Body& body : bodies_) {
    const Range& range = ranges_[body.visual];
    body_.set("row0", body.rows[0]);
    body_.set("row1", body.rows[1]);
    body_.set("row2", body.rows[2]);
    body_.set("color", body.color);
    glDrawElementsBaseVertex(GL_TRIANGLES, range.indices, GL_UNSIGNED_INT,
                             reinterpret_cast<const void*>(range.firstIndex * sizeof(std::uint32_t)),
                             range.firstVertex);
  }
  particle_.use();
  glBindVertexArray(particleArray_.name());
  for (const Cloud& cloud : clouds_) {
    if (cloud.count == 0) continue;
    particle_.set("own", cloud.color);
    glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, cloud.count, static_cast<GLuint>(cloud.first));
  }
  glDepthMask(GL_TRUE);
}

}  // namespace slipstick::render

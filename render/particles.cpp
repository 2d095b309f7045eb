#include "render/particles.h"

#include "engine/foundation/require.h"
#include "render/pick_id.h"

namespace slipstick::render {
namespace {

// The quad touches the sphere's nearest point and spans the cone of rays that meet the sphere; every hit is
// then farther than the quad, which lets the depth test come before the shading (depth_greater).
constexpr std::string_view kVertex = R"(
layout(location = 0) in vec3 center;
layout(location = 1) in vec4 colorRadius;
flat out vec4 sphere;
flat out vec3 color;
flat out uint id;
out vec3 q;
void main() {
  float r = colorRadius.w;
  vec3 toEye = eye.xyz;
  float size = r;
  if (eye.w == 0.0) {
    toEye = eye.xyz - center;
    float d = length(toEye);
    toEye /= d;
    size = (d - r) * r / sqrt(max(d * d - r * r, 1e-12));
  }
  vec3 side = normalize(cross(toEye, abs(toEye.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec2 corner = 1.06 * (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0);
  q = center + toEye * r + size * (corner.x * side + corner.y * cross(toEye, side));
  sphere = vec4(center, r);
  color = colorRadius.rgb;
  id = uint(gl_InstanceID);
  gl_Position = clipFromWorld * vec4(q, 1.0);
}
)";

constexpr std::string_view kFragment = R"(
flat in vec4 sphere;
flat in vec3 color;
flat in uint id;
in vec3 q;
layout(depth_greater) out float gl_FragDepth;
#ifdef ID
layout(location = 0) out uint pixel;
uniform int firstId;
#else
layout(location = 0) out vec4 pixel;
#endif
void main() {
  vec3 ray = eye.w == 0.0 ? normalize(q - eye.xyz) : -eye.xyz;
  vec3 oc = q - sphere.xyz;
  float along = dot(oc, ray);
  vec3 nearest = oc - along * ray;
  float b2 = dot(nearest, nearest) / (sphere.w * sphere.w);
#ifdef SHADE
  float b = sqrt(b2);
  float coverage = clamp((1.0 - b) / max(fwidth(b), 1e-4) + 0.5, 0.0, 1.0);
#else
  float coverage = b2 < 1.0 ? 1.0 : 0.0;
#endif
  if (coverage <= 0.0) discard;
  vec3 n = nearest / sphere.w - ray * sqrt(max(1.0 - b2, 0.0));
  n = normalize(n);
  vec3 p = sphere.xyz + sphere.w * n;
  vec4 clip = clipFromWorld * vec4(p, 1.0);
  float depth = gl_DepthRange.near + gl_DepthRange.diff * (0.5 * clip.z / clip.w + 0.5);
  gl_FragDepth = clamp(depth, gl_FragCoord.z, 1.0);
#ifdef SHADE
  float rim = max(dot(n, -ray), 0.0);
  vec2 seen = visibility(n) * vec2(mix(0.55, 1.0, smoothstep(0.0, 0.75, rim)), 1.0);
  pixel = vec4(display(light(color, 0.72, p, n, seen)), coverage);
#elif defined(ID)
  pixel = uint(firstId) + id;
#else
  pixel = vec4(1.0);
#endif
}
)";

}  // namespace

Result<Spheres> Spheres::create() {
  Spheres s;
  Result<void> status;
  for (const Pass pass : {Pass::Shade, Pass::Depth, Pass::Id})
    make(s.programs_[static_cast<std::size_t>(pass)], Program::create("sphere", kVertex, kFragment, pass),
         status);
  if (!status.ok()) return status.error();
  s.array_ = makeVertexArray();
  s.centers_ = makeBuffer();
  s.colors_ = makeBuffer();
  bindAttributes(s.array_, 0, s.centers_, sizeof(Eigen::Vector3f), 1, {{0, 3, 0}});
  bindAttributes(s.array_, 1, s.colors_, sizeof(Eigen::Vector4f), 1, {{1, 4, 0}});
  return s;
}

void Spheres::update(const std::vector<Eigen::Vector3f>& centers,
                     const std::vector<Eigen::Vector4f>& colors) {
  SIM_REQUIRE(centers.size() == colors.size(), centers.size(), colors.size());
  count_ = static_cast<int>(centers.size());
  upload(centers_, centers);
  upload(colors_, colors);
}

void Spheres::draw(Pass pass, int first, int count) const {
  if (count <= 0) return;
  const Program& program = programs_[static_cast<std::size_t>(pass)];
  if (pass == Pass::Id) {
    const PickId id{PickKind::Particle, static_cast<std::uint32_t>(first)};
    program.set("firstId", static_cast<int>(id.encode()));
  }
  program.use();
  glBindVertexArray(array_.name());
  if (pass == Pass::Shade) glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, count, static_cast<GLuint>(first));
  glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}

}  // namespace slipstick::render

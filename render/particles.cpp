#include "render/particles.h"

#include <string>

#include "engine/foundation/require.h"
#include "render/palette.h"
#include "render/pick_id.h"

namespace slipstick::render {
namespace {

// The quad touches the sphere's nearest point and spans the cone of rays that meet the sphere; every hit is
// then farther than the quad, which lets the depth test come before the shading (depth_greater).
constexpr std::string_view kVertex = R"(
layout(location = 0) in vec3 center;
layout(location = 1) in float value;
uniform vec4 own;       // linear RGB, radius [m]
uniform float variety;  // of grains
uniform int first;      // of the range
flat out vec4 sphere;
#ifdef CUT
uniform int onlyCut;
flat out float cut;  // radius of the disc that a section shows of it, 0: none [m]
#endif
flat out uint id;
out vec3 q;
#ifdef SHADE
layout(binding = 5) uniform sampler2D maps;
uniform vec4 scale;  // low, per unit, which of the maps, 1 where mapped
flat out vec3 color;

vec3 mapped() {
  int places = textureSize(maps, 0).x;
  float t = (value - scale.x) * scale.y;
  int place = t > 0.0 ? int(min(t, 1.0) * float(places - 1) + 0.5) : 0;  // of NaN the lowest
  return texelFetch(maps, ivec2(place, int(scale.z)), 0).rgb;
}
#endif

// Evenly spread over [-1, 1], always the same for a particle.
float variation(uint particle) {
  uint h = particle * 0x9E3779B9u;
  h = (h ^ h >> 15) * 0x85EBCA6Bu;
  h ^= h >> 13;
  return float(h & 0xFFFFu) / 32767.5 - 1.0;
}

void main() {
  uint particle = uint(first + gl_InstanceID);
  float r = own.w * (1.0 + variety * variation(particle));
#ifdef CUT
  // Discs of 0.92 spacings, the radius being 0.54: of a lattice cut anywhere they leave hardly a gap.
  float apart = kept(center), reach = r * 1.7;
  cut = sqrt(max(reach * reach - apart * apart, 0.0));
  float outer = cut > 0.0 ? reach : r;
#else
  float outer = r;
#endif
  vec3 toEye = eye.xyz;
  float size = outer;
  if (eye.w == 0.0) {
    toEye = eye.xyz - center;
    float d = length(toEye);
    toEye /= d;
    size = (d - outer) * outer / sqrt(max(d * d - outer * outer, 1e-12));
  }
  vec3 side = normalize(cross(toEye, abs(toEye.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec2 corner = 1.06 * (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0);
  q = center + toEye * outer + size * (corner.x * side + corner.y * cross(toEye, side));
#ifdef CUT
  sphere = vec4(center, onlyCut == 1 ? 1e-6 * r : r);
#else
  sphere = vec4(center, r);
  gl_ClipDistance[0] = 1.0;
#endif
#ifdef SHADE
  color = scale.w == 1.0 ? mapped() : own.rgb * (1.0 + variety * variation(~particle));
#endif
  id = particle;
#ifdef CUT
  gl_ClipDistance[0] = onlyCut == 1 ? cut - 1e-9 : apart + outer;  // the rest is up to the fragments
#endif
  gl_Position = clipFromWorld * vec4(q, 1.0);
}
)";

constexpr std::string_view kFragment = R"(
flat in vec4 sphere;
#ifdef CUT
flat in float cut;
#endif
#ifdef SHADE
flat in vec3 color;
#endif
flat in uint id;
in vec3 q;
#ifdef SHADE
uniform vec4 scale;  // w: 1 where mapped
#endif
layout(depth_greater) out float gl_FragDepth;
#ifdef ID
layout(location = 0) out uint pixel;
uniform int firstId;  // of particle 0
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
  vec3 n = nearest / sphere.w - ray * sqrt(max(1.0 - b2, 0.0));
  n = normalize(n);
  vec3 p = sphere.xyz + sphere.w * n, deep = p;
#ifdef CUT
  bool inside = false;  // seen through a section
#endif
#ifdef CUT
  // The ray meets the plane before what is kept of the particle; there a section shows the disc that it cuts
  // out. The nearer centre wins: they part the plane into cells.
  float into = dot(section.xyz, ray);
  vec3 flatP = q - ray * (kept(q) / (into > 0.0 ? into : 1.0)), off = flatP - sphere.xyz;
  float reach2 = cut * cut + kept(sphere.xyz) * kept(sphere.xyz);
  if (cut > 0.0 && into > 0.0 && dot(off, off) < reach2) {
    inside = true;
    coverage = 1.0;
    p = flatP;
    deep = p + ray * (0.004 * dot(off, off) / sqrt(reach2));
  } else if (kept(p) < 0.0) {
    coverage = 0.0;
  }
#endif
  if (coverage <= 0.0) discard;
  vec4 clip = clipFromWorld * vec4(deep, 1.0);
  float depth = gl_DepthRange.near + gl_DepthRange.diff * (0.5 * clip.z / clip.w + 0.5);
  gl_FragDepth = clamp(depth, gl_FragCoord.z, 1.0);
#ifdef SHADE
#ifdef CUT
  if (inside) {  // a diagram more than a picture: the colour of the bar
    pixel = vec4(emission(color.r), emission(color.g), emission(color.b), 1.0);
    return;
  }
#endif
  vec2 seen = visibility(p, n);
  if (scale.w == 1.0) {
    pixel = vec4(dataLight(color, p, n, seen), coverage);
    return;
  }
  float rim = max(dot(n, -ray), 0.0);
  seen.x *= mix(0.55, 1.0, smoothstep(0.0, 0.75, rim));
  pixel = vec4(light(color, 0.72, p, n, seen), coverage);
#elif defined(ID)
  pixel = uint(firstId) + id;
#ifdef CUT
  if (inside) n = -section.xyz;
#endif
  tell(p, n);
#else
  pixel = vec4(1.0);
#endif
}
)";

constexpr GLuint kCenters = 0, kValues = 1;  // bindings and locations
constexpr GLuint kMapsUnit = 5;

/// One map per ColorRow.
Texture mapTexture() {
  const auto size = static_cast<GLsizei>(colorTable(ColorRow::Ember).size());
  Texture maps = makeTexture(GL_RGB32F, size, kColorRows);
  for (int row = 0; row < kColorRows; ++row)
    glTextureSubImage2D(maps.name(), 0, 0, row, size, 1, GL_RGB, GL_FLOAT,
                        colorTable(static_cast<ColorRow>(row)).data());
  return maps;
}

}  // namespace

/// What a source fills. Keeps its size: a device knows the buffer by its storage.
class Spheres::Columns final : public DrawBuffer {
 public:
  explicit Columns(std::size_t bytes) : buffer_(makeBuffer()), bytes_(bytes) {
    glNamedBufferData(buffer_.name(), static_cast<GLsizeiptr>(bytes), nullptr, GL_STREAM_DRAW);
  }
  ~Columns() override { registration.reset(); }

  std::size_t bytes() const { return bytes_; }
  unsigned glName() const override { return buffer_.name(); }
  void write(const void* data, std::size_t bytes) override {
    glNamedBufferSubData(buffer_.name(), 0, static_cast<GLsizeiptr>(bytes), data);
  }

 private:
  Buffer buffer_;
  std::size_t bytes_;
};

Spheres::Spheres() = default;
Spheres::Spheres(Spheres&&) noexcept = default;
Spheres& Spheres::operator=(Spheres&&) noexcept = default;
Spheres::~Spheres() = default;

Result<Spheres> Spheres::create() {
  Spheres s;
  Result<void> status;
  const std::string cut = "#define CUT\n";
  for (const Pass pass : {Pass::Shade, Pass::Depth, Pass::Id}) {
    const auto p = static_cast<std::size_t>(pass);
    make(s.programs_[p], Program::create("sphere", kVertex, kFragment, pass), status);
    make(s.cutPrograms_[p],
         Program::create("cut sphere", cut + std::string(kVertex), cut + std::string(kFragment), pass),
         status);
  }
  if (!status.ok()) return status.error();
  s.array_ = makeVertexArray();
  s.centers_ = makeBuffer();
  s.values_ = makeBuffer();
  bindAttributes(s.array_, kCenters, s.centers_, sizeof(Eigen::Vector3f), 1, {{kCenters, 3, 0}});
  bindAttributes(s.array_, kValues, s.values_, sizeof(float), 1, {{kValues, 1, 0}});
  s.maps_ = mapTexture();
  return s;
}

void Spheres::update(const std::vector<Eigen::Vector3f>& centers, const std::vector<float>& values) {
  SIM_REQUIRE(values.empty() || centers.size() == values.size(), centers.size(), values.size());
  upload(centers_, centers);
  upload(values_, values);
  readFrom(centers_.name(), values_.name(), 0, !values.empty());
}

bool Spheres::update(const ParticleSource& source, std::size_t particles, ParticleColumns::Column values) {
  const std::size_t bytes = ParticleColumns::floats(particles) * sizeof(float);
  if (!columns_ || columns_->bytes() != bytes) columns_ = std::make_unique<Columns>(bytes);
  if (!source.copyTo(*columns_)) return false;
  const std::size_t column = ParticleColumns::first(values, particles) * sizeof(float);
  readFrom(columns_->glName(), columns_->glName(), static_cast<GLintptr>(column), true);
  return true;
}

void Spheres::readFrom(GLuint centers, GLuint values, GLintptr firstValue, bool hasValues) {
  glVertexArrayVertexBuffer(array_.name(), kCenters, centers, 0, sizeof(Eigen::Vector3f));
  glVertexArrayVertexBuffer(array_.name(), kValues, values, firstValue, sizeof(float));
  // Without an array every particle reads the same number, and nobody looks at it.
  const auto set = hasValues ? glEnableVertexArrayAttrib : glDisableVertexArrayAttrib;
  set(array_.name(), kValues);
}

void Spheres::draw(Pass pass, const SphereRange& range, const ColorScale& scale, bool cut) const {
  if (range.count <= 0) return;
  const Program& program = (cut ? cutPrograms_ : programs_)[static_cast<std::size_t>(pass)];
  program.set("own", append(range.color, range.radius));
  program.set("variety", range.variety);
  program.set("first", range.first);
  program.set("onlyCut", range.onlyCut ? 1 : 0);
  if (pass == Pass::Id) program.set("firstId", static_cast<int>(PickId{PickKind::Particle, 0}.encode()));
  if (pass == Pass::Shade) {
    program.set("scale", Eigen::Vector4f(scale.low, scale.perUnit, static_cast<float>(scale.row()),
                                         range.mapped ? 1.f : 0.f));
    glBindTextureUnit(kMapsUnit, maps_.name());
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    // Coverage alone: the picture stays opaque, or a light window would shine through the edges.
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
  }
  program.use();
  glBindVertexArray(array_.name());
  glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, range.count, static_cast<GLuint>(range.first));
  glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

}  // namespace slipstick::render

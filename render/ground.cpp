#include "render/ground.h"

#include "render/full_screen.h"
#include "render/pick_id.h"

namespace slipstick::render {
namespace {

constexpr std::string_view kFloorVertex = R"(
uniform float height;
out vec3 p;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  p = vec3(target.xy + corner * 40.0 * target.w, height);
  gl_ClipDistance[0] = 1.0;
  gl_Position = clipFromWorld * vec4(p, 1.0);
}
)";

// The backdrop's light by direction: lighter at the horizon, dark above; paper white for figures. Mixed as
// square roots, which the eye finds even.
constexpr std::string_view kBackdrop = R"(
vec3 backdrop(vec2 at) {
  if (mode.x > 0.75) return vec3(kWhite);
  if (mode.x > 0.25) {
    vec3 c = mix(vec3(0.845, 0.858, 0.872), vec3(0.640, 0.668, 0.700), smoothstep(0.35, 1.05, at.y));
    return vec3(emission(c.r), emission(c.g), emission(c.b));
  }
  vec3 top = vec3(0.0840, 0.0894, 0.1010), horizon = vec3(0.1446, 0.1523, 0.1667);
  vec3 c = mix(horizon, top, smoothstep(0.35, 1.05, at.y));
  float vignette = length((at - vec2(0.5, 0.55)) * vec2(1.0, 0.8));
  c *= 1.08 - 0.28 * vignette;
  return c * c;
}
)";

constexpr std::string_view kFloorFragment = R"(
in vec3 p;
#ifdef SHADE
layout(location = 0) out vec4 pixel;

float line(vec2 at, float spacing, float width) {
  vec2 g = at / spacing;
  vec2 w = fwidth(g);
  vec2 d = abs(fract(g - 0.5) - 0.5) / w;
  vec2 a = clamp(width - d + 0.5, 0.0, 1.0) * clamp(1.0 - 3.0 * w, 0.0, 1.0);
  return max(a.x, a.y);
}

void main() {
  float away = length(p.xy - target.xy) / target.w;
  float fade = 1.0 - smoothstep(0.8, 4.5, away);
  if (fade <= 0.0) discard;
  vec2 seen = visibility(p, vec3(0.0, 0.0, 1.0));
  float grid = max(0.55 * line(p.xy, 0.1, 0.5), line(p.xy, 1.0, 0.8));
  if (mode.w == 1.0) {  // no floor: what is missing of the light on white paper, as translucent black
    float left = mix(1.0, 1.0 - 0.27 * (1.0 - seen.y) - 0.3 * (1.0 - seen.x), fade);
    float shown = left * left * (0.82 + 0.18 * left);
    pixel = vec4(0.0, 0.0, 0.0, 1.0 - (1.055 * pow(shown, 1.0 / 2.4) - 0.055));
    return;
  }
  if (mode.x > 0.25) {  // paper: it has no light but what shadows leave
    float lit = 1.0 - 0.27 * (1.0 - seen.y) - 0.3 * (1.0 - seen.x);
    bool white = mode.x > 0.75;
    lit = white ? mix(1.0, lit, fade) : lit;
    float shown = lit * lit * (0.82 + 0.18 * lit);
    vec3 c = shown * (white ? vec3(1.0) : vec3(0.745, 0.756, 0.770) * (1.0 - 0.10 * grid));
    c = vec3(emission(c.r), emission(c.g), emission(c.b));
    pixel = vec4(white ? c : mix(backdrop(gl_FragCoord.xy * viewport.zw), c, fade), 1.0);
    return;
  }
  vec3 albedo = vec3(0.0625, 0.0642, 0.0680);
  albedo *= 1.0 - 0.22 * grid;
  vec3 irradiance = ambientLight(1.0) * seen.x + keyLight * key.z * seen.y + 0.16;
  vec3 c = albedo * irradiance;
  pixel = vec4(mix(backdrop(gl_FragCoord.xy * viewport.zw), c, fade), 1.0);
}
#elif defined(ID)
layout(location = 0) out uint pixel;
uniform int pickId;
void main() {
  pixel = uint(pickId);
  tell(p, vec3(0.0, 0.0, 1.0));
}
#else
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(1.0); }
#endif
)";

constexpr std::string_view kBackgroundFragment = R"(
in vec2 uv;
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(backdrop(uv), 1.0); }
)";

}  // namespace

Result<Ground> Ground::create() {
  Ground g;
  Result<void> status;
  const std::string floor = std::string(kBackdrop) + std::string(kFloorFragment);
  for (const Pass pass : {Pass::Shade, Pass::Depth, Pass::Id})
    make(g.floor_[static_cast<std::size_t>(pass)], Program::create("floor", kFloorVertex, floor, pass),
         status);
  make(g.background_,
       Program::create("background", kFullScreenVertex,
                       std::string(kBackdrop) + std::string(kBackgroundFragment)),
       status);
  if (!status.ok()) return status.error();
  g.empty_ = makeVertexArray();
  return g;
}

void Ground::setModel(const Model& model) {
  height_ = static_cast<float>(model.groundHeight);
}

void Ground::update(const Picture& picture) {
  shown_ = picture.options.ground && picture.model.showGround;
  transparent_ = picture.options.transparentBackground;
}

void Ground::draw(Stage stage, Pass pass) const {
  if (stage == Stage::Unpicked) {
    if (shown_) drawFloor(pass);
    return;
  }
  if (transparent_ && pass == Pass::Shade) {
    if (stage == Stage::Transparent && shown_) drawShadows();
    return;
  }
  if (stage != Stage::Opaque || pass == Pass::Id) return;
  if (shown_) drawFloor(pass);
  if (pass == Pass::Depth) return;
  glDepthFunc(GL_LEQUAL);
  background_.use();
  glBindVertexArray(empty_.name());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthFunc(GL_LESS);
}

/// In place of what is under it, which a floor hides even where one does not see it.
void Ground::drawShadows() const {
  glDisable(GL_BLEND);
  drawFloor(Pass::Shade);
  glEnable(GL_BLEND);
}

void Ground::drawFloor(Pass pass) const {
  const Program& program = floor_[static_cast<std::size_t>(pass)];
  program.set("height", height_);
  if (pass == Pass::Id) program.set("pickId", static_cast<int>(PickId{PickKind::Ground, 0}.encode()));
  program.use();
  glBindVertexArray(empty_.name());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace slipstick::render

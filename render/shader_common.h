// What every shader shares: the uniform block of a view, and the studio's light.
#pragma once

#include <Eigen/Core>
#include <string_view>

namespace slipstick::render {

/// The uniform block `View` as std140 lays it out; binding 0.
struct ViewBlock {
  Eigen::Matrix4f viewFromWorld = Eigen::Matrix4f::Identity();
  Eigen::Matrix4f clipFromView = Eigen::Matrix4f::Identity();
  Eigen::Matrix4f clipFromWorld = Eigen::Matrix4f::Identity();
  Eigen::Matrix4f shadowFromWorld = Eigen::Matrix4f::Identity();  ///< to [0,1]³ of the shadow map
  Eigen::Vector4f eye =
      Eigen::Vector4f::Zero();  ///< xyz [m], w: 1 for a parallel projection (eye = direction)
  Eigen::Vector4f viewport = Eigen::Vector4f::Ones();  ///< width, height, and their inverses [px]
  Eigen::Vector4f key = Eigen::Vector4f::UnitZ();      ///< direction to the key light in W; w unused
  Eigen::Vector4f fill = Eigen::Vector4f::UnitZ();     ///< direction to the fill light, beside the camera
  Eigen::Vector4f rim = Eigen::Vector4f::UnitZ();      ///< direction to the rim light, behind the scene
  Eigen::Vector4f shadow = Eigen::Vector4f::Zero();    ///< texel [m], 1/size, softness [texels], –
  Eigen::Vector4f target = Eigen::Vector4f::Zero();  ///< xyz what the camera looks at [m], w its distance [m]
  /// Backdrop (0 dark, ½ light, 1 white), metres per pixel at distance 1, ratio, 1 without a background
  Eigen::Vector4f mode = Eigen::Vector4f::Zero();
  /// What is kept of a section: xyz · p + w ≥ 0.
  Eigen::Vector4f section = Eigen::Vector4f::UnitW();
  /// Two radii within which surroundings darken [m]; 1 where they do; 1 where shadows have soft edges.
  Eigen::Vector4f occlusion = Eigen::Vector4f::Zero();
};

inline constexpr std::string_view kShaderCommon = R"(
layout(std140, binding = 0) uniform View {
  mat4 viewFromWorld, clipFromView, clipFromWorld, shadowFromWorld;
  vec4 eye, viewport, key, fill, rim, shadow, target, mode, section, occlusion;
};

// Distance along the view; the eye of a parallel projection counts as near as that of a perspective.
float depthOf(float viewZ) {
  return clipFromView[3][3] == 1.0 ? target.w - viewZ - length(eye.xyz - target.xyz) : -viewZ;
}

// For gl_ClipDistance[0]: below 0 where a section cuts p away.
float kept(vec3 p) { return dot(section.xyz, p) + section.w; }
)";

/// Shading of one surface point under three soft lights, with Schlick's Fresnel term and the GGX distribution
/// for the key, and a room of soft boxes, blurred by roughness, for reflections. Light has no upper end; the
/// tone curve, which leaves mid-tones alone, comes last. Colours that mean numbers have a light of their own.
inline constexpr std::string_view kShaderLighting = R"(
#ifdef ID
// What there is to know of a surface: its unit normal in W on the side of the eye, its distance along the view.
layout(location = 1) out vec4 surface;
void tell(vec3 p, vec3 n) { surface = vec4(n, depthOf((viewFromWorld * vec4(p, 1.0)).z)); }

// The same of triangles: the side that one sees is that of the face, whatever their smooth normal.
void tellFace(vec3 p, vec3 n) {
  vec3 face = cross(dFdx(p), dFdy(p));
  if (dot(face, eye.xyz - p) < 0.0) face = -face;
  vec3 m = dot(n, n) > 0.0 ? n : face;
  tell(p, normalize(dot(m, face) < 0.0 ? -m : m));
}
#endif

const float kWhite = 4.0;  // the light that the tone curve takes to white

// Mid-tones as they are, a soft shoulder above.
vec3 toneMap(vec3 c) {
  vec3 x = max(c - 0.62, 0.0);
  return min(min(c, 0.62) + x / (1.0 + 2.3357 * x), 1.0);
}

// The light that the tone curve takes to a shown brightness, 0 to 1.
float emission(float shown) {
  float x = clamp(shown - 0.62, 0.0, 0.38);
  return min(shown, 0.62) + x / (1.0 - 2.3357 * x);
}

#ifdef SHADE
// R: openness to the surroundings, G: visibility of the key light, B: distance along the view, at half
// resolution.
layout(binding = 0) uniform sampler2D visibilityMap;

// Only what lies on the same surface counts, by its depth: nothing bleeds across silhouettes.
vec2 visibility(vec3 p, vec3 n) {
  float z = depthOf((viewFromWorld * vec4(p, 1.0)).z);
  vec3 v = eye.xyz - p;
  float slope = abs(dot(n, v)) / (length(v) * max(length(n), 1e-6));
  float sharpness = 0.5 / (z * (0.002 + 2.5 * mode.y / max(slope, 0.1)));
  vec2 at = gl_FragCoord.xy * 0.5 - 0.5;
  ivec2 last = textureSize(visibilityMap, 0) - 1, low = clamp(ivec2(floor(at)), ivec2(0), last);
  ivec2 high = min(low + 1, last);
  vec2 b = clamp(at - vec2(low), 0.02, 0.98), a = 1.0 - b;
  vec3 t0 = texelFetch(visibilityMap, low, 0).rgb, t1 = texelFetch(visibilityMap, ivec2(high.x, low.y), 0).rgb;
  vec3 t2 = texelFetch(visibilityMap, ivec2(low.x, high.y), 0).rgb, t3 = texelFetch(visibilityMap, high, 0).rgb;
  vec4 off = (vec4(t0.b, t1.b, t2.b, t3.b) - z) * sharpness;
  vec4 w = vec4(a.x * a.y, b.x * a.y, a.x * b.y, b.x * b.y) * max(1.0 - off * off, 0.003);
  return (t0.rg * w.x + t1.rg * w.y + t2.rg * w.z + t3.rg * w.w) / (w.x + w.y + w.z + w.w);
}

// The light of a soft box, `edge` the cosine of half its size; a rough surface sees it wider and dimmer.
float softBox(float cosine, float edge, float soft, float blur) {
  float wide = soft + 0.9 * blur;
  return smoothstep(edge - wide, edge + wide, cosine) * (1.0 - 0.45 * blur);
}

// A dark room with a soft box for each light and one overhead, as a surface of this roughness mirrors it.
vec3 studio(vec3 r, float roughness) {
  float up = r.z, blur = roughness * roughness;
  vec3 c = mix(vec3(0.10, 0.10, 0.105), vec3(0.22, 0.23, 0.25), smoothstep(-0.5 - 0.5 * blur, 0.3 + 0.7 * blur, up));
  c += vec3(0.85, 0.83, 0.80) * softBox(dot(r, key.xyz), 0.825, 0.105, blur);
  c += vec3(0.30, 0.33, 0.38) * softBox(up, 0.885, 0.085, blur);
  c += vec3(0.30, 0.31, 0.33) * softBox(dot(r, fill.xyz), 0.90, 0.06, blur);
  c += vec3(0.34, 0.36, 0.40) * softBox(dot(r, rim.xyz), 0.88, 0.07, blur);
  return c;
}

// @param nh2  squared cosine between normal and half vector
float specularGgx(float nh2, float roughness) {
  float a2 = roughness * roughness * roughness * roughness;
  float d = nh2 * (a2 - 1.0) + 1.0;
  return a2 / (4.0 * d * d + 1e-4);
}

vec3 ambientLight(float up) { return mix(vec3(0.13, 0.127, 0.123), vec3(0.33, 0.34, 0.36), up * 0.5 + 0.5); }
const vec3 keyLight = vec3(0.84, 0.81, 0.765);

// @param finish  roughness, metallic
// @param seen  openness, visibility of the key light
vec3 light(vec3 albedo, vec2 finish, vec3 p, vec3 n, vec2 seen) {
  vec3 v = normalize(eye.xyz - p);
  float nv = dot(n, v), roughness = finish.x, metallic = finish.y;
  n *= sign(nv);
  nv = abs(nv);
  float ndk = max(dot(n, key.xyz), 0.0);
  float occlusion = seen.x, visible = seen.y;
  vec3 irradiance = ambientLight(n.z) * occlusion + keyLight * (ndk * visible) +
                    vec3(0.20, 0.205, 0.22) * (max(dot(n, fill.xyz) * 0.8 + 0.2, 0.0) * (0.7 + 0.3 * occlusion)) +
                    vec3(0.17, 0.18, 0.20) * (max(dot(n, rim.xyz), 0.0) * occlusion);
  // Metal has no colour but that of what it mirrors; its room is brighter, for nothing else lights it.
  vec3 f0 = mix(vec3(0.04), albedo, metallic);
  float m = 1.0 - nv, m2 = m * m;
  vec3 fresnel = f0 + (1.0 - f0) * (m2 * m2 * m * (1.0 - roughness));
  vec3 reflected = studio(reflect(-v, n), roughness) * fresnel *
                   (occlusion * (0.5 + 0.5 * visible) * mix(1.4 - roughness, 1.6, metallic));
  float nh2 = dot(n, key.xyz + v);
  nh2 = nh2 * nh2 / (2.0 + 2.0 * dot(key.xyz, v) + 1e-4);
  vec3 glint = f0 * vec3(1.125, 1.09, 1.045) * (specularGgx(nh2, max(roughness, 0.12)) * ndk * visible);
  return albedo * irradiance * (1.0 - metallic) + reflected + glint;
}

vec3 light(vec3 albedo, float roughness, vec3 p, vec3 n, vec2 seen) {
  return light(albedo, vec2(roughness, 0.0), p, n, seen);
}

// A colour that means a number: exactly that of the bar where an open surface faces the eye, elsewhere the same
// hue darker, for the shape. No light of another colour, nothing brighter.
vec3 dataLight(vec3 color, vec3 p, vec3 n, vec2 seen) {
  float facing = abs(dot(n, normalize(eye.xyz - p)));
  float shape = mix(0.45, 1.0, smoothstep(0.0, 0.7, facing)) * mix(0.6, 1.0, smoothstep(0.1, 0.6, seen.x)) *
                mix(0.82, 1.0, smoothstep(0.0, 0.9, seen.y));
  return vec3(emission(shape * color.r), emission(shape * color.g), emission(shape * color.b));
}
#endif
)";

}  // namespace slipstick::render

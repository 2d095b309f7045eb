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
  Eigen::Vector4f key = Eigen::Vector4f::UnitZ();      ///< direction to the key light in W; w: shadows on
  Eigen::Vector4f shadow =
      Eigen::Vector4f::Zero();  ///< texel [m], 1/size, softness [texels], ambient occlusion on
  Eigen::Vector4f target = Eigen::Vector4f::Zero();  ///< xyz what the camera looks at [m], w its distance [m]
  Eigen::Vector4f mode =
      Eigen::Vector4f::Zero();  ///< white background, metres per pixel at distance 1, ratio, –
};

inline constexpr std::string_view kShaderCommon = R"(
layout(std140, binding = 0) uniform View {
  mat4 viewFromWorld, clipFromView, clipFromWorld, shadowFromWorld;
  vec4 eye, viewport, key, shadow, target, mode;
};
)";

/// Shading of one surface point under three soft lights, with Schlick's Fresnel term and the GGX distribution
/// for the key, a painted studio for reflections, and a tone curve that leaves mid-tones alone, so that the
/// colours of the scalar map mean on a sphere what they mean in the colour bar.
inline constexpr std::string_view kShaderLighting = R"(
#ifdef SHADE
layout(binding = 0) uniform sampler2DShadow shadowMap;
layout(binding = 1) uniform sampler2D occlusionMap;

float shadowTap(vec3 s, vec2 offset) {
  return texture(shadowMap, vec3(s.xy + offset * shadow.y * shadow.z, s.z));
}

// Four outer taps decide most pixels; only the penumbra pays for the rest.
float keyVisibility(vec3 p, vec3 n) {
  if (key.w == 0.0) return 1.0;
  float slope = 1.0 - max(dot(n, key.xyz), 0.0);
  vec3 s = (shadowFromWorld * vec4(p + n * shadow.x * (1.0 + 2.0 * slope), 1.0)).xyz;
  if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
  float outer = shadowTap(s, vec2(-1.9, -0.7)) + shadowTap(s, vec2(0.7, -1.9)) + shadowTap(s, vec2(1.9, 0.7)) +
                shadowTap(s, vec2(-0.7, 1.9));
  if (outer < 0.001 || outer > 3.999) return outer * 0.25;
  float inner = shadowTap(s, vec2(-0.45, -0.45)) + shadowTap(s, vec2(0.45, -0.45)) + shadowTap(s, vec2(0.45, 0.45)) +
                shadowTap(s, vec2(-0.45, 0.45)) + shadowTap(s, vec2(-1.35, 0.55)) + shadowTap(s, vec2(1.35, -0.55)) +
                shadowTap(s, vec2(0.55, 1.35)) + shadowTap(s, vec2(-0.55, -1.35));
  return (outer + inner) / 12.0;
}

// R: openness of the half-resolution depth under this pixel.
float openness() {
  return shadow.w == 0.0 ? 1.0 : texture(occlusionMap, gl_FragCoord.xy * viewport.zw).r;
}

vec3 studio(vec3 r) {
  float up = r.z;
  vec3 c = mix(vec3(0.10, 0.10, 0.105), vec3(0.22, 0.23, 0.25), smoothstep(-0.5, 0.3, up));
  c += vec3(0.85, 0.83, 0.80) * smoothstep(0.72, 0.93, dot(r, key.xyz));
  c += vec3(0.30, 0.33, 0.38) * smoothstep(0.80, 0.97, up);
  return c;
}

float specularGgx(float nh, float roughness) {
  float a2 = roughness * roughness * roughness * roughness;
  float d = nh * nh * (a2 - 1.0) + 1.0;
  return a2 / (4.0 * d * d + 1e-4);
}

vec3 toneMap(vec3 c) {
  vec3 soft = 0.62 + 0.38 * (1.0 - exp(-(c - 0.62) / 0.38));
  return mix(c, soft, step(0.62, c));
}

vec3 display(vec3 linearColor) {
  vec3 c = toneMap(max(linearColor, 0.0));
  return mix(c * 12.92, 1.055 * pow(max(c, 1e-5), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

vec3 light(vec3 albedo, float roughness, vec3 p, vec3 n, float occlusion) {
  vec3 v = normalize(eye.xyz - p);
  float nv = dot(n, v);
  if (nv < 0.0) { n = -n; nv = -nv; }
  vec3 side = normalize(cross(v, vec3(0.0, 0.0, 1.0)) + vec3(1e-4));
  vec3 fillDirection = normalize(v + 0.9 * side + vec3(0.0, 0.0, 0.35));
  vec3 rimDirection = normalize(-v - 0.7 * side + vec3(0.0, 0.0, 0.9));
  float ndk = max(dot(n, key.xyz), 0.0);
  float visible = ndk > 0.0 ? keyVisibility(p, n) : 0.0;
  vec3 ambient = mix(vec3(0.15, 0.145, 0.14), vec3(0.34, 0.35, 0.37), n.z * 0.5 + 0.5) * occlusion;
  vec3 irradiance = ambient + vec3(0.78, 0.755, 0.72) * ndk * visible +
                    vec3(0.15, 0.155, 0.17) * max(dot(n, fillDirection) * 0.8 + 0.2, 0.0) * mix(occlusion, 1.0, 0.3) +
                    vec3(0.16, 0.17, 0.19) * max(dot(n, rimDirection), 0.0) * occlusion;
  vec3 h = normalize(key.xyz + v);
  float fresnel = 0.04 + 0.96 * pow(1.0 - nv, 5.0) * (1.0 - roughness);
  vec3 reflected = studio(reflect(-v, n)) * fresnel * occlusion * mix(0.5, 1.0, visible) * (1.4 - roughness);
  float highlight = specularGgx(max(dot(n, h), 0.0), roughness) * 0.045 * ndk * visible;
  return albedo * irradiance + reflected + vec3(1.0, 0.97, 0.93) * highlight;
}
#endif
)";

}  // namespace slipstick::render

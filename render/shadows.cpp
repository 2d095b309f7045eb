#include "render/shadows.h"

#include <algorithm>
#include <cmath>

#include "render/palette.h"

namespace slipstick::render {
namespace {

/// Rotation whose rows are the light's right, up and back (towards the light).
Eigen::Matrix3f lightAxes(const Eigen::Vector3f& toLight) {
  const Eigen::Vector3f right = Eigen::Vector3f::UnitZ().cross(toLight).normalized();
  Eigen::Matrix3f R;
  R << right.transpose(), toLight.cross(right).transpose(), toLight.transpose();
  return R;
}

}  // namespace

ShadowMap::ShadowMap(int size) : size_(size) {
  depth_ = makeTexture(GL_DEPTH_COMPONENT24, size, size, GL_LINEAR);
  glTextureParameteri(depth_.name(), GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTextureParameteri(depth_.name(), GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  framebuffer_ = makeFramebuffer();
  glNamedFramebufferTexture(framebuffer_.name(), GL_DEPTH_ATTACHMENT, depth_.name(), 0);
  glNamedFramebufferDrawBuffer(framebuffer_.name(), GL_NONE);
}

ViewBlock ShadowMap::fit(const Eigen::AlignedBox3f& casters, const Eigen::Vector3f& toLight,
                         ViewBlock& camera) const {
  const Eigen::Matrix3f R = lightAxes(toLight);
  Eigen::AlignedBox3f box;
  for (int i = 0; i < 8; ++i) box.extend(R * casters.corner(static_cast<Eigen::AlignedBox3f::CornerType>(i)));
  // Steps of an eighth keep the texels still while things move inside.
  const float extent = 1.04f * std::max({box.sizes().x(), box.sizes().y(), 1e-3f});
  const float step = std::exp2(std::floor(std::log2(extent)) - 3);
  const float side = std::ceil(extent / step) * step;
  const float texel = side / static_cast<float>(size_);
  const Eigen::Vector3f center = (box.center() / texel).array().round().matrix() * texel;
  const float depth = box.sizes().z() + 4 * step;

  Eigen::Matrix4f fromWorld = Eigen::Matrix4f::Identity();
  fromWorld.topLeftCorner<3, 3>() = R;
  fromWorld.topRightCorner<3, 1>() = -center;
  Eigen::Matrix4f scale = Eigen::Matrix4f::Identity();
  scale.diagonal() << 2 / side, 2 / side, -2 / depth, 1;

  ViewBlock light;
  light.clipFromWorld = scale * fromWorld;
  light.eye = append(toLight, 1);
  Eigen::Matrix4f toTexture = Eigen::Matrix4f::Identity();
  toTexture.diagonal().head<3>().setConstant(0.5f);
  toTexture.topRightCorner<3, 1>().setConstant(0.5f);
  camera.shadowFromWorld = toTexture * light.clipFromWorld;
  camera.shadow.x() = texel;
  camera.shadow.y() = 1.f / static_cast<float>(size_);
  return light;
}

void ShadowMap::begin() const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
  glViewport(0, 0, size_, size_);
  glClear(GL_DEPTH_BUFFER_BIT);
}

}  // namespace slipstick::render

#include "render/surface_textures.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "render/driver.h"

namespace slipstick::render {
namespace {

constexpr float kMaxAnisotropy = 8;

/// One texel.
Texture plain(const std::array<std::uint8_t, 3>& rgb) {
  Texture texture = makeTexture(GL_RGBA8, 1, 1);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(texture.name(), 0, 0, 0, 1, 1, GL_RGB, GL_UNSIGNED_BYTE, rgb.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  return texture;
}

/// With all its smaller sizes, of colours in the mean of their light. A software driver would pay for
/// anisotropy at every fragment.
Texture upload(const TextureImage& image) {
  GLuint name = 0;
  glCreateTextures(GL_TEXTURE_2D, 1, &name);
  Texture texture(name);
  const auto side = static_cast<unsigned>(std::max(image.width, image.height));
  glTextureStorage2D(name, std::bit_width(side), image.srgb ? GL_SRGB8_ALPHA8 : GL_RGBA8, image.width,
                     image.height);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(name, 0, 0, 0, image.width, image.height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glGenerateTextureMipmap(name);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_REPEAT);
  glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_REPEAT);
  if (!drawsInSoftware() && epoxy_has_gl_extension("GL_EXT_texture_filter_anisotropic")) {
    float most = 1;
    glGetFloatv(GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, &most);
    glTextureParameterf(name, GL_TEXTURE_MAX_ANISOTROPY_EXT, std::min(most, kMaxAnisotropy));
  }
  return texture;
}

}  // namespace

SurfaceTextures::SurfaceTextures() : white_(plain({255, 255, 255})), flat_(plain({128, 128, 255})) {}

void SurfaceTextures::beginList() {
  before_ = std::move(images_);
  images_.clear();
  list_.clear();
  names_.clear();
}

GLuint SurfaceTextures::nameOf(const std::shared_ptr<const TextureImage>& image, const Texture& otherwise) {
  if (!image) return otherwise.name();
  const auto known = images_.find(image);
  if (known != images_.end()) return known->second.name();
  const auto kept = before_.find(image);
  Texture texture = kept == before_.end() ? upload(*image) : std::move(kept->second);
  if (kept != before_.end()) before_.erase(kept);
  return images_.emplace(image, std::move(texture)).first->second.name();
}

int SurfaceTextures::add(const SurfaceMaps& maps) {
  const auto known = std::find(list_.begin(), list_.end(), maps);
  if (known != list_.end()) return static_cast<int>(known - list_.begin());
  list_.push_back(maps);
  names_.push_back({nameOf(maps.color, white_), nameOf(maps.finish, white_), nameOf(maps.normal, flat_)});
  return static_cast<int>(list_.size()) - 1;
}

void SurfaceTextures::endList() {
  before_.clear();
}

void SurfaceTextures::bind(int maps) const {
  const Names& names = names_[static_cast<std::size_t>(maps)];
  glBindTextureUnit(kSurfaceTextureUnit, names.color);
  glBindTextureUnit(kSurfaceTextureUnit + 1, names.finish);
  glBindTextureUnit(kSurfaceTextureUnit + 2, names.normal);
}

}  // namespace slipstick::render

#include "assets/image_io.h"

#include <stb_image.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "assets/file_log.h"
#include "assets/image_checks.h"
#include "assets/limits.h"
#include "assets/shipped.h"
#include "engine/foundation/guarded.h"
#include "engine/foundation/srgb.h"

namespace slipstick::assets {
namespace fs = std::filesystem;
namespace {

int keptSide(ImageUse use) {
  return use == ImageUse::Color ? limits::kImageKeptColor : limits::kImageKeptData;
}

/// The mean of each 2 × 2 texels; of colours that of their light. A side of one texel stays.
void halve(TextureImage& image) {
  static const auto light = [] {
    std::array<float, 256> values;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = linearFromSrgb(static_cast<float>(i) / 255);
    return values;
  }();
  const int width = std::max(1, image.width / 2), height = std::max(1, image.height / 2);
  const int right = image.width > 1 ? 1 : 0, below = image.height > 1 ? 1 : 0;
  const auto at = [&image](int x, int y) {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
            static_cast<std::size_t>(x)) *
           3;
  };
  std::vector<std::uint8_t> rgb;
  rgb.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int x0 = x << right, y0 = y << below;
      const std::array corners = {at(x0, y0), at(x0 + right, y0), at(x0, y0 + below),
                                  at(x0 + right, y0 + below)};
      for (std::size_t c = 0; c < 3; ++c) {
        const std::array<std::uint8_t, 4> four = {image.rgb[corners[0] + c], image.rgb[corners[1] + c],
                                                  image.rgb[corners[2] + c], image.rgb[corners[3] + c]};
        const int sum = four[0] + four[1] + four[2] + four[3];
        const bool mixed = sum != 4 * four[0];
        rgb.push_back(static_cast<std::uint8_t>(
            image.srgb && mixed ? std::lround(255 * srgbFromLinear((light[four[0]] + light[four[1]] +
                                                                    light[four[2]] + light[four[3]]) /
                                                                   4))
                                : (sum + 2) / 4));
      }
    }
  image.width = width;
  image.height = height;
  image.rgb = std::move(rgb);
}

Result<SharedImage> decode(std::string_view bytes, const std::string& name, ImageUse use) {
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, channels = 0;
  if (Result<void> ok = checkImage(bytes, name); !ok) return ok.error();
  const std::unique_ptr<stbi_uc, void (*)(void*)> rgb(
      stbi_load_from_memory(data, size, &width, &height, &channels, 3), &stbi_image_free);
  // stb_image fills up a JPEG that ends early; a whole one has its end marker.
  const bool cutJpeg = bytes.starts_with("\xff\xd8") && bytes.rfind("\xff\xd9") == std::string_view::npos;
  if (!rgb || cutJpeg)
    return Error{ErrorCode::SyntaxError, "the image is broken or cut off", name,
                 "save it again as PNG or JPEG"};
  auto image = std::make_shared<TextureImage>();
  image->name = name;
  image->width = width;
  image->height = height;
  image->srgb = use == ImageUse::Color;
  image->rgb.assign(rgb.get(),
                    rgb.get() + static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  while (std::max(image->width, image->height) > keptSide(use)) halve(*image);
  return SharedImage(std::move(image));
}

/// Images that somebody holds, by where they are from.
class HeldImages {
 public:
  static HeldImages& shared() {
    static HeldImages images;
    return images;
  }

  /// Two threads that ask at once for what nobody holds both decode it; one of the two images stays.
  Result<SharedImage> get(const std::string& key, const std::function<Result<SharedImage>()>& make) {
    {
      const std::lock_guard lock(mutex_);
      if (SharedImage held = find(key)) return held;
    }
    Result<SharedImage> made = make();
    if (!made) return made;
    const std::lock_guard lock(mutex_);
    if (SharedImage held = find(key)) return held;
    std::erase_if(images_, [](const auto& entry) { return entry.second.expired(); });
    images_[key] = *made;
    return made;
  }

 private:
  SharedImage find(const std::string& key) const {
    const auto found = images_.find(key);
    return found == images_.end() ? nullptr : found->second.lock();
  }

  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const TextureImage>> images_;
};

/// Changes when the file does.
std::string keyOf(const fs::path& file, int index, ImageUse use) {
  std::error_code ignored;
  const auto time = fs::last_write_time(file, ignored).time_since_epoch().count();
  return fs::weakly_canonical(file, ignored).string() + "|" + std::to_string(time) + "|" +
         std::to_string(fs::file_size(file, ignored)) + "|" + std::to_string(index) +
         (use == ImageUse::Color ? "|color" : "|data");
}

}  // namespace

Result<SharedImage> loadImage(const fs::path& file, ImageUse use) {
  Result<SharedImage> image = guarded(ErrorCode::FileUnreadable, file.native(), [&] {
    return HeldImages::shared().get(keyOf(file, -1, use), [&]() -> Result<SharedImage> {
      const Result<std::string> bytes = readTextFile(file, limits::kImageBytes);
      if (!bytes) return bytes.error();
      return decode(*bytes, file.string(), use);
    });
  });
  // Recordings bring the files that were read: what a mesh calls an image and is none is nobody's business.
  if (image) FileLog::note(file);
  return image;
}

Result<SharedImage> loadEmbeddedImage(const fs::path& holder, int index, std::string_view bytes,
                                      ImageUse use) {
  return HeldImages::shared().get(keyOf(holder, index, use), [&] {
    return decode(bytes, holder.string() + ", image " + std::to_string(index), use);
  });
}

SharedImage packFinish(const SharedImage& occlusion, const SharedImage& roughness,
                       const SharedImage& metallic) {
  const std::array sources = {occlusion, roughness, metallic};
  const TextureImage* largest = nullptr;
  for (const SharedImage& source : sources)
    if (source && (!largest || source->width > largest->width)) largest = source.get();
  if (!largest || (occlusion == roughness && roughness == metallic)) return occlusion;
  auto packed = std::make_shared<TextureImage>(*largest);
  for (int y = 0; y < packed->height; ++y)
    for (int x = 0; x < packed->width; ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        const auto place = [c](const TextureImage& image, int column, int row) {
          return (static_cast<std::size_t>(row) * static_cast<std::size_t>(image.width) +
                  static_cast<std::size_t>(column)) *
                     3 +
                 c;
        };
        const TextureImage* source = sources[c].get();
        packed->rgb[place(*packed, x, y)] =
            source ? source->rgb[place(*source, x * source->width / packed->width,
                                       y * source->height / packed->height)]
                   : 255;
      }
  return packed;
}

}  // namespace slipstick::assets

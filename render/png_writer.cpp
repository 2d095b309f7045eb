#include <png.h>

#include <cerrno>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include "engine/foundation/output_claim.h"
#include "render/offscreen.h"

namespace slipstick::render {
namespace {

Error unwritable(const std::filesystem::path& file, const std::string& why) {
  return {ErrorCode::FileUnwritable, "the picture cannot be written: " + why, file.string(),
          "choose a folder that exists and that you may write to"};
}

/// The caller says what went wrong.
void leave(png_structp png, png_const_charp) {
  png_longjmp(png, 1);
}

/// A picture as PNG has it: bytes of each row, one after the other.
struct Encoded {
  int depth = 8, color = PNG_COLOR_TYPE_RGBA;
  std::size_t bytesPerPixel = 4;
  std::vector<std::uint8_t> bytes;
  std::vector<png_color> palette;
};

/// 16-bit grey, most significant byte first.
template <class Value>
Encoded grey(const Image& image, const Value& value) {
  Encoded e{16, PNG_COLOR_TYPE_GRAY, 2, {}, {}};
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const std::uint32_t v = value(x, y);
      e.bytes.insert(e.bytes.end(), {static_cast<std::uint8_t>(v >> 8), static_cast<std::uint8_t>(v & 255)});
    }
  return e;
}

Encoded indices(const Image& image) {
  Encoded e{8, PNG_COLOR_TYPE_PALETTE, 1, {}, {}};
  for (const Hex color : image.palette)
    e.palette.push_back({static_cast<png_byte>(color >> 16 & 255), static_cast<png_byte>(color >> 8 & 255),
                         static_cast<png_byte>(color & 255)});
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      e.bytes.push_back(static_cast<std::uint8_t>(image.at<std::uint32_t>(x, y)));
  return e;
}

Encoded encodedOf(const Image& image) {
  constexpr double kMax = 65535;
  if (image.pixels == Pixels::Color) return {8, PNG_COLOR_TYPE_RGBA, 4, image.rgba, {}};
  if (image.pixels == Pixels::Depth)
    return grey(image, [&](int x, int y) {
      const double millimetres = std::round(1000 * static_cast<double>(image.at<float>(x, y)));
      return static_cast<std::uint32_t>(millimetres > kMax ? 0 : millimetres);
    });
  if (image.palette.size() <= 256) return indices(image);
  return grey(image, [&](int x, int y) { return image.at<std::uint32_t>(x, y); });
}

/// libpng leaves by longjmp: nothing in this frame may need a destructor.
bool encode(std::FILE* out, const Image& image, const Encoded& encoded, int compression) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, nullptr);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_init_io(png, out);
  png_set_compression_level(png, compression);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height),
               encoded.depth, encoded.color, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (!encoded.palette.empty())
    png_set_PLTE(png, info, encoded.palette.data(), static_cast<int>(encoded.palette.size()));
  png_write_info(png, info);
  for (int y = 0; y < image.height; ++y)
    png_write_row(png, encoded.bytes.data() + static_cast<std::size_t>(y) *
                                                  static_cast<std::size_t>(image.width) *
                                                  encoded.bytesPerPixel);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

}  // namespace

Result<void> writePng(const Image& image, const std::filesystem::path& file, int compression) {
  Result<OutputClaim> claim = OutputClaim::take(file);
  if (!claim) return claim.error();
  const Encoded bytes = encodedOf(image);
  std::FILE* out = std::fopen(claim->written().c_str(), "wb");
  if (!out) return unwritable(file, std::strerror(errno));
  const bool encoded = encode(out, image, bytes, compression);
  const bool written = std::ferror(out) == 0;
  const bool closed = std::fclose(out) == 0;
  if (encoded && written && closed) return claim->commit();
  return unwritable(file, encoded || !written ? "the disk is full" : "libpng refused the picture");
}

}  // namespace slipstick::render

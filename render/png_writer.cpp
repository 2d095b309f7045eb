#include <png.h>

#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstring>

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

/// libpng leaves by longjmp: nothing in this frame may need a destructor.
bool encode(std::FILE* out, const Image& image, int compression) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, nullptr);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info || setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_init_io(png, out);
  png_set_compression_level(png, compression);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height), 8,
               PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (int y = 0; y < image.height; ++y)
    png_write_row(
        png, image.rgba.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) * 4);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

}  // namespace

Result<void> writePng(const Image& image, const std::filesystem::path& file, int compression) {
  std::FILE* out = std::fopen(file.c_str(), "wb");
  if (!out) return unwritable(file, std::strerror(errno));
  const bool encoded = encode(out, image, compression);
  const bool written = std::ferror(out) == 0;
  const bool closed = std::fclose(out) == 0;
  if (encoded && closed) return {};
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return unwritable(file, encoded || !written ? "the disk is full" : "libpng refused the picture");
}

}  // namespace slipstick::render

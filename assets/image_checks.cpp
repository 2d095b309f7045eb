#include "assets/image_checks.h"

#include <stb_image.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "assets/limits.h"

namespace slipstick::assets {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kPng = "\x89PNG\r\n\x1a\n"sv;

/// Beginnings of what stb_image would read too: pictures of light, layers and raw numbers, which no mesh wears.
constexpr std::array kOthers = {"8BPS"sv, "\x53\x80\xF6\x34"sv, "P5"sv, "P6"sv, "#?"sv};

bool isOfAnotherFormat(std::string_view bytes) {
  for (const std::string_view begin : kOthers)
    if (bytes.starts_with(begin)) return true;
  return false;
}

std::uint32_t bigEndian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// The packed pixels of a PNG, chunk by chunk. Nothing where a chunk says that it is longer than what is left: stb_image
/// would ask for as much memory, up to a GiB, before it finds that out.
std::optional<std::vector<std::string_view>> pixelChunks(std::string_view png) {
  constexpr std::size_t kAround = 12;  // length, name and checksum of a chunk
  std::vector<std::string_view> chunks;
  for (std::size_t at = kPng.size(); at + kAround <= png.size();) {
    const std::size_t length = bigEndian(png, at);
    if (length > png.size() - at - kAround) return std::nullopt;
    if (png.substr(at + 4, 4) == "IEND") break;  // whatever follows
    if (png.substr(at + 4, 4) == "IDAT") chunks.push_back(png.substr(at + 8, length));
    at += kAround + length;
  }
  return chunks;
}

/// Whether chunks unpack to more than a number of bytes; as far as they can be unpacked.
bool unpackTo(const std::vector<std::string_view>& chunks, std::size_t most) {
  std::array<unsigned char, 1 << 16> scratch{};
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return true;
  bool goesOn = true;
  for (std::size_t i = 0; i < chunks.size() && goesOn; ++i) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(chunks[i].data()));
    stream.avail_in = static_cast<uInt>(chunks[i].size());
    do {
      stream.next_out = scratch.data();
      stream.avail_out = scratch.size();
      goesOn = inflate(&stream, Z_NO_FLUSH) == Z_OK && stream.total_out <= most;
    } while (goesOn && (stream.avail_in > 0 || stream.avail_out == 0));
  }
  const bool tooMuch = stream.total_out > most;
  inflateEnd(&stream);
  return tooMuch;
}

/// More than its pixels are: a small file that fills the memory.
bool unpacksTooFar(const std::vector<std::string_view>& chunks, std::size_t texels) {
  constexpr std::size_t kLargestRatio = 1032;      // of deflate
  constexpr std::size_t kHarmless = 8 << 20;       // [bytes]
  constexpr std::size_t kBytesPerTexel = 8;        // four channels of 16 bits
  constexpr std::size_t kAroundPixels = 64 << 10;  // a byte for each row, and for each of seven passes
  std::size_t packed = 0;
  for (const std::string_view chunk : chunks) packed += chunk.size();
  return kLargestRatio * packed > kHarmless && unpackTo(chunks, kBytesPerTexel * texels + kAroundPixels);
}

std::size_t littleEndian(std::string_view bytes, std::size_t at, std::size_t count) {
  std::size_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// The fewest bytes that a TGA of so many texels has (Truevision, TGA File Format Specification 2.0, C.2 and E).
std::size_t fewestBytesOfTga(std::string_view tga, std::size_t texels) {
  constexpr std::size_t kHeader = 18, kRunLengths = 8, kLongestRun = 128;
  if (tga.size() < kHeader) return kHeader;
  const std::size_t kind = littleEndian(tga, 2, 1), bytesPerTexel = (littleEndian(tga, 16, 1) + 7) / 8;
  if (kind >= kRunLengths) return kHeader + (texels + kLongestRun - 1) / kLongestRun * (1 + bytesPerTexel);
  return kHeader + texels * bytesPerTexel;
}

/// The same of a BMP: rows end at multiples of four bytes (Microsoft's BITMAPCOREHEADER, which is 12 bytes long, and
/// BITMAPINFOHEADER).
std::size_t fewestBytesOfBmp(std::string_view bmp, std::size_t width, std::size_t height) {
  constexpr std::size_t kHeaderAt = 14, kCoreHeader = 12, kBitsEnd = kHeaderAt + 16;
  if (bmp.size() < kBitsEnd) return kBitsEnd;
  const std::size_t bitsAt = kHeaderAt + (littleEndian(bmp, kHeaderAt, 4) == kCoreHeader ? 10 : 14);
  return littleEndian(bmp, 10, 4) + (width * littleEndian(bmp, bitsAt, 2) + 31) / 32 * 4 * height;
}

/// stb_image fills up with what it has, and takes as long as for a whole one.
bool isCutOff(std::string_view bytes, std::size_t width, std::size_t height) {
  // Of all formats a PNG with one bit for a texel packs most, 8 · 1032 into a byte.
  constexpr std::size_t kMaxPerByte = 8256, kHarmless = 1 << 20;  // [texels]
  if (width * height > kMaxPerByte * bytes.size() + kHarmless) return true;
  if (bytes.starts_with("BM")) return bytes.size() < fewestBytesOfBmp(bytes, width, height);
  for (const std::string_view other : {kPng, "\xff\xd8"sv, "GIF"sv})
    if (bytes.starts_with(other)) return false;
  return bytes.size() < fewestBytesOfTga(bytes, width * height);
}

int scansOf(std::string_view jpeg) {
  int scans = 0;
  for (std::size_t at = jpeg.find("\xff\xda"); at != std::string_view::npos;
       at = jpeg.find("\xff\xda", at + 2))
    ++scans;
  return scans;
}

}  // namespace

Result<void> checkImage(std::string_view bytes, const std::string& name) {
  const auto refused = [&](ErrorCode code, const std::string& what, const std::string& remedy) {
    return Error{code, what, name, remedy};
  };
  if (bytes.size() > limits::kImageBytes)
    return refused(ErrorCode::FileUnreadable,
                   "the image is larger than " + std::to_string(limits::kImageBytes / limits::kMiB) + " MiB",
                   "make it smaller");
  int width = 0, height = 0, channels = 0;
  if (isOfAnotherFormat(bytes) ||
      stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                            &width, &height, &channels) == 0)
    return refused(ErrorCode::SyntaxError, "the image is of a format that is not read, or cut off",
                   "save it again as PNG or JPEG");
  height = std::abs(height);  // of a BMP from the top down it is negative
  if (width > limits::kImageSide || height > limits::kImageSide)
    return refused(ErrorCode::Unsupported,
                   "the image has " + std::to_string(width) + " × " + std::to_string(height) + " texels",
                   "scale it down to at most " + std::to_string(limits::kImageSide) + " a side");
  const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
  if (columns * rows == 0)
    return refused(ErrorCode::SyntaxError, "the image has no texels", "save it again as PNG or JPEG");
  if (isCutOff(bytes, columns, rows))
    return refused(ErrorCode::SyntaxError, "the image is broken or cut off", "save it again as PNG or JPEG");
  if (bytes.starts_with(kPng)) {
    const auto chunks = pixelChunks(bytes);
    if (!chunks)
      return refused(ErrorCode::SyntaxError, "the image is broken or cut off",
                     "save it again as PNG or JPEG");
    if (unpacksTooFar(*chunks, columns * rows))
      return refused(ErrorCode::SyntaxError, "the image unpacks to more than its texels",
                     "save it again as PNG or JPEG");
  }
  if (bytes.starts_with("\xff\xd8") && scansOf(bytes) > limits::kImageScans)
    return refused(ErrorCode::Unsupported,
                   "the image is gone over more than " + std::to_string(limits::kImageScans) + " times",
                   "save it again as PNG or JPEG");
  return {};
}

}  // namespace slipstick::assets

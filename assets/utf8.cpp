#include "assets/utf8.h"

#include <array>

namespace slipstick::assets {
namespace {

struct CodePoint {
  char32_t value = 0xFFFD;
  std::size_t bytes = 1;
  bool isWhole = false;
};

CodePoint codePointAt(std::string_view text, std::size_t at) {
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};  // by length
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t length = first < 0x80             ? 1
                             : (first & 0xE0) == 0xC0 ? 2
                             : (first & 0xF0) == 0xE0 ? 3
                             : (first & 0xF8) == 0xF0 ? 4
                                                      : 0;
  if (length == 0 || at + length > text.size()) return {};
  char32_t point = length == 1 ? first : first & (0x7F >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(at + k) & 0xC0) != 0x80) return {};
    point = point << 6 | (byte(at + k) & 0x3F);
  }
  const bool isSurrogate = point >= 0xD800 && point < 0xE000;
  if (point < kLeast[length] || point > 0x10FFFF || isSurrogate) return {};
  return {point, length, true};
}

}  // namespace

std::u32string codePoints(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = codePointAt(text, i);
    points += point.value;
    i += point.bytes;
  }
  return points;
}

std::optional<std::size_t> firstOutsideUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = codePointAt(text, i);
    if (!point.isWhole) return i;
    i += point.bytes;
  }
  return std::nullopt;
}

std::string utf8OfLatin1(std::string_view text) {
  std::string utf8;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      utf8 += c;
    } else {
      utf8 += static_cast<char>(0xC0 | byte >> 6);
      utf8 += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return utf8;
}

}  // namespace slipstick::assets

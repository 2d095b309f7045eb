#include "assets/utf8.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <utility>

#include "assets/one_line.h"

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

namespace {

/// Of the C library, by its name; nothing where it is unknown, or the text is not in it.
std::optional<std::string> utf8Of(std::string_view text, const std::string& encoding) {
  const iconv_t converter = iconv_open("UTF-8", encoding.c_str());
  if (converter == reinterpret_cast<iconv_t>(-1)) return std::nullopt;  // NOLINT(performance-no-int-to-ptr)
  std::string input(text), output(4 * text.size() + 4, '\0');
  char *from = input.data(), *to = output.data();
  std::size_t left = input.size(), room = output.size();
  const bool isDone = iconv(converter, &from, &left, &to, &room) != static_cast<std::size_t>(-1) && left == 0;
  iconv_close(converter);
  if (!isDone) return std::nullopt;
  output.resize(output.size() - room);
  return output;
}

/// "ISO-8859-1" of <?xml version="1.0" encoding="ISO-8859-1"?>, or "".
std::string declaredEncoding(std::string_view text) {
  if (!text.starts_with("<?xml")) return {};
  const std::string_view declaration = text.substr(0, text.find("?>"));
  const std::size_t key = declaration.find("encoding");
  const std::size_t open = key == std::string_view::npos ? key : declaration.find_first_of("\"'", key);
  if (open == std::string_view::npos) return {};
  const std::string_view value = declaration.substr(open + 1);
  return std::string(value.substr(0, value.find(declaration[open])));
}

Notice atByte(const std::filesystem::path& file, std::string_view text, std::size_t byte,
              const std::string& what) {
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
  return {Notice::Level::Warning, file.string() + ":" + std::to_string(line), what};
}

}  // namespace

std::optional<Notice> turnIntoUtf8(const std::filesystem::path& file, std::string& text) {
  for (const auto& [mark, encoding] : {std::pair{"\xff\xfe", "UTF-16LE"}, std::pair{"\xfe\xff", "UTF-16BE"}})
    if (text.starts_with(mark))
      if (std::optional<std::string> utf8 = utf8Of(std::string_view(text).substr(2), encoding)) text = *utf8;
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  const std::optional<std::size_t> strange = firstOutsideUtf8(text);
  if (!strange) return std::nullopt;
  const std::string declared = declaredEncoding(text);
  if (std::optional<std::string> utf8 = declared.empty() ? std::nullopt : utf8Of(text, declared)) {
    text = *utf8;
    return std::nullopt;
  }
  Notice notice = atByte(file, text, *strange,
                         "this is not " + (declared.empty() ? "UTF-8" : oneLine(declared.substr(0, 40))) +
                             ": read as Latin-1 (ISO 8859-1); save the file as UTF-8");
  text = utf8OfLatin1(text);
  return notice;
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

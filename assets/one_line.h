// Messages are one line, whatever a file contains.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace slipstick::assets {

inline bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Line breaks and other control characters become spaces: U+0080 to U+009F, too, as terminals obey some of all of them.
inline std::string oneLine(std::string text) {
  std::replace_if(text.begin(), text.end(), isControl, ' ');
  for (std::size_t at = text.find('\xc2'); at != std::string::npos; at = text.find('\xc2', at + 1))
    if (const std::string_view next = std::string_view(text).substr(at + 1, 1);
        next >= "\x80" && next <= "\x9f")
      text[at] = text[at + 1] = ' ';
  return text;
}

/// The same of a text of any length, as much of it as a person reads.
inline std::string shortLine(const std::string& text) {
  constexpr std::size_t kMax = 300;
  if (text.size() <= kMax) return oneLine(text);
  std::size_t end = kMax;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // in no letter
  return oneLine(text.substr(0, end)) + "…";
}

}  // namespace slipstick::assets

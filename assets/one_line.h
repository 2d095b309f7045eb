// Messages are one line, whatever a file contains.
#pragma once

#include <algorithm>
#include <string>

namespace slipstick::assets {

inline bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Line breaks and other control characters become spaces.
inline std::string oneLine(std::string text) {
  std::replace_if(text.begin(), text.end(), isControl, ' ');
  return text;
}

}  // namespace slipstick::assets

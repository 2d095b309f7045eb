// Words in one line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipstick::app {

inline std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += separator;
    line += word;
  }
  return line;
}

}  // namespace slipstick::app

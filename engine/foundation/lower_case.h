// Lower case of ASCII, in every locale: words of file formats and suffixes of files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slipstick {

inline char lowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = lowerCase(c);
  return lower;
}

/// With its point: ".stl" of "Hand.STL"; empty where there is none.
inline std::string lowerSuffix(const std::filesystem::path& file) {
  return lowerCase(file.extension().string());
}

}  // namespace slipstick

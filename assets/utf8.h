// Text that may not be the UTF-8 that it should be.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/model/model.h"

namespace slipstick::assets {

/// Of UTF-8; what is none becomes U+FFFD, byte by byte.
std::u32string codePoints(std::string_view text);

/// Where the first byte stands that is no part of a code point: overlong ones and surrogates are none. Nothing: all is UTF-8.
std::optional<std::size_t> firstOutsideUtf8(std::string_view text);

/// Each byte as the code point of that number (ISO 8859-1).
std::string utf8OfLatin1(std::string_view text);

/// Turns a file's text that is not UTF-8 into UTF-8: UTF-16 by the mark at its beginning, then the encoding that its XML
/// declaration names, then Latin-1. A mark of UTF-8 goes. What is UTF-8 stays so, whatever it declares.
/// @return what was assumed where nothing says it, or is said and unknown; place is the first byte outside UTF-8
std::optional<Notice> turnIntoUtf8(const std::filesystem::path& file, std::string& text);

}  // namespace slipstick::assets

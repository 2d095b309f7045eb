// Text that may not be the UTF-8 that it should be.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace slipstick::assets {

/// Of UTF-8; what is none becomes U+FFFD, byte by byte.
std::u32string codePoints(std::string_view text);

/// Where the first byte stands that is no part of a code point: overlong ones and surrogates are none. Nothing: all is UTF-8.
std::optional<std::size_t> firstOutsideUtf8(std::string_view text);

/// Each byte as the code point of that number (ISO 8859-1).
std::string utf8OfLatin1(std::string_view text);

}  // namespace slipstick::assets

// What pictures are written as, told by a name's suffix.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "engine/foundation/result.h"

namespace slipstick::render {

enum class OutputFormat : std::uint8_t { Mp4, WebM, Gif, Png, Folder };

/// By the suffix, in either case: ".mp4", ".webm", ".gif", ".png", or a folder of PNGs for a name without one, that ends in
/// "/" or that is a folder already. An error for every other suffix, which says what can be written.
Result<OutputFormat> outputFormatOf(const std::string& out);

/// Whether it holds one picture alone.
inline bool isSingle(OutputFormat format) {
  return format == OutputFormat::Png;
}
/// Whether pictures keep their opacity in it.
inline bool keepsOpacity(OutputFormat format) {
  return format == OutputFormat::Png || format == OutputFormat::Folder;
}

/// How much of a video or picture is kept, against the time and space that takes.
enum class OutputQuality : std::uint8_t { Draft, Good, Best };

/// "draft", "good" or "best".
Result<OutputQuality> outputQualityNamed(std::string_view word);

}  // namespace slipstick::render

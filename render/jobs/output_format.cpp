#include "render/jobs/output_format.h"

#include <array>
#include <utility>

#include "engine/foundation/lower_case.h"

namespace slipstick::render {

namespace fs = std::filesystem;

Result<OutputFormat> outputFormatOf(const std::string& out) {
  constexpr std::array<std::pair<std::string_view, OutputFormat>, 4> kSuffixes = {
      {{".mp4", OutputFormat::Mp4},
       {".webm", OutputFormat::WebM},
       {".gif", OutputFormat::Gif},
       {".png", OutputFormat::Png}}};
  const std::string suffix = lowerSuffix(out);
  std::error_code ignored;
  if (suffix.empty() || fs::is_directory(out, ignored)) return OutputFormat::Folder;
  for (const auto& [known, format] : kSuffixes)
    if (suffix == known) return format;
  return Error{ErrorCode::Unsupported, "files that end in " + suffix + " cannot be written", out,
               "end it in .mp4, .webm, .gif or .png, or write a folder for many PNGs as " +
                   fs::path(out).stem().string() + "/"};
}

Result<OutputQuality> outputQualityNamed(std::string_view word) {
  if (word == "draft") return OutputQuality::Draft;
  if (word == "good") return OutputQuality::Good;
  if (word == "best") return OutputQuality::Best;
  return Error{ErrorCode::UnknownName, "there is no such quality", std::string(word),
               "choose from: draft, good, best"};
}

}  // namespace slipstick::render

#include "render/jobs/picture_request.h"

#include <algorithm>
#include <cmath>

#include "engine/foundation/number_text.h"
#include "render/jobs/gif_writer.h"

namespace slipstick::render {
namespace {

constexpr double kMaxPictures = 1'000'000;  // six digits number the files of a folder

double countOf(const PictureRequest& request) {
  return std::floor((request.to - request.from) * request.fps / request.speed + 1e-6) + 1;
}

Error refused(std::string what, std::string where, std::string remedy) {
  return {ErrorCode::InvalidValue, std::move(what), std::move(where), std::move(remedy)};
}

Result<void> checkTimes(const PictureRequest& request, OutputFormat format) {
  if (request.arrangement != Arrangement::OneByOne) return {};
  if (request.to < request.from)
    return refused("the last frame lies before the first",
                   "from " + significant(request.from) + " s to " + significant(request.to) + " s",
                   "let it end after its start");
  if (!isSingle(format) && countOf(request) > kMaxPictures)
    return refused("that makes " + fixed(countOf(request), 0) + " pictures, more than 1000000",
                   significant(request.fps) + " frames/s", "lower the rate, or shorten the time");
  if (format == OutputFormat::Gif && request.fps > GifWriter::kMaxFps)
    return refused("a GIF shows at most 50 frames/s", significant(request.fps) + " frames/s",
                   "lower the rate, or write an MP4");
  return {};
}

/// Ghosts are met on the way, which goes forwards.
Result<void> checkGhosts(const PictureRequest& request, const std::vector<double>& moments) {
  for (const double ghost : request.ghosts)
    if (ghost > moments.front())
      return refused(
          "a ghost comes after the first picture, which is at " + significant(moments.front()) + " s",
          "ghost at " + significant(ghost) + " s", "choose times up to the first picture's");
  return {};
}

Result<void> checkCaption(const PictureRequest& request, OutputFormat format) {
  const bool moves = request.arrangement == Arrangement::OneByOne && !isSingle(format);
  if (moves) return {};
  if (!request.title.empty() || !request.subtitle.empty())
    return refused("a title comes and goes, which a still cannot show", "title",
                   "write a video, or leave the title out");
  if (request.fade > 0)
    return refused("a still cannot fade", "fade", "write a video, or leave the fading out");
  return {};
}

/// Numbers go into PNGs, each as it is.
Result<void> checkPass(const PictureRequest& request, OutputFormat format) {
  if (request.pass == PicturePass::Color) return {};
  const std::string what = "depth, normals or segmentation";
  if (!keepsOpacity(format))
    return refused("a video does not keep the numbers of " + what, request.out.string(),
                   "name a file that ends in .png, or a folder");
  if (request.arrangement != Arrangement::OneByOne)
    return refused("no figure is made of " + what, "stills side by side",
                   "write them one by one into a folder");
  if (request.supersample > 1)
    return refused(what + " cannot be averaged over edges",
                   "drawn " + std::to_string(request.supersample) + " times as large",
                   "draw it as large as it is, or give it a larger size");
  if (request.cameras.size() > 1)
    return refused("only one camera at a time sees " + what,
                   std::to_string(request.cameras.size()) + " cameras", "choose one");
  if (!request.ghosts.empty() || request.view.transparentBackground || !request.title.empty() ||
      request.fade > 0)
    return refused("nothing lies over or behind " + what, "ghosts, transparent background, title or fade",
                   "leave them out");
  return {};
}

}  // namespace

Result<OutputFormat> checkRequest(const PictureRequest& request) {
  const Result<OutputFormat> format = outputFormatOf(request.out.string());
  if (!format) return format.error();
  if (request.arrangement != Arrangement::OneByOne && *format != OutputFormat::Png)
    return refused("stills go into one PNG", request.out.string(), "name a file that ends in .png");
  if (const Result<void> pass = checkPass(request, *format); !pass) return pass.error();
  if (request.view.transparentBackground && !keepsOpacity(*format))
    return refused("only PNGs can be transparent", request.out.string(),
                   "name a file that ends in .png, or a folder");
  if (request.view.transparentBackground && request.arrangement != Arrangement::OneByOne)
    return refused("stills stand side by side on paper, which is not transparent", "transparent background",
                   "write them one by one into a folder, or leave the background");
  if (const Result<void> times = checkTimes(request, *format); !times) return times.error();
  if (const Result<void> caption = checkCaption(request, *format); !caption) return caption.error();
  if (const Result<void> ghosts = checkGhosts(request, momentsOf(request, *format)); !ghosts)
    return ghosts.error();
  return *format;
}

Result<void> checkStills(const PictureRequest& request) {
  if (const Result<void> caption = checkCaption(request, OutputFormat::Png); !caption) return caption;
  return checkGhosts(request, momentsOf(request, OutputFormat::Png));
}

std::vector<double> momentsOf(const PictureRequest& request, OutputFormat format) {
  if (request.arrangement != Arrangement::OneByOne) {
    std::vector<double> moments = request.moments;
    std::sort(moments.begin(), moments.end());
    return moments;
  }
  if (isSingle(format)) return {request.to};
  std::vector<double> moments(static_cast<std::size_t>(countOf(request)));
  for (std::size_t k = 0; k < moments.size(); ++k)
    moments[k] = request.from + static_cast<double>(k) * request.speed / request.fps;
  return moments;
}

}  // namespace slipstick::render

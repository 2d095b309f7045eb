// Videos by FFmpeg: H.264 in MP4, VP9 in WebM.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "engine/foundation/result.h"
#include "render/jobs/output_format.h"
#include "render/offscreen.h"

namespace slipstick::render {

/// A video at a fixed rate. The file is complete only after finish(); without it, it is removed. Odd sizes grow by one
/// pixel.
class VideoWriter {
 public:
  /// @param file  WebM where it ends in ".webm", else MP4
  /// @param fps  pictures per second of the video
  static Result<std::unique_ptr<VideoWriter>> create(const std::filesystem::path& file, int width, int height,
                                                     double fps, OutputQuality quality = OutputQuality::Good);
  ~VideoWriter();
  /// Empty, or what a person should know about this file ("no H.264 encoder here: …").
  std::string notice() const;
  Result<void> add(const Image& image);
  Result<void> finish();

 private:
  VideoWriter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick::render

// Animated GIFs for web pages.
#pragma once

#include <filesystem>
#include <memory>

#include "engine/foundation/result.h"
#include "render/jobs/output_format.h"
#include "render/offscreen.h"

namespace slipstick::render {

/// Loops for ever. Its 255 colours suit all pictures, so these wait, uncompressed, in a temporary file until finish(),
/// which writes it; a file that was not finished is removed.
class GifWriter {
 public:
  static constexpr double kMaxFps = 50;  ///< browsers show faster ones slowly
  static Result<std::unique_ptr<GifWriter>> create(const std::filesystem::path& file, int width, int height,
                                                   double fps, OutputQuality quality = OutputQuality::Good);
  ~GifWriter();
  Result<void> add(const Image& image);
  Result<void> finish();

 private:
  GifWriter();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick::render

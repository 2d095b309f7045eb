// Where finished pictures go.
#pragma once

#include <memory>

#include "render/jobs/picture_request.h"
#include "render/offscreen.h"

namespace slipstick::render {

/// What is written is whole only after finish(); of what was not finished nothing is left but the finished PNGs of a folder.
class PictureSink {
 public:
  /// Opens the output. @param width, height  of each picture [px]
  static Result<std::unique_ptr<PictureSink>> create(const PictureRequest& request, OutputFormat format,
                                                     int width, int height);
  virtual ~PictureSink() = default;
  virtual Result<void> add(Image image) = 0;
  virtual Result<void> finish() = 0;
  /// Empty, or what a person should know about the file.
  virtual std::string notice() const { return {}; }
};

}  // namespace slipstick::render

// Draws the pictures of a request: from every camera, with all that lies over them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "render/frame_builder.h"
#include "render/jobs/picture_request.h"
#include "render/offscreen.h"

namespace slipstick::render {

/// What one picture is of.
struct PictureMoment {
  std::shared_ptr<const Snapshot> snapshot;
  double largestForce = 0;  ///< of the run so far: the scale of the arrows, whatever pictures are taken [N]
  std::size_t index = 0;    ///< of the picture
  std::size_t total = 0;    ///< how many there will be
};

/// Of one thread, which has its context.
class PicturePainter {
 public:
  static Result<std::unique_ptr<PicturePainter>> create(const PictureRequest& request,
                                                        std::shared_ptr<const Model> model);
  /// Of every picture [px].
  int width() const { return layout_.width; }
  int height() const { return layout_.height; }
  void setGhosts(std::vector<std::shared_ptr<const Snapshot>> ghosts) { ghosts_ = std::move(ghosts); }

  Image paint(const PictureMoment& moment);
  /// Of the last picture [s].
  double buildSeconds() const { return buildSeconds_; }
  const DrawTimes& drawTimes() const { return renderer_->times(); }

 private:
  PicturePainter(const PictureRequest& request, std::shared_ptr<const Model> model);
  void adopt(std::shared_ptr<const Model> model);
  Image paintPass(const PictureMoment& moment);
  std::shared_ptr<const Frame> buildFrame(const PictureMoment& moment, std::size_t column);
  HudInput overlayOf(const PictureMoment& moment) const;
  Caption captionOf(const PictureMoment& moment) const;

  PictureRequest request_;  ///< has a camera from the first picture on
  std::shared_ptr<const Model> model_;
  PictureLayout layout_;
  std::unique_ptr<OffscreenRenderer> renderer_;
  std::vector<FrameBuilder> builders_;  ///< one per camera: each keeps what depends on it
  std::vector<std::shared_ptr<const Snapshot>> ghosts_;
  double buildSeconds_ = 0;
};

}  // namespace slipstick::render

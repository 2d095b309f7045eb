// The pictures of demonstrations: what cameras of the scene see of a recording, as slipstick render draws it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assets/export/demo_writer.h"
#include "render/frame_builder.h"
#include "render/jobs/picture_pass.h"
#include "render/offscreen.h"

namespace slipstick::app {

struct DemoPictureOptions {
  std::string cameras;                      ///< names with commas between, or "all"
  std::vector<render::PicturePass> passes;  ///< each once
  int width = 84, height = 84;              ///< [px]
};

/// Without arrows, cards and boundaries: what a camera beside the robot would see. Of one thread.
class RenderedDemoPictures final : public assets::DemoPictures {
 public:
  explicit RenderedDemoPictures(DemoPictureOptions options);
  Result<void> begin(std::shared_ptr<const Model> model) override;
  std::vector<assets::DemoPictureField> fields() const override;
  /// "cameras" and, where ids are drawn, "segments".
  std::vector<std::pair<std::string, std::string>> facts() const override;
  std::vector<assets::DemoPicture> draw(const std::shared_ptr<const Snapshot>& snapshot) override;

 private:
  assets::DemoPicture drawColors(const std::shared_ptr<const Snapshot>& snapshot, const render::Frame& frame,
                                 const render::Camera& camera);

  DemoPictureOptions options_;
  render::ViewOptions view_;
  std::shared_ptr<const Model> model_;
  std::vector<CameraSpec> cameras_;
  std::vector<render::FrameBuilder> builders_;  ///< one per camera
  std::unique_ptr<render::OffscreenRenderer> renderer_;
};

/// Of words as "color" and "depth", each pass once, in the order in which they were named first.
/// Errors: a word that is none.
Result<std::vector<render::PicturePass>> demoPassesNamed(const std::vector<std::string>& words);

}  // namespace slipstick::app

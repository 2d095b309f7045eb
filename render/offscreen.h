// Pictures and videos without a window: EGL surfaceless (or a Mesa software device), PNG and H.264 MP4.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "render/hud.h"
#include "render/renderer.h"

namespace slipstick::render {

/// 8-bit RGBA, rows from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

Result<void> writePng(const Image& image, const std::filesystem::path& file);

/// A context of its own on EGL; draws frames with the HUD to images.
class OffscreenRenderer {
 public:
  static Result<std::unique_ptr<OffscreenRenderer>> create(int width, int height);
  ~OffscreenRenderer();
  void setModel(std::shared_ptr<const Model> model);
  Image render(const Frame& frame, const Camera& camera, const ViewOptions& options, const HudInput& hud);

 private:
  OffscreenRenderer();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// H.264 in MP4 at a fixed rate in simulated time. The file is complete only after finish(); without it, it
/// is removed. Odd sizes grow by one pixel.
class VideoWriter {
 public:
  static Result<std::unique_ptr<VideoWriter>> create(const std::filesystem::path& file, int width, int height,
                                                     double fps);
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

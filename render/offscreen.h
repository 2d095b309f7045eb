// Pictures without a window: EGL surfaceless (or a Mesa software device), and PNG.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "render/hud.h"
#include "render/renderer.h"

namespace slipstick::render {

/// 8-bit RGBA, rows from the top; the colour is not multiplied by the opacity.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
};

/// @param compression  from 0, fast, to 9, small
Result<void> writePng(const Image& image, const std::filesystem::path& file, int compression = 6);

/// How a picture is put together.
struct PictureLayout {
  int width = 0, height = 0;  ///< of the image [px]
  int columns = 1;            ///< side by side, hairlines between
  int supersample = 1;        ///< drawn so many times as wide and as high, and averaged in linear light
  int band = 0;               ///< of paper at the bottom, part of the height [px]
  double pixelRatio = 1;      ///< pixels per logical one
};

/// What one column shows.
struct PictureColumn {
  const Frame* frame = nullptr;
  Camera camera;
  ViewOptions options;
  HudInput hud;
};

/// Where the time of a picture went [s].
struct DrawTimes {
  double draw = 0;  ///< until the device has drawn it
  double read = 0;  ///< back to this machine's memory, and averaged
};

/// A context of its own on EGL; draws frames with the HUD to images. Of the thread that has made it.
class OffscreenRenderer {
 public:
  static Result<std::unique_ptr<OffscreenRenderer>> create(int width, int height) {
    return create(
        PictureLayout{.width = width, .height = height, .pixelRatio = std::max(1.0, height / 1080.0)});
  }
  static Result<std::unique_ptr<OffscreenRenderer>> create(const PictureLayout& layout);
  ~OffscreenRenderer();
  void setModel(std::shared_ptr<const Model> model);
  Image render(const Frame& frame, const Camera& camera, const ViewOptions& options, const HudInput& hud);
  /// @param columns  as many as the layout has
  Image render(std::span<const PictureColumn> columns, const Caption& caption);
  /// Of the last picture.
  const DrawTimes& times() const;
  /// Width over height of one column.
  double columnAspect() const;

 private:
  OffscreenRenderer();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace slipstick::render

// Pictures without a window: EGL surfaceless (or a Mesa software device), and PNG.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "render/hud.h"
#include "render/palette.h"
#include "render/pick_id.h"
#include "render/renderer.h"

namespace slipstick::render {

/// What the four bytes of a pixel are.
enum class Pixels : std::uint8_t {
  Color,  ///< RGBA; the colour is not multiplied by the opacity
  Depth,  ///< a float [m]; 0: nothing is there
  Ids,    ///< a whole number
};

/// Rows from the top.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;
  Pixels pixels = Pixels::Color;
  std::vector<Hex> palette = {};  ///< of ids

  /// Of depths and ids: the number at a pixel.
  template <class T>
  T at(int x, int y) const {
    static_assert(sizeof(T) == 4);
    T value;
    std::memcpy(&value, &rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + x)], 4);
    return value;
  }
};

/// Depths become 16-bit grey in millimetres, 0 where nothing is or where it does not fit, from 65.536 m on; ids indices into the
/// palette, or 16-bit grey where they are more than 256.
/// @param compression  from 0, fast, to 9, small
Result<void> writePng(const Image& image, const std::filesystem::path& file, int compression = 6);

/// What is seen at the middle of each pixel, rows from the top.
struct SurfaceImage {
  int width = 0, height = 0;
  std::vector<PickId> ids;  ///< bodies, particles, the ground or nothing
  std::vector<Eigen::Vector4f>
      surface;  ///< unit normal in W on the side of the eye; distance along the view [m]
};

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
  /// What is known of the surfaces in a picture, of the size of one column.
  SurfaceImage surfaces(const Frame& frame, const Camera& camera, const ViewOptions& options);
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

// What pictures of a run are to be made: what a command line or a dialog fills in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/facts/looks.h"
#include "engine/model/model.h"
#include "render/jobs/camera_path.h"
#include "render/jobs/output_format.h"
#include "render/jobs/picture_pass.h"
#include "render/selection.h"
#include "render/view.h"

namespace slipstick::render {

/// How the pictures of several moments go together.
enum class Arrangement : std::uint8_t {
  OneByOne,  ///< a video, or a file for each
  Sheet,     ///< in one PNG, four in a row, the time in a corner
  Strip,     ///< in one PNG in one row, white gaps between and the time under each: a figure
  Apart,     ///< each by itself, see drawStills()
};

struct PictureRequest {
  std::filesystem::path out;
  OutputQuality quality = OutputQuality::Good;
  int width = 1280, height = 720;  ///< of one picture [px]
  int supersample = 1;             ///< drawn so many times as large
  double pixelRatio = 0;           ///< pixels per logical one: of lines, arrows and words; 0: by the height
  double fps = 30;                 ///< pictures per second of the video
  double speed = 1;                ///< simulated seconds per second of the video
  double from = 0, to = 0;  ///< simulated time of the first and the last one [s]; of a single PNG `to` alone
  PicturePass pass = PicturePass::Color;
  Arrangement arrangement = Arrangement::OneByOne;
  std::vector<double> moments;  ///< of all that is not one by one [s]
  std::vector<double> ghosts;   ///< moments that are seen through all along, none after the first picture [s]
  /// Several stand side by side; none: openingCamera() of the first picture.
  std::vector<CameraPath> cameras;
  ViewOptions view;
  Selection selection;
  std::shared_ptr<const Looks> looks;  ///< of the walk's model; null: as its scene says
  std::string title, subtitle;         ///< over the first two seconds of a video
  double fade = 0;                     ///< from and to the window's colour [s of the video]
};

/// What cannot be, in the words of the request: before an hour of simulation. @return its format
Result<OutputFormat> checkRequest(const PictureRequest& request);

/// The same of Arrangement::Apart, which goes to no file.
Result<void> checkStills(const PictureRequest& request);

/// Of the pictures [s], ascending.
std::vector<double> momentsOf(const PictureRequest& request, OutputFormat format);

}  // namespace slipstick::render

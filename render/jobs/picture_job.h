// Pictures and videos of a run: walks through it, draws, and writes.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/runtime/run_walk.h"
#include "render/jobs/picture_request.h"
#include "render/offscreen.h"

namespace slipstick::render {

/// Where the time of a job went [s].
struct PictureTimes {
  double walk = 0;    ///< simulating, or reading
  double build = 0;   ///< frames of snapshots
  double draw = 0;    ///< by the device
  double read = 0;    ///< back from it
  double encode = 0;  ///< and writing, on a thread of its own beside the others
  double wait = 0;    ///< of the others for that one
};

struct PictureProgress {
  std::size_t done = 0, total = 0;  ///< pictures
  double reached = 0;               ///< simulated time of the last one [s]
  double wall = 0;                  ///< since the start [s]
  PictureTimes times;

  double perSecond() const { return wall > 0 ? static_cast<double>(done) / wall : 0; }
  /// If it goes on as it went [s]; 0 before the first picture.
  double secondsLeft() const {
    return done > 0 ? wall * static_cast<double>(total - done) / static_cast<double>(done) : 0;
  }
};

struct PictureReport : PictureProgress {
  bool isWhole = true;  ///< false: it was stopped before the last picture's moment
  std::string notice;   ///< empty, or what a person should know about the file
};

/// Makes the pictures of a request, on the calling thread and on one that encodes; both may be any. Each picture shows the
/// first step at or after its moment; the same walk gives the same pictures, byte for byte.
///
/// Stopped, it finishes what was drawn, so that there is a file that plays; before the first picture that one shows the
/// step that was reached. Where the walk fails, what was drawn so far is finished likewise and the error returned; where
/// drawing or writing fails, no file is left.
/// @param onPicture  after each; may be empty
Result<PictureReport> makePictures(RunWalk& walk, const PictureRequest& request, const std::stop_token& stop,
                                   const std::function<void(const PictureProgress&)>& onPicture);

/// The pictures of the request's moments, ascending, likewise, each by itself and in memory: for who puts them together.
/// @param stills  gets them
Result<PictureReport> drawStills(RunWalk& walk, const PictureRequest& request, std::vector<Image>& stills,
                                 const std::stop_token& stop,
                                 const std::function<void(const PictureProgress&)>& onPicture);

}  // namespace slipstick::render

// Where a camera is while pictures are made.
#pragma once

#include <vector>

#include "engine/model/camera_key.h"
#include "render/camera.h"

namespace slipstick::render {

/// Goes through every key exactly, smoothly, and rests at its first and last: Catmull–Rom (cubic Hermite with the slope
/// between the neighbours) of eye, target and field of view over simulated time. Before the first key and after the last
/// it stays.
class CameraPath {
 public:
  /// Stays where it is.
  explicit CameraPath(const Camera& camera) : still_(camera) {}
  /// @param keys  at least one, their times ascending
  explicit CameraPath(std::vector<CameraKey> keys);
  /// @param time  simulated [s]
  Camera at(double time) const;

 private:
  Camera still_;                 ///< where there are no keys
  std::vector<CameraKey> keys_;  ///< ascending
};

}  // namespace slipstick::render

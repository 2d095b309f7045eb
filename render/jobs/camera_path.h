// Where a camera is while pictures are made.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/model/camera_key.h"
#include "render/camera.h"

namespace slipstick::render {

/// Stands, rides on a body, or goes through keys: through every key exactly, smoothly, and rests at its first and last: Catmull–Rom (cubic Hermite with the slope
/// between the neighbours) of eye, target, field of view and what is up over simulated time. Before the first key and after the last
/// it stays.
class CameraPath {
 public:
  /// Stays where it is.
  explicit CameraPath(const Camera& camera) : still_(camera) {}
  /// As the scene says: stays, or rides on the body that carries it.
  explicit CameraPath(CameraSpec camera) : still_(Camera::from(camera)), camera_(std::move(camera)) {}
  /// @param keys  at least one, their times ascending; no body carries their cameras
  explicit CameraPath(std::vector<CameraKey> keys);
  /// @param snapshot  of the model: its time, and where bodies are
  Camera at(const Model& model, const Snapshot& snapshot) const;

 private:
  Camera still_;                      ///< where there is nothing else
  std::optional<CameraSpec> camera_;  ///< of the scene
  std::vector<CameraKey> keys_;       ///< ascending
};

}  // namespace slipstick::render

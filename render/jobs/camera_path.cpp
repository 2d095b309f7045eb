#include "render/jobs/camera_path.h"

#include <algorithm>

#include "engine/foundation/require.h"
#include "engine/model/snapshot.h"

namespace slipstick::render {
namespace {

/// Eye, target, field of view, up.
using Values = Eigen::Matrix<double, 10, 1>;

Values valuesOf(const CameraKey& key) {
  Values values;
  values << key.camera.position, key.camera.target, key.camera.fieldOfView, key.camera.up.normalized();
  return values;
}

Camera cameraOf(const Values& values) {
  CameraSpec spec;
  spec.position = values.head<3>();
  spec.target = values.segment<3>(3);
  spec.fieldOfView = values[6];
  spec.up = values.tail<3>();
  return Camera::from(spec);
}

Values slopeAt(const std::vector<CameraKey>& keys, std::size_t i) {
  if (i == 0 || i + 1 == keys.size()) return Values::Zero();
  return (valuesOf(keys[i + 1]) - valuesOf(keys[i - 1])) / (keys[i + 1].time - keys[i - 1].time);
}

}  // namespace

CameraPath::CameraPath(std::vector<CameraKey> keys) : keys_(std::move(keys)) {
  SIM_REQUIRE(!keys_.empty(), keys_.size());
  for (const CameraKey& key : keys_) SIM_REQUIRE(key.camera.body.empty(), key.camera.name);
  for (std::size_t i = 1; i < keys_.size(); ++i)
    SIM_REQUIRE(keys_[i - 1].time < keys_[i].time, keys_[i - 1].time, keys_[i].time);
}

Camera CameraPath::at(const Model& model, const Snapshot& snapshot) const {
  if (camera_) return Camera::from(*camera_, model, snapshot);
  if (keys_.empty()) return still_;
  const double time = snapshot.time;
  const auto next = std::upper_bound(keys_.begin(), keys_.end(), time,
                                     [](double t, const CameraKey& key) { return t < key.time; });
  if (next == keys_.begin()) return cameraOf(valuesOf(keys_.front()));
  if (next == keys_.end()) return cameraOf(valuesOf(keys_.back()));
  const auto b = static_cast<std::size_t>(next - keys_.begin()), a = b - 1;
  const double h = keys_[b].time - keys_[a].time, s = (time - keys_[a].time) / h, s2 = s * s, s3 = s2 * s;
  return cameraOf((2 * s3 - 3 * s2 + 1) * valuesOf(keys_[a]) + (s3 - 2 * s2 + s) * h * slopeAt(keys_, a) +
                  (3 * s2 - 2 * s3) * valuesOf(keys_[b]) + (s3 - s2) * h * slopeAt(keys_, b));
}

}  // namespace slipstick::render

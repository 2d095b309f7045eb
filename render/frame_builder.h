// Builds frame after frame for one view, and keeps of the one before what did not change.
#pragma once

#include <memory>

#include "render/frame.h"

namespace slipstick::render {

/// Not thread-safe: one per worker. The frames are those of buildFrame().
class FrameBuilder {
 public:
  FrameBuilder();
  std::shared_ptr<const Frame> build(FrameInput input);

 private:
  /// All that SoftParts depend on.
  struct SoftKey {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Snapshot> snapshot;
    ParticleColor color = ParticleColor::Automatic;
    SoftStyle style = SoftStyle::Scene;
    ColorMap map = ColorMap::Ember;
    Section section = Section::None;
    double colorMax = 0;
    bool wireframe = false;
    bool operator==(const SoftKey&) const = default;
  };
  static SoftKey keyOf(const FrameInput& input);

  SoftKey key_;
  std::shared_ptr<const SoftParts> soft_;
  std::shared_ptr<FootprintCache> footprints_;
};

/// Whether a frame of this input looks otherwise from elsewhere: then it has to be built anew when the camera moves.
bool dependsOnCamera(const FrameInput& input);

}  // namespace slipstick::render

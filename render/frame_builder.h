// Builds frame after frame for one view, and keeps of the one before what did not change.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "render/frame.h"

namespace slipstick::render {

/// Not thread-safe: one per worker. The frames are those of buildFrame() with FrameInput::clusterSides of the
/// frame before, so that points do not flicker. What is kept of them depends on the way that the camera came, so
/// it is forgotten whenever anything else changes than the camera, the picture's size, what is pointed at and,
/// by less than a quarter of a second, the time: with every toggle, every selection, every jump, another branch
/// or model. Pairs that are not drawn as points for one frame are forgotten, too. A builder without a frame
/// before gives the frame of the plain function.
class FrameBuilder {
 public:
  FrameBuilder();
  /// With surfaces and sides of cells of its own in place of the input's.
  std::shared_ptr<const Frame> build(FrameInput input);
  /// Takes over what another one has made of deformables: of the same snapshot it need not be made twice.
  void shareSoftParts(const FrameBuilder& other) {
    key_ = other.key_;
    soft_ = other.soft_;
  }

 private:
  /// All that SoftParts depend on.
  struct SoftKey {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const Looks> looks;
    ParticleColor color = ParticleColor::Automatic;
    SoftStyle style = SoftStyle::Scene;
    ColorMap map = ColorMap::Ember;
    Section section = Section::None;
    double colorMax = 0;
    bool wireframe = false;
    bool operator==(const SoftKey&) const = default;
  };
  static SoftKey keyOf(const FrameInput& input);
  /// How contact was looked at, and what of it is handed on.
  struct ContactMemory {
    std::shared_ptr<const Model> model;
    ViewOptions options;
    Selection selection;
    std::uint32_t branch = 0;
    double time = 0;  ///< [s]
    std::vector<ClusterSide> sides;
  };
  bool follows(const FrameInput& input) const;

  SoftKey key_;
  ContactMemory before_;
  std::shared_ptr<const SoftParts> soft_;
  std::shared_ptr<FootprintCache> footprints_;
};

/// Whether a frame of this input looks otherwise from elsewhere: then it has to be built anew when the camera moves.
bool dependsOnCamera(const FrameInput& input);

}  // namespace slipstick::render

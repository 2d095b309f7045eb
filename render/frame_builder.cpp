#include "render/frame_builder.h"

#include <cmath>

#include "render/footprint_surface.h"

namespace slipstick::render {
namespace {

constexpr double kJump = 0.25;  ///< of simulated time, from frame to frame [s]

}  // namespace

FrameBuilder::SoftKey FrameBuilder::keyOf(const FrameInput& input) {
  const ViewOptions& o = input.options;
  return {input.model, input.snapshot, input.looks, o.particleColor, o.softStyle,
          o.colorMap,  o.section,      o.colorMax,  o.wireframe};
}

FrameBuilder::FrameBuilder() : footprints_(std::make_shared<FootprintCache>()) {}

bool FrameBuilder::follows(const FrameInput& input) const {
  return input.model == before_.model && input.options == before_.options &&
         input.selection == before_.selection && input.snapshot->branch == before_.branch &&
         std::abs(input.snapshot->time - before_.time) < kJump;
}

std::shared_ptr<const Frame> FrameBuilder::build(FrameInput input) {
  input.footprints = footprints_;
  input.clusterSides = follows(input) ? std::move(before_.sides) : std::vector<ClusterSide>{};
  SoftKey key = keyOf(input);
  if (!soft_ || key != key_) {
    soft_ = buildSoftParts(input);
    key_ = std::move(key);
  }
  auto frame = std::make_shared<const Frame>(buildFrame(input, soft_));
  before_ = {input.model,          input.options,
             input.selection,      input.snapshot->branch,
             input.snapshot->time, frame->contact->clusterSides};
  return frame;
}

bool dependsOnCamera(const FrameInput& input) {
  return input.options.forces && !input.snapshot->contacts.empty();
}

}  // namespace slipstick::render

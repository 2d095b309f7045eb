#include "render/frame_builder.h"

#include "render/footprint_surface.h"

namespace slipstick::render {

FrameBuilder::SoftKey FrameBuilder::keyOf(const FrameInput& input) {
  const ViewOptions& o = input.options;
  return {input.model, input.snapshot, o.particleColor, o.softStyle,
          o.colorMap,  o.section,      o.colorMax,      o.wireframe};
}

FrameBuilder::FrameBuilder() : footprints_(std::make_shared<FootprintCache>()) {}

std::shared_ptr<const Frame> FrameBuilder::build(FrameInput input) {
  input.footprints = footprints_;
  SoftKey key = keyOf(input);
  if (!soft_ || key != key_) {
    soft_ = buildSoftParts(input);
    key_ = std::move(key);
  }
  return std::make_shared<const Frame>(buildFrame(input, soft_));
}

bool dependsOnCamera(const FrameInput& input) {
  const ContactView view = input.options.contactView;
  return !input.snapshot->contacts.empty() && (view == ContactView::Automatic || view == ContactView::Points);
}

}  // namespace slipstick::render

// Frames of worlds that a test has at hand, and frames that a test changes.
#pragma once

#include "render/frame.h"

namespace slipstick::render {

inline FrameInput inputOf(const Model& model, const Snapshot& snapshot, const ViewOptions& options,
                          const Selection& selection = {}) {
  FrameInput input;
  input.model = std::make_shared<const Model>(model);
  input.snapshot = std::make_shared<const Snapshot>(snapshot);
  input.options = options;
  input.selection = selection;
  return input;
}

/// The frame's deformables to be changed: its own copy.
inline SoftParts& softOf(Frame& frame) {
  auto own = std::make_shared<SoftParts>(*frame.soft);
  frame.soft = own;
  return *own;
}

/// What the frame shows of contact, to be changed: its own copy.
inline ContactParts& contactOf(Frame& frame) {
  auto own = std::make_shared<ContactParts>(*frame.contact);
  frame.contact = own;
  return *own;
}

}  // namespace slipstick::render

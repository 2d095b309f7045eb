// The frames of bodies as small triads: of those that are selected, without a selection of all that can move.
#pragma once

#include "render/arrows.h"
#include "render/layer.h"

namespace slipstick::render {

class ReferenceFrames final : public Layer {
 public:
  static Result<ReferenceFrames> create();
  Inputs reads() const override {
    return {.poses = true, .camera = true, .options = true, .selection = true};
  }
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;

 private:
  Arrows arrows_;
  bool any_ = false;
};

}  // namespace slipstick::render

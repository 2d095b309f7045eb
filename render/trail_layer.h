// The ways that things came, as lines that fade towards the past.
#pragma once

#include "render/layer.h"
#include "render/strokes.h"

namespace slipstick::render {

class TrailLayer final : public Layer {
 public:
  static Result<TrailLayer> create();
  Inputs reads() const override { return {.trails = true, .options = true}; }
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;

 private:
  Strokes strokes_;
};

}  // namespace slipstick::render

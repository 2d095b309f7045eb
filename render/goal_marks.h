// Where tools are asked to be: a triad, and handles where a person may drag it.
#pragma once

#include "render/arrows.h"
#include "render/layer.h"
#include "render/strokes.h"

namespace slipstick::render {

class GoalMarks final : public Layer {
 public:
  static Result<GoalMarks> create();
  Inputs reads() const override { return {.ghosts = true, .camera = true, .options = true}; }
  void update(const Picture& picture) override;
  void draw(Stage stage, Pass pass) const override;

 private:
  Arrows arrows_;
  Strokes strokes_;
  bool any_ = false;
};

}  // namespace slipstick::render

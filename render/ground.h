// The studio's floor and what is behind it.
#pragma once

#include "render/layer.h"

namespace slipstick::render {

class Ground final : public Layer {
 public:
  static Result<Ground> create();
  void setModel(const Model& model) override;
  Inputs reads() const override { return {.options = true}; }
  void update(const Picture& picture) override;
  /// The background fills every pixel that is still empty.
  void draw(Stage stage, Pass pass) const override;

 private:
  void drawFloor(Pass pass) const;
  /// In place of floor and background, see ViewOptions::transparentBackground.
  void drawShadows() const;

  PassPrograms floor_;
  Program background_;
  VertexArray empty_;
  bool shown_ = false, transparent_ = false;
  float height_ =
      0;  ///< of the floor, which fades into the background with distance; grid of 0.1 m and 1 m [m]
};

}  // namespace slipstick::render

// The studio's floor and what is behind it.
#pragma once

#include "render/shader.h"

namespace slipstick::render {

class Ground {
 public:
  static Result<Ground> create();
  /// A floor at z = height that fades into the background with distance; thin grid of 0.1 m and 1 m.
  void drawFloor(Pass pass, float height, const VertexArray& empty) const;
  /// Fills every pixel that is still empty.
  void drawBackground(const VertexArray& empty) const;

 private:
  Program floor_, floorDepth_, background_;
};

}  // namespace slipstick::render

// Lines of constant width on screen: friction on footprints, rings of moments, cones.
#pragma once

#include <vector>

#include "render/frame.h"
#include "render/shader.h"

namespace slipstick::render {

class Strokes {
 public:
  static Result<Strokes> create();
  void update(const std::vector<Stroke>& strokes);
  /// Needs blending on and the depths of the scene; writes no depth. What is hidden is hinted at.
  void draw() const;

 private:
  struct Instance {
    Eigen::Vector4f from, to;  ///< w: width there [logical px]
    Eigen::Vector4f color;
    Eigen::Vector4f normal;  ///< w: reach [m]
    float foot = 0;          ///< 0, 1: disc, 2: ring
  };

  Program program_;
  VertexArray array_;
  Buffer buffer_;
  int count_ = 0;
};

}  // namespace slipstick::render

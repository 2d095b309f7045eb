// Spheres that are never tessellated: a quad per particle, the sphere found by ray casting in the fragment
// shader. Depth is exact, so spheres intersect meshes and each other correctly, cast and receive shadows.
#pragma once

#include <array>
#include <vector>

#include "render/shader.h"

namespace slipstick::render {

class Spheres {
 public:
  static Result<Spheres> create();
  /// @param colors  linear RGB, radius [m] in the fourth component; same length as centers
  void update(const std::vector<Eigen::Vector3f>& centers, const std::vector<Eigen::Vector4f>& colors);
  /// Pick ids are `firstId` + index. @param first, count  which of the spheres
  void draw(Pass pass, int first, int count) const;
  int count() const { return count_; }

 private:
  PassPrograms programs_;
  VertexArray array_;
  Buffer centers_, colors_;
  int count_ = 0;
};

}  // namespace slipstick::render

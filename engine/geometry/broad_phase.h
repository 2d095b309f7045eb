// Which axis-aligned boxes overlap: sweep and prune.
#pragma once

#include <utility>
#include <vector>

#include "engine/geometry/contact_shape.h"

namespace slipstick {

class BroadPhase {
 public:
  /// Pairs (i, j), i < j, of boxes that overlap or touch, ascending. Boxes that are infinite meet every other
  /// finite one. Allocates nothing once its buffers have grown.
  const std::vector<std::pair<int, int>>& find(const std::vector<Aabb>& boxes);

 private:
  struct End {
    double lower, upper;
    int box;
  };
  std::vector<End> ends_;
  std::vector<int> infinite_;
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace slipstick

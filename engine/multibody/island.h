// Groups of degrees of freedom that influence each other within a step: trees, joined by welds and mimic
// joints.
#pragma once

#include <vector>

#include "engine/model/model.h"

namespace slipstick::multibody {

struct Islands {
  std::vector<std::vector<int>> dofs;  ///< per island, ascending indices into v
  std::vector<int> ofDof;              ///< island of each velocity
  std::vector<int> positionInIsland;   ///< of each velocity
  std::vector<int> ofBody;             ///< island of each body; −1: it cannot move
};

Islands findIslands(const Tree& tree, const std::vector<Loop>& loops);

}  // namespace slipstick::multibody

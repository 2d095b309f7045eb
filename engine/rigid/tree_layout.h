// The rigid solver's order of velocities: kinematic trees one after the other, without prescribed motion.
#pragma once

#include <vector>

#include "engine/model/model.h"

namespace slipstick {

struct TreeLayout {
  struct Part {
    int start = 0;  ///< first velocity, solver order
    int size = 0;
    bool free = false;  ///< one body that moves freely, with or without others welded to it
  };
  std::vector<Part> trees;
  std::vector<int> solverIndex;     ///< per velocity of the model: place in solver order; −1: prescribed
  std::vector<int> modelIndex;      ///< the inverse
  std::vector<int> treeOfBody;      ///< per body; −1: the solver cannot move it
  std::vector<int> treeOfVelocity;  ///< per velocity of the model; −1: prescribed
  std::vector<int> carrier;         ///< per body: index of the prescribed joint that carries it, or −1
};

TreeLayout makeTreeLayout(const multibody::Tree& tree, const std::vector<PrescribedMotion>& prescribed);

}  // namespace slipstick

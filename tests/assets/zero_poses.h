// Where the links of a robot file are when its joints are at zero.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engine/compile/compile.h"
#include "engine/model/model.h"
#include "engine/multibody/kinematics.h"

namespace slipstick::testing {

/// Poses of all links in W when every joint is at zero, by name.
inline std::map<std::string, Pose> zeroPoses(const RobotDescription& robot) {
  Scene scene;
  RobotSpec spec;
  spec.name = "r";
  spec.description = robot;
  scene.robots.push_back(spec);
  const Result<CompiledScene> compiled = compile(scene);
  if (!compiled) {
    ADD_FAILURE() << compiled.error().message();
    return {};
  }
  const multibody::Tree& tree = compiled->model->tree;
  std::vector<Pose> X_WB;
  multibody::computePoses(tree, tree.zeroPosition(), X_WB);
  std::map<std::string, Pose> poses;
  for (std::size_t b = 1; b < X_WB.size(); ++b) poses[tree.bodies[b].name.substr(2)] = X_WB[b];
  return poses;
}

}  // namespace slipstick::testing

// Draw-ready arrays of one snapshot for one view; no OpenGL here, so it can be tested without a context.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "render/view.h"

namespace slipstick::render {

struct Arrow {
  Eigen::Vector3f from = Eigen::Vector3f::Zero();  ///< at the contact [m]
  Eigen::Vector3f vector = Eigen::Vector3f::Zero();  ///< drawn length and direction [m]
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
  int contact = -1;  ///< index into Snapshot::contacts, or −1 for a sum
};

struct Frame {
  double time = 0;
  std::vector<Pose> X_WB;                       ///< per body
  std::vector<Eigen::Vector3f> particles;       ///< [m]
  std::vector<Eigen::Vector4f> particleColors;  ///< linear RGB + radius [m] in the fourth component
  std::vector<Arrow> arrows;
  double metresPerNewton = 0;                   ///< of the arrows: what the legend states
  std::string colorTitle;                       ///< "dough · von Mises stress"
  std::string colorUnit;                        ///< "kPa"
  double colorMin = 0, colorMax = 0;            ///< in colorUnit; equal = no colour bar
  double largestForce = 0;                      ///< [N]
};

/// @param previous  scale of the last frame, for hysteresis (0 = none)
Frame buildFrame(const Model& model, const Snapshot& snapshot, const ViewOptions& options, const Selection& selection,
                 double previousMetresPerNewton = 0);

}  // namespace slipstick::render

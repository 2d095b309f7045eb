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
  Eigen::Vector3f from = Eigen::Vector3f::Zero();    ///< at the contact [m]
  Eigen::Vector3f vector = Eigen::Vector3f::Zero();  ///< drawn length and direction [m]
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
  int contact = -1;           ///< index into Snapshot::contacts, or −1 for a sum
  int members = 1;            ///< how many contacts it sums
  Selection::ContactKey key;  ///< of that contact; of the strongest member for a sum
};

/// Where a contact is: a disc while it sticks, a ring while it slips.
struct ContactMark {
  Eigen::Vector3f point = Eigen::Vector3f::Zero();  ///< [m]
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
  bool ring = false;
};

inline constexpr int kMostArrowsPerPair = 128;

struct Frame {
  double time = 0;
  std::vector<Pose> X_WB;                       ///< per body
  std::vector<Eigen::Vector3f> particles;       ///< [m]
  std::vector<Eigen::Vector4f> particleColors;  ///< linear RGB + radius [m] in the fourth component
  std::vector<Arrow> arrows;
  std::vector<ContactMark> marks;     ///< filled where ViewOptions::contactPoints
  double metresPerNewton = 0;         ///< of the arrows: what the legend states
  std::string colorTitle;             ///< "dough · von Mises stress"
  std::string colorUnit;              ///< "kPa"
  double colorMin = 0, colorMax = 0;  ///< in colorUnit; equal = no colour bar
  double largestForce = 0;            ///< of the drawn arrows [N]
};

/// Colours, arrows and marks of one snapshot. A (body, deformable) pair with more than kMostArrowsPerPair
/// contacts is thinned to sums over the cells of a grid in space; the drawn arrows still add up to all
/// contact forces of the pair. The arrow of a contact shows the force on the *body*. Contacts below
/// ViewOptions::forceThreshold draw nothing.
/// @param previousMetresPerNewton  scale of the last frame: kept while the largest arrow stays legible (0 =
/// none)
Frame buildFrame(const Model& model, const Snapshot& snapshot, const ViewOptions& options,
                 const Selection& selection, double previousMetresPerNewton = 0);

}  // namespace slipstick::render

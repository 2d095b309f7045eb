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
  int contact = -1;  ///< index into Snapshot::contacts, or −1 for a sum
  int members = 1;   ///< how many contacts it sums
  int body = 0;      ///< on which it acts
  ContactKey key;    ///< of that contact; of the strongest member for a sum
};

/// Where a contact is: a disc while it sticks, a ring while it slips.
struct ContactMark {
  Eigen::Vector3f point = Eigen::Vector3f::Zero();  ///< [m]
  Eigen::Vector3f normal = Eigen::Vector3f::UnitZ();
  Eigen::Vector4f color = Eigen::Vector4f::Ones();
  bool ring = false;
};

/// A contact surface between two rigid bodies.
struct PatchSurface {
  std::vector<Eigen::Vector4f> triangles;            ///< triples of (point [m], pressure / top of the bar)
  std::vector<Eigen::Vector3f> outline;              ///< both ends of every edge of the rim [m]
  Eigen::Vector3f center = Eigen::Vector3f::Zero();  ///< mean of the vertices [m]
  /// How far behind the surface that is seen it still shows fully: what presses on it hides it by so much
  /// [m].
  float reach = 0;
  bool selected = false;  ///< a contact of it is
};

/// What the colours of one quantity mean.
struct ColorBar {
  std::string title;        ///< "dough · von Mises stress"
  std::string unit;         ///< "kPa"
  double min = 0, max = 0;  ///< in `unit`; equal = there is none
  bool isShown() const { return max > min; }
};

inline constexpr int kMostArrowsPerPair = 128;

struct Frame {
  double time = 0;
  std::vector<Pose> X_WB;                       ///< per body
  std::vector<Eigen::Vector3f> particles;       ///< [m]
  std::vector<Eigen::Vector4f> particleColors;  ///< linear RGB + radius [m] in the fourth component
  std::vector<Arrow> arrows;
  std::vector<ContactMark> marks;  ///< ViewOptions::contactPoints: all; ViewOptions::pressure: rigid points
  std::vector<PatchSurface> patches;  ///< one per Snapshot::patches where ViewOptions::pressure
  double metresPerNewton = 0;         ///< of the arrows: what the legend states
  ColorBar particleBar, pressureBar;
  double largestForce = 0;  ///< of the drawn arrows [N]
};

/// Colours, arrows and marks of one snapshot. A (body, deformable) pair with more than kMostArrowsPerPair
/// contacts is thinned to sums over the cells of a grid in space; the drawn arrows still add up to all
/// contact forces of the pair. The contacts between two rigid geometries are one arrow per surface, or per
/// direction where they touch in points, and single arrows once one of them is selected. An arrow shows the
/// force on the *body*; of two bodies on the one that is selected, else on the one that can move. Contacts
/// below ViewOptions::forceThreshold draw nothing.
/// @param previousMetresPerNewton  scale of the last frame: kept while the largest arrow stays legible (0 =
/// none)
Frame buildFrame(const Model& model, const Snapshot& snapshot, const ViewOptions& options,
                 const Selection& selection, double previousMetresPerNewton = 0);

}  // namespace slipstick::render

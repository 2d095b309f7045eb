// What the pads of a gripper feel: the contact forces on each finger, as an image of the face that closes.
#pragma once

#include <array>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

/// The face with which a finger closes: the side of the box around its foremost shapes. Frame P stands in its middle: z
/// outwards, y along the finger away from the hand, x to the right of who looks at the face with y up; all of them along
/// axes of the body.
struct TactilePad {
  int body = 0;  ///< index into Tree::bodies
  Pose X_BP;
  double width = 0, height = 0;  ///< along x and y [m]
};

/// Of the bodies that a gripper's joints move and that have shapes which touch, ascending. Empty without a gripper.
std::vector<TactilePad> tactilePads(const Model& model, const Effector& effector);

/// Forces on a pad, each at the cell where it acts. What touches the finger beside the face or behind it counts at the
/// nearest cell, so that the cells sum to all contact forces on the body.
struct TactileImage {
  static constexpr int kSide = 16;
  /// By row, from the tip of the finger to the hand, and column along x: the force [N] into the face (against z; negative
  /// where the finger is pressed from behind), along x, and along y, on the finger.
  std::array<std::array<Vec3, kSide>, kSide> cells;
};

/// @param contacts  and X_WB of one step
TactileImage tactileImage(const TactilePad& pad, const std::vector<Contact>& contacts,
                          const std::vector<Pose>& X_WB);

}  // namespace slipstick

// The rigid world: bodies joined into trees that hang from the world body (index 0).
#pragma once

#include <string>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/multibody/joint.h"

namespace slipstick::multibody {

/// A rigid body; its frame B is the child-side frame of the joint that leads to it (URDF link frame).
struct Body {
  std::string name;             ///< "robot.link", unique
  double mass = 0;              ///< [kg]
  Vec3 com = Vec3::Zero();      ///< p_BoBcm_B: centre of mass [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, B axes [kg m²]
  int joint = -1;               ///< the joint whose child this is; −1 for the world
};

/// Bodies and joints, parents before children: joints[i].child == i + 1 and joints[i].parent ≤ i.
struct Tree {
  std::vector<Body> bodies;  ///< bodies[0] is the world
  std::vector<Joint> joints;
  int nq = 0;  ///< length of q
  int nv = 0;  ///< length of v

  /// A tree that holds the world only.
  Tree();

  /// Appends a body and the joint that leads to it; fills the joint's child, qStart and vStart.
  /// @return index of the new body. Requires joint.parent < bodies.size().
  int add(Body body, Joint joint);

  int parentOf(int body) const { return joints[static_cast<std::size_t>(body - 1)].parent; }

  /// q with every joint at its zero position (unit quaternions).
  VecX zeroPosition() const;
};

}  // namespace slipstick::multibody

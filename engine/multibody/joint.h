// Joints of a kinematic tree.
#pragma once

#include <array>
#include <limits>
#include <string>

#include "engine/foundation/math.h"
#include "engine/multibody/effort_range.h"

namespace slipstick::multibody {

/// | type       | q                                   | v                                                   |
/// |------------|-------------------------------------|-----------------------------------------------------|
/// | Fixed      | –                                   | –                                                   |
/// | Revolute   | angle [rad]                         | rate                                                |
/// | Continuous | angle [rad], no limits              | rate                                                |
/// | Prismatic  | displacement [m]                    | rate                                                |
/// | Ball       | quaternion (w x y z), child in J    | angular velocity of the child relative to J, J axes |
/// | Planar     | x, y [m] in J, then angle about z   | their derivatives                                   |
/// | Floating   | position (3), quaternion (w x y z)  | angular velocity (3), velocity of child's origin |
///
/// J is the parent-side joint frame. Floating: position, angular velocity and velocity are expressed in J.
enum class JointType { Fixed, Revolute, Continuous, Prismatic, Ball, Planar, Floating };

constexpr int positionCount(JointType type) {
  constexpr std::array<int, 7> count = {0, 1, 1, 1, 4, 3, 7};
  return count[static_cast<std::size_t>(type)];
}
constexpr int velocityCount(JointType type) {
  constexpr std::array<int, 7> count = {0, 1, 1, 1, 3, 3, 6};
  return count[static_cast<std::size_t>(type)];
}

/// Connects `parent` to `child` (indices into Tree::bodies). The child's frame is the child-side joint frame,
/// so that at q = 0 the child's pose in its parent is X_PJ.
struct Joint {
  std::string name;
  JointType type = JointType::Fixed;
  int parent = 0;
  int child = 0;
  Pose X_PJ = {};  ///< parent-side joint frame in the parent's frame
  /// Unit, in J; revolute, continuous, prismatic; planar: the normal (always z of J).
  Vec3 axis = Vec3::UnitZ();
  double lower = -std::numeric_limits<double>::infinity();  ///< position limit [rad] or [m], 1-DoF joints
  double upper = std::numeric_limits<double>::infinity();
  /// For controllers, not enforced [rad/s] or [m/s].
  double velocityLimit = std::numeric_limits<double>::infinity();
  EffortRange effortLimit;  ///< of the joint's actuator [N m] or [N]
  double damping = 0;       ///< viscous [N m s/rad] or [N s/m], implicit; applied to every velocity component
  double dryFriction = 0;   ///< [N m] or [N]
  double armature = 0;      ///< reflected rotor inertia on the diagonal of M [kg m²] or [kg]
  double stiffness = 0;     ///< of a spring in it, implicit; 1-DoF joints [N m/rad] or [N/m]
  double springReference = 0;  ///< where the spring is at rest [rad] or [m]
  int mimic = -1;  ///< index of the joint it follows, or −1: q = mimicRatio · q_other + mimicOffset
  double mimicRatio = 1;
  double mimicOffset = 0;
  int qStart = 0;  ///< first index in q
  int vStart = 0;  ///< first index in v
};

}  // namespace slipstick::multibody

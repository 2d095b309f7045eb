// What a person drives of a robot: the tool at the end of an arm, and the fingers on it.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/multibody/chain.h"

namespace slipstick {

/// How fast a tool goes to where it is asked to be.
struct EffectorSpeed {
  double linear = 0.3;           ///< [m/s]
  double acceleration = 2;       ///< [m/s²]
  double turn = 1.5;             ///< [rad/s]
  double turnAcceleration = 10;  ///< [rad/s²]
  bool operator==(const EffectorSpeed&) const = default;
};

/// Fingers that one number closes together: a synergy.
struct GripperRangeSpec {
  std::string robot;                ///< whose joints they are
  std::vector<std::string> joints;  ///< empty: every joint of the robot that moves by itself
  /// Positions where it is open and closed, one per joint or one for all [m] or [rad]; empty: the joints' upper and lower
  /// limits for sliding fingers, 0 and most of the way to the limit farther from 0 for turning ones.
  std::vector<double> open, closed;
  std::optional<double>
      effort;                ///< largest per joint; by default 20 N of sliding fingers, 1 N m of turning ones
  double closingTime = 0.5;  ///< from open to closed [s]
};

/// An end effector of a scene's file; see assets/scene_format.md, 'teleop'.
struct EffectorSpec {
  std::string name;
  std::string robot, link;
  Pose X_LE;  ///< tool frame in the link's
  EffectorSpeed speed;
  /// The tool frame's origin stays inside of it [m].
  Vec3 lower = Vec3::Constant(-std::numeric_limits<double>::infinity()),
       upper = Vec3::Constant(std::numeric_limits<double>::infinity());
  std::optional<GripperRangeSpec> gripper;
};

struct Gripper {
  std::vector<int> joints;           ///< into Tree::joints; empty: none
  std::vector<double> open, closed;  ///< per joint [m] or [rad]
  double effort = 0;                 ///< largest per joint [N] or [N m]
  std::vector<double> kp, kd;        ///< per joint: of gripperGains()
  double closingTime = 0.5;          ///< from open to closed [s]
};

/// See EffectorSpec; of robots that the scene names none of, one is found at the end of every arm.
struct Effector {
  std::string name;
  multibody::Chain chain;
  EffectorSpeed speed;
  Vec3 lower = Vec3::Constant(-std::numeric_limits<double>::infinity()),
       upper = Vec3::Constant(std::numeric_limits<double>::infinity());
  Gripper gripper;
};

}  // namespace slipstick

// What a person does to a running simulation. Applied only between two steps, stamped with the step, and
// logged. Commands say what a person wants; the step evaluates them against the state that it finds.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/foundation/math.h"
#include "engine/foundation/result.h"

namespace slipstick {

struct Model;

/// Changes one number; see engine/model/parameters.h.
struct SetParameter {
  std::string path;           ///< as in the scene's file: "materials.dough.E", "gravity.z"
  std::vector<double> value;  ///< one number or a list; empty: not set here, what is further out decides
};

/// Pulls a point of a body, or the particles around one, towards a goal: a critically damped spring times the
/// effective mass at that point, capped. It stays until it is replaced or released.
struct Pull {
  std::int32_t body = -1;        ///< index into Tree::bodies; −1: particles are pulled
  std::int32_t particle = -1;    ///< index into the particle arrays, where no body is pulled
  Vec3 p_B = Vec3::Zero();       ///< gripped point of the body, in its frame [m]
  Vec3 goal_W = Vec3::Zero();    ///< where it shall be [m]
  double naturalFrequency = 20;  ///< ω of the spring, > 0: its stiffness per mass is ω² [rad/s]
};

/// Turns a body towards an orientation, as Pull moves a point.
struct Twist {
  std::int32_t body = 0;
  Quat goal_WB = Quat::Identity();
  double naturalFrequency = 20;  ///< [rad/s]
};

/// Lets go of everything that is pulled or twisted.
struct Release {};

/// Drives a joint of one degree of freedom to a position and holds it there, whatever of the scene moves it. It
/// stays until it is replaced or the joint is freed.
struct DriveJoint {
  std::int32_t joint = 0;  ///< index into Tree::joints; none that follows another one
  double goal = 0;         ///< [rad] or [m]; taken to the nearest that the joint's limits allow
};

/// Lets go of a driven joint: what the scene says moves it again.
struct FreeJoint {
  std::int32_t joint = 0;
};

/// Puts a body with a free base to a pose, at rest.
struct Place {
  std::int32_t body = 0;
  Pose X_WB;
};

/// Moves a tool to a pose and holds it there, whatever of the scene moves its arm. It stays until it is replaced, until
/// the effector is let go, or until one of its joints is driven by itself.
struct Goal {
  std::int32_t effector = 0;  ///< index into Model::effectors
  Vec3 p = Vec3::Zero();      ///< of the tool frame, in W [m]; taken to the nearest point of its workspace
  Quat R = Quat::Identity();  ///< orientation of the tool frame in W, of any length but 0
};

/// Closes the fingers of an effector.
struct Grip {
  std::int32_t effector = 0;
  double closing = 0;  ///< 0 open … 1 closed
};

/// Moves an arm to another inverse-kinematics solution of its goal, if there is one, where joint limits block the one that it
/// has. It moves joint by joint: meanwhile the tool leaves its path.
struct Reposture {
  std::int32_t effector = 0;
};

/// What the scene says moves the effector's joints and fingers again.
struct LetGo {
  std::int32_t effector = 0;
};

using Command = std::variant<SetParameter, Pull, Twist, Release, DriveJoint, FreeJoint, Place, Goal, Grip,
                             Reposture, LetGo>;

/// Whether a person can drive the joint: one degree of freedom, and it follows no other.
bool canDrive(const Model& model, int joint);
/// Whether a person can put the body somewhere: it hangs from nothing, and no path moves it.
bool canPlace(const Model& model, int body);

/// Whether a command can be applied: its path and number, its indices. Errors say what, where and what to do.
Result<void> check(const Command& command, const Model& model);

/// A command with the step before which it was applied.
struct StampedCommand {
  std::uint64_t step = 0;
  Command command;
};

}  // namespace slipstick

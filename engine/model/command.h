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

using Command = std::variant<SetParameter, Pull, Twist, Release>;

/// Whether a command can be applied: its path and number, its indices. Errors say what, where and what to do.
Result<void> check(const Command& command, const Model& model);

/// A command with the step before which it was applied.
struct StampedCommand {
  std::uint64_t step = 0;
  Command command;
};

}  // namespace slipstick

// The link that a file's own world becomes.
#pragma once

namespace slipstick {

struct Model;
struct Robot;

/// A root link of this name is no part of a mechanism: it is the world that a file brings (<worldbody> of MJCF), with the
/// ground and the furniture that are fixed to it. What hangs from it meets it like any other thing, and each that does
/// is a mechanism of its own.
inline constexpr const char* kWorldLink = "worldbody";

/// Whether a robot's file brings a world of its own; its first body is that.
bool bringsWorld(const Model& model, const Robot& robot);

/// Whether a body of the robot is that world, or fixed to it.
bool isOfItsWorld(const Model& model, const Robot& robot, int body);

}  // namespace slipstick

// The reset of a task: the same scene with its things a little elsewhere, drawn from a seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/model/scene.h"

namespace slipstick {

/// Random numbers that are the same on every machine and in every version: SplitMix64 (Steele, Lea & Flood 2014).
class SeededDraw {
 public:
  explicit SeededDraw(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// lower + (upper − lower) u, where u = k 2⁻⁵³ and k are the upper 53 bits of next(). One number is drawn also where
  /// both limits are equal.
  double within(const DrawRange& range);

 private:
  std::uint64_t state_;
};

/// Where a joint with one position stands at the start [rad] or [m]; nothing where the robot has no such joint.
std::optional<double> startOf(const RobotSpec& robot, const std::string& joint);

/// The scene after the reset of its task with a seed, which it then says in TaskSpec::seed. Draws, entry by entry of
/// the reset, the offsets along x, y and z, the yaw, and the joints in their order; what comes later in the list does
/// not change what comes before. Things and joints that the scene does not have are left out: compile() refuses them.
/// @param scene  as its author has it, with a task   @param seed  at most kLargestSeed
Scene randomised(const Scene& scene, std::uint64_t seed);

}  // namespace slipstick

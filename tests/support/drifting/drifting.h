// A method for tests: bodies and tetrahedra drift freely, without weight. It shares nothing with the methods of the program, so
// that tests with it find out what the program takes for granted of a method.
#pragma once

#include <string_view>

#include "engine/model/method_rows.h"
#include "engine/step/registry.h"

namespace slipstick::drifting {

inline constexpr std::string_view kName = "drifting";
/// Two tetrahedra whose nearest nodes are nearer than this push each other away.
inline constexpr MethodSetting kReach{
    "reach", "m", {0, 10}, 0.05, "distance below which two tetrahedra push each other away"};
/// Two tetrahedra are nearer than half of the reach.
inline constexpr Health kCrowded = ownFlag(0);

MethodEntry method();

}  // namespace slipstick::drifting

// What a person does with the pointer, as forces on bodies.
#pragma once

#include <vector>

#include "engine/model/model.h"
#include "engine/model/state.h"

namespace slipstick {

/// Adds the wrenches of State::pulls on bodies and of State::twists, per body about its origin [N, N m]:
/// those that give the gripped point the acceleration of a critically damped spring, at most 60 m/s² (400
/// rad/s²), against the mobility that it has now in its mechanism, without loops and contacts. A pull brakes
/// the body's turning as well, for otherwise it would swing about the point for good. What joints do not let move is not pulled. Springs that the step
/// cannot resolve act softer.
/// @return the force of all pulls and the torque of all twists [N, N m]
Wrench addIntentWrenches(const Model& model, const State& state, const std::vector<Pose>& X_WB,
                         const std::vector<Velocity>& V_WB, std::vector<Wrench>& wrenches);

}  // namespace slipstick

// Rigid bodies in coordinates of the method's own: poses and velocities, which it remembers beside the tree's q.
#pragma once

#include <string_view>
#include <vector>

#include "engine/model/state.h"
#include "engine/step/method.h"

namespace slipstick::drifting {

/// Of what a state remembers of bodies.
inline constexpr std::string_view kMemory = "drift";

/// Whether a joint is one of a body that floats by itself.
bool floats(const multibody::Joint& joint);

/// Puts the remembered poses in the place of the tree's.
void takePoses(const Model& model, const State& state, std::vector<Pose>& X_WB);
/// The same of velocities.
void takeVelocities(const Model& model, const State& state, std::vector<Velocity>& V_WB);

/// Moves all floating bodies on by a step: nothing but people's and scripts' forces changes their velocities.
void moveBodies(const Model& model, const StepFrame& frame, MethodMemory memory);

/// A body is where the tree's q has it.
void forget(const Model& model, int body, MethodMemory memory);

/// What one model's state remembers, for another model; bodies that are new in it start where its tree has them.
VecX carried(const Model& from, const VecX& memory, const Model& to);

}  // namespace slipstick::drifting

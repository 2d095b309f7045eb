// A running state after its scene was edited.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/model/command.h"
#include "engine/model/model.h"
#include "engine/model/state.h"

namespace slipstick {

/// What a method remembered, by name, in the terms of another model; empty: it starts anew.
using CarryMemory = std::function<VecX(std::string_view name, const VecX& values)>;

/// The state of one model in the terms of another. Joints, loops, pulls, twists and nodes of deformables are
/// carried over by name, where both models have as many of them, and every number in force by the path of its
/// parameter; what is new starts as its scene says. Step and time go on.
/// @param start        how the soft bodies of the other model start, as its method says
/// @param carryMemory  of the method that goes on
State carryOver(const std::shared_ptr<const Model>& from, const State& state,
                const std::shared_ptr<const Model>& to, SoftState start, const CarryMemory& carryMemory);

/// A command that was meant for one model in the terms of another; none where what it names is gone.
std::optional<Command> inTermsOf(const Command& command, const Model& from, const Model& to);

}  // namespace slipstick

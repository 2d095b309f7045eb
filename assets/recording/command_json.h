// What a person did, and what of it still acts, as JSON in a recording.
#pragma once

#include <string>

#include "engine/foundation/result.h"
#include "engine/model/command.h"
#include "engine/model/state.h"

namespace slipstick::assets::recording {

/// {"set": "materials.dough.E", "value": [20000]}, {"pull": …}, {"release": true} …
std::string textOf(const Command& command);
Result<Command> commandOf(const std::string& text);

/// Pulls, twists and drives of a state.
std::string textOfGrips(const State& state);
Result<void> readGrips(const std::string& text, State& state);

}  // namespace slipstick::assets::recording

// The one check that every command passes before it is applied, wherever it comes from.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/model/command.h"
#include "engine/model/model.h"

namespace slipstick {

/// Commands that could not be applied, and so were left out.
struct DroppedCommands {
  std::uint64_t count = 0;
  std::string why;  ///< of the last: what, where, what to do
  bool operator==(const DroppedCommands&) const = default;
};

/// Leaves out what check() refuses, and numbers that do not fit beside those in force and those before them in the list.
/// @param inForce  a tuning of the model
/// @param dropped  is added to
void dropBadCommands(std::vector<Command>& commands, const Model& model, const Tuning& inForce,
                     DroppedCommands& dropped);

/// The numbers in force after commands that were let through. @return `inForce` where none sets any
std::shared_ptr<const Tuning> tuningAfter(std::span<const Command> commands, const Model& model,
                                          std::shared_ptr<const Tuning> inForce);

}  // namespace slipstick

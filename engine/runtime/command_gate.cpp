#include "engine/runtime/command_gate.h"

#include <optional>

#include "engine/foundation/require.h"
#include "engine/model/parameters.h"

namespace slipstick {
namespace {

/// Lets commands through in their order.
class Gate {
 public:
  Gate(const Model& model, const Tuning& inForce) : model_(model), inForce_(inForce) {}

  Result<void> admit(const Command& command) {
    const auto* set = std::get_if<SetParameter>(&command);
    if (!set) return check(command, model_);
    if (!tuning_) tuning_ = inForce_;
    return setParameter(model_, set->path, set->value, *tuning_);
  }

 private:
  const Model& model_;
  const Tuning& inForce_;
  std::optional<Tuning> tuning_;  ///< after the numbers that were let through; few steps need it
};

}  // namespace

void dropBadCommands(std::vector<Command>& commands, const Model& model, const Tuning& inForce,
                     DroppedCommands& dropped) {
  Gate gate(model, inForce);
  std::erase_if(commands, [&](const Command& command) {
    const Result<void> admitted = gate.admit(command);
    if (admitted) return false;
    dropped.why = admitted.error().message();
    ++dropped.count;
    return true;
  });
}

std::shared_ptr<const Tuning> tuningAfter(std::span<const Command> commands, const Model& model,
                                          std::shared_ptr<const Tuning> inForce) {
  std::shared_ptr<Tuning> next;
  for (const Command& command : commands) {
    const auto* set = std::get_if<SetParameter>(&command);
    if (!set) continue;
    if (!next) next = std::make_shared<Tuning>(*inForce);
    SIM_REQUIRE(setParameter(model, set->path, set->value, *next));
  }
  if (next) return next;
  return inForce;
}

}  // namespace slipstick

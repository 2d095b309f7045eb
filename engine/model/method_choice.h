// Which method steps a scene that names none, and in what words the program says so.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/frozen_motion.h"
#include "engine/model/model.h"

namespace slipstick {

/// What a scene writes, or leaves out, that has its method chosen.
inline constexpr std::string_view kAutoMethod = "auto";
/// The two that are chosen from: bodies keep their velocity while soft things are stepped, or are solved for with them.
inline constexpr std::string_view kFrozenMethod = "async", kCoupledMethod = "strong";

inline bool isChosenFor(const SolverSpec& solver) {
  return solver.method.empty() || solver.method == kAutoMethod;
}
/// Whether the model's scene leaves its method to the program.
inline bool isChosenFor(const Model& model) {
  return model.scene && isChosenFor(model.scene->solver);
}

/// "async" where every body that particles can touch may be frozen, else "strong".
inline std::string_view chosenMethod(const FrozenMotion& worst) {
  return mayFreeze(worst) ? kFrozenMethod : kCoupledMethod;
}

/// "strong, as grip.finger (1 g, assumed) is too light for async at 5 ms", "async, as every body is heavy beside
/// what presses it at 5 ms; lightest: …"; without a body that particles can touch: "async".
/// @param method  that steps the model
/// @param assumed  see assumedMasses()
std::string choiceInWords(const Model& model, const FrozenMotion& worst, std::string_view method,
                          const std::vector<char>& assumed);

/// "grip.finger (1 g, assumed) is too light for async at 5 ms: forces may be wrong; use strong": where a method freezes
/// what that turns round.
std::optional<std::string> frozenWarning(const Model& model, const FrozenMotion& worst,
                                         std::string_view method, const std::vector<char>& assumed);

/// The same model with what the method adds to the tables of observables, phases and flags, see Model::own; what the model
/// says of its choice stays.
std::shared_ptr<const Model> withRowsOf(std::shared_ptr<const Model> model, const std::string& method);

/// What a method adds, of the methods that the model knows; null: nothing.
std::shared_ptr<const MethodRows> rowsOf(const Model& model, std::string_view method);

/// Whether the model's soft bodies are the nodes that a method makes of them, see engine/compile/method_change.h.
bool hasNodesOf(const Model& model, std::string_view method);

}  // namespace slipstick

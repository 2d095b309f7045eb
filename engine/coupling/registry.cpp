#include "engine/coupling/registry.h"

#include <algorithm>

#include "engine/foundation/require.h"
#include "engine/model/method_choice.h"
#include "engine/mpm/backend_failure.h"

namespace slipstick {

namespace {

/// "a, b or c"
std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 < names.size() ? ", " : " or ";
    list += names[i];
  }
  return list;
}

template <class Entries>
std::vector<std::string> namesOf(const Entries& entries) {
  std::vector<std::string> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  return names;
}

template <class Entry>
const Entry* find(const std::vector<Entry>& entries, const std::string& name) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

/// The first reason, and how many others there are.
Error refusal(const MethodEntry& method, const std::vector<Error>& obstacles) {
  Error error = obstacles.front();
  error.what = "the method '" + method.name + "' cannot step this: " + error.what;
  if (obstacles.size() > 1)
    error.what += " (and " + std::to_string(obstacles.size() - 1) + " more obstacles)";
  return error;
}

}  // namespace

std::string Registry::backendNames() const {
  std::vector<std::string> names = namesOf(backends_);
  names.insert(names.begin(), "auto");
  return listed(names);
}

std::string Registry::methodNames() const {
  std::vector<std::string> names = namesOf(methods_);
  names.insert(names.begin(), std::string(kAutoMethod));
  return listed(names);
}

Result<const MethodEntry*> Registry::findMethod(const Model& model, const StepperOptions& options) const {
  SIM_REQUIRE(!methods_.empty());
  const std::string& name = options.method.empty() ? model.solver.method : options.method;
  if (options.method == kAutoMethod || (options.method.empty() && isChosenFor(model)))
    return chosenFor(model, options);
  if (name.empty()) return &methods_.front();
  if (const MethodEntry* method = find(methods_, name)) return method;
  const std::string where = options.method.empty() ? model.file + ", solver.method '" : "method '";
  return Error{ErrorCode::UnknownName, "there is no such method", where + name + "'",
               "choose " + methodNames()};
}

/// What a model carries was chosen when it was compiled: edits of a running scene keep it.
const MethodEntry* Registry::chosenFor(const Model& model, const StepperOptions& options) const {
  const std::string name =
      options.method.empty() ? model.solver.method : std::string(chosenMethod(worstFrozenMotion(model)));
  const MethodEntry* method = find(methods_, name);
  return method && obstacles(*method, model, options.backend).empty() ? method : &methods_.front();
}

std::optional<Error> Registry::backendObstacle(const MethodEntry& method, const Model& model,
                                               const std::string& backend) const {
  if (backend == "auto") return {};
  // Recordings name what stepped them: the name of a backend that is a method's own is the method's.
  if (method.ownBackend && backend != method.name)
    return Error{ErrorCode::Unsupported, "the method '" + method.name + "' steps soft things by itself",
                 "backend '" + backend + "'", "leave the backend out, or choose auto"};
  const BackendEntry* const entry = find(backends_, backend);
  if (method.ownBackend || !entry || entry->couplesStrongly || !method.couplesStrongly ||
      model.particleCount() == 0)
    return {};
  return Error{ErrorCode::Unsupported,
               "the method '" + method.name + "' moves rigid bodies within a step, which this backend cannot",
               "backend '" + backend + "'", "choose auto, or the method async"};
}

std::vector<Error> Registry::obstacles(const MethodEntry& method, const Model& model,
                                       const std::string& backend) const {
  std::vector<Error> all = method.obstacles(model);
  if (std::optional<Error> error = backendObstacle(method, model, backend)) all.push_back(std::move(*error));
  return all;
}

Result<std::string> Registry::methodFor(const Model& model, const StepperOptions& options) const {
  const Result<const MethodEntry*> method = findMethod(model, options);
  if (!method) return method.error();
  return (*method)->name;
}

Result<std::unique_ptr<mpm::Backend>> Registry::makeBackend(const MethodEntry& method,
                                                            const std::shared_ptr<const Model>& model,
                                                            const StepperOptions& options) const {
  SIM_REQUIRE(!backends_.empty());
  if (method.ownBackend) {
    if (const auto obstacle = backendObstacle(method, *model, options.backend)) return *obstacle;
    return model->particleCount() == 0 ? nullptr : method.ownBackend(model);
  }
  const auto suits = [&](const BackendEntry& entry) {
    return entry.couplesStrongly || !method.couplesStrongly;
  };
  const auto first = std::find_if(backends_.begin(), backends_.end(), suits);
  const BackendEntry* backend = options.backend != "auto"  ? find(backends_, options.backend)
                                : first == backends_.end() ? &backends_.front()
                                                           : &*first;
  if (!backend)
    return Error{ErrorCode::UnknownName, "there is no such backend", "backend '" + options.backend + "'",
                 "choose " + backendNames()};
  if (const auto obstacle = backendObstacle(method, *model, backend->name)) return *obstacle;
  if (model->particleCount() == 0) return std::unique_ptr<mpm::Backend>();
  return backend->make(model, options.threads);
}

Result<std::unique_ptr<Stepper>> Registry::makeStepper(std::shared_ptr<const Model> model,
                                                       const StepperOptions& options) const {
  const Result<const MethodEntry*> method = findMethod(*model, options);
  if (!method) return method.error();
  const std::vector<Error> obstacles = (*method)->obstacles(*model);
  if (!obstacles.empty()) return refusal(**method, obstacles);
  try {
    Result<std::unique_ptr<mpm::Backend>> backend = makeBackend(**method, model, options);
    if (!backend) return backend.error();
    return (*method)->make(std::move(model), std::move(*backend));
  } catch (const mpm::BackendFailure& failure) {  // no memory for the particles, say
    return failure.error();
  }
}

}  // namespace slipstick

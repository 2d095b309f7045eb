#include "engine/step/registry.h"

#include <algorithm>

#include "engine/foundation/require.h"
#include "engine/model/method_choice.h"
#include "engine/model/step_failure.h"
#include "engine/step/method_stepper.h"

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

bool isAmong(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const MethodEntry* find(const std::vector<MethodEntry>& methods, const std::string& name) {
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const MethodEntry& entry) { return entry.name == name; });
  return found == methods.end() ? nullptr : &*found;
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

void Registry::add(MethodEntry method) {
  SIM_REQUIRE(!method.name.empty() && method.name != kAutoMethod && !find(methods_, method.name),
              method.name);
  methods_.push_back(std::move(method));
}

void Registry::add(std::vector<MethodEntry> methods) {
  for (MethodEntry& method : methods) add(std::move(method));
}

std::shared_ptr<const AllMethodRows> Registry::table() const {
  return std::make_shared<const AllMethodRows>(std::vector<MethodRows>(methods_.begin(), methods_.end()));
}

std::vector<std::string> Registry::backends() const {
  std::vector<std::string> names;
  for (const MethodEntry& method : methods_)
    for (const std::string& backend : method.backends)
      if (!isAmong(names, backend)) names.push_back(backend);
  return names;
}

std::string Registry::backendNames() const {
  std::vector<std::string> names = backends();
  names.insert(names.begin(), std::string(kAutoBackend));
  return listed(names);
}

std::string Registry::methodNames() const {
  std::vector<std::string> names = {std::string(kAutoMethod)};
  for (const MethodEntry& method : methods_) names.push_back(method.name);
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

bool Registry::isBackend(const std::string& name) const {
  return std::any_of(methods_.begin(), methods_.end(),
                     [&](const MethodEntry& method) { return isAmong(method.backends, name); });
}

/// A scene without soft bodies needs nothing of a backend. A name that no method knows is another error.
std::optional<Error> Registry::backendObstacle(const MethodEntry& method, const Model& model,
                                               const std::string& backend) const {
  if (backend == kAutoBackend || isAmong(method.backends, backend)) return {};
  // Recordings name what stepped them: where a method has no choice, that is its own name.
  const bool hasChoice = !method.backends.empty();
  if (hasChoice ? model.nodeCount() == 0 || !isBackend(backend) : backend == method.name) return {};
  return Error{ErrorCode::Unsupported, "the method '" + method.name + "' " + method.noOtherBackend,
               "backend '" + backend + "'", method.backendRemedy};
}

std::vector<Error> Registry::obstacles(const MethodEntry& method, const Model& model,
                                       const std::string& backend) const {
  std::vector<Error> all = method.obstacles(model);
  if (std::optional<Error> error = backendObstacle(method, model, backend)) all.push_back(std::move(*error));
  return all;
}

std::vector<std::string> Registry::notes(const std::string& method, const Model& model) const {
  const MethodEntry* entry = find(methods_, method);
  return entry && entry->notes ? entry->notes(model) : std::vector<std::string>();
}

Result<std::string> Registry::methodFor(const Model& model, const StepperOptions& options) const {
  const Result<const MethodEntry*> method = findMethod(model, options);
  if (!method) return method.error();
  return (*method)->name;
}

/// What the method is to run on; empty: it has no choice.
Result<std::string> Registry::backendFor(const MethodEntry& method, const Model& model,
                                         const std::string& asked) const {
  if (auto obstacle = backendObstacle(method, model, asked)) return *std::move(obstacle);
  if (method.backends.empty()) return std::string();
  if (asked == kAutoBackend) return method.backends.front();
  if (isAmong(method.backends, asked)) return asked;
  if (isBackend(asked)) return method.backends.front();
  return Error{ErrorCode::UnknownName, "there is no such backend", "backend '" + asked + "'",
               "choose " + backendNames()};
}

Result<std::unique_ptr<Stepper>> Registry::makeStepper(std::shared_ptr<const Model> model,
                                                       const StepperOptions& options) const {
  const Result<const MethodEntry*> entry = findMethod(*model, options);
  if (!entry) return entry.error();
  if (!model->deformables.empty() && (*entry)->discretize != model->discretize)
    return Error{ErrorCode::Unsupported, "its soft bodies are made for another method", model->file,
                 "write solver: {method: " + (*entry)->name + "} in the scene"};
  const std::vector<Error> obstacles = (*entry)->obstacles(*model);
  if (!obstacles.empty()) return refusal(**entry, obstacles);
  const Result<std::string> backend = backendFor(**entry, *model, options.backend);
  if (!backend) return backend.error();
  try {
    Result<std::unique_ptr<Method>> method = (*entry)->make({model, *backend, options.threads});
    if (!method) return method.error();
    return std::unique_ptr<Stepper>(
        std::make_unique<MethodStepper>((*entry)->name, std::move(model), std::move(*method)));
  } catch (const StepFailure& failure) {  // no memory for the particles, say
    return failure.error();
  }
}

}  // namespace slipstick

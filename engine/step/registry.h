// What can step a model: methods, and the backends that they run on. The program fills it; nothing in engine/step names one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/method_rows.h"
#include "engine/step/method.h"
#include "engine/step/stepper.h"

namespace slipstick {

/// What a method is made for.
struct MethodContext {
  std::shared_ptr<const Model> model;
  std::string backend;  ///< one of the method's, or empty where it has no choice
  int threads = 0;      ///< 0: all cores
};

/// With the rows that the method adds to the tables of settings, observables, phases and health flags.
struct MethodEntry : MethodRows {
  std::string description;
  /// Why the method cannot step a model, each with what, where and remedy; empty: it can.
  std::function<std::vector<Error>(const Model&)> obstacles;
  /// What a model says that the method ignores, and why, a line for each; unset: nothing.
  std::function<std::vector<std::string>(const Model&)> notes;
  /// Names of what its soft bodies can be stepped on, the one first that "auto" stands for. Empty: it has no choice.
  std::vector<std::string> backends;
  /// Why it cannot use another one, and what to do.
  std::string noOtherBackend, backendRemedy;
  std::function<Result<std::unique_ptr<Method>>(const MethodContext&)> make;
};

class Registry {
 public:
  /// A scene that names no method gets what was chosen for its model (engine/model/method_choice.h); where that cannot step
  /// it, or not on the backend that is asked for, the first method.
  /// Requires a name that no other method has, nor "auto", nor a key of `solver` in scenes, beside which its settings stand.
  void add(MethodEntry method);
  void add(std::vector<MethodEntry> methods);

  const std::vector<MethodEntry>& methods() const { return methods_; }
  /// What they all add to the tables, for scenes that are read and models that are compiled.
  std::shared_ptr<const AllMethodRows> table() const;
  /// Of all methods, each once, in their order.
  std::vector<std::string> backends() const;
  /// "auto, cpu or reference"
  std::string backendNames() const;
  /// "auto, async, strong or implicit"
  std::string methodNames() const;
  /// The name of the method that makeStepper() takes. Errors: UnknownName, listing the choices.
  Result<std::string> methodFor(const Model& model, const StepperOptions& options) const;

  /// Why a method cannot step a model, or not on the backend that is asked for; empty: it can.
  std::vector<Error> obstacles(const MethodEntry& method, const Model& model,
                               const std::string& backend) const;
  /// What a method ignores of a model, in words for people; nothing of a method that is not there.
  std::vector<std::string> notes(const std::string& method, const Model& model) const;

  /// Requires the nodes of the method, see withNodesOf() of engine/compile/method_change.h.
  /// Errors: UnknownName, listing the choices; Unsupported: the method's reasons, or other nodes; DeviceFailure: what a
  /// backend needs is not there, or has failed.
  Result<std::unique_ptr<Stepper>> makeStepper(std::shared_ptr<const Model> model,
                                               const StepperOptions& options) const;

 private:
  Result<const MethodEntry*> findMethod(const Model& model, const StepperOptions& options) const;
  bool isBackend(const std::string& name) const;
  std::optional<Error> backendObstacle(const MethodEntry& method, const Model& model,
                                       const std::string& backend) const;
  Result<std::string> backendFor(const MethodEntry& method, const Model& model,
                                 const std::string& asked) const;
  const MethodEntry* chosenFor(const Model& model, const StepperOptions& options) const;

  std::vector<MethodEntry> methods_;
};

}  // namespace slipstick

// What can step a model: methods and the backends that they run on. The program fills it; nothing in engine/
// names one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/coupling/stepper.h"
#include "engine/mpm/backend.h"

namespace slipstick {

struct BackendEntry {
  std::string name;
  std::function<Result<std::unique_ptr<mpm::Backend>>(std::shared_ptr<const Model>, int threads)> make;
  bool couplesStrongly = false;  ///< as mpm::Backend::couplesStrongly
};

struct MethodEntry {
  std::string name;
  std::string description;
  /// Why the method cannot step a model, each with what, where and remedy; empty: it can.
  std::function<std::vector<Error>(const Model&)> obstacles;
  /// @param backend  null for a model without particles
  std::function<std::unique_ptr<Stepper>(std::shared_ptr<const Model>, std::unique_ptr<mpm::Backend> backend)>
      make;
  bool couplesStrongly = false;  ///< needs a backend that can (mpm::Backend::couplesStrongly)
  /// What steps its particles, whatever backend is asked for; empty: that one.
  std::function<std::unique_ptr<mpm::Backend>(std::shared_ptr<const Model>)> ownBackend = {};
};

class Registry {
 public:
  /// The first backend that suits the method is what "auto" stands for. A scene that names no method gets what
  /// was chosen for its model (engine/model/method_choice.h); where that cannot step it, or not on the backend that is
  /// asked for, the first method.
  void add(BackendEntry backend) { backends_.push_back(std::move(backend)); }
  void add(MethodEntry method) { methods_.push_back(std::move(method)); }

  const std::vector<BackendEntry>& backends() const { return backends_; }
  const std::vector<MethodEntry>& methods() const { return methods_; }
  /// "auto, cpu or reference"
  std::string backendNames() const;
  /// "auto, async, strong or implicit"
  std::string methodNames() const;
  /// The name of the method that makeStepper() takes. Errors: UnknownName, listing the choices.
  Result<std::string> methodFor(const Model& model, const StepperOptions& options) const;

  /// Why a method cannot step a model, or not on the backend that is asked for; empty: it can.
  std::vector<Error> obstacles(const MethodEntry& method, const Model& model,
                               const std::string& backend) const;

  /// Errors: UnknownName, listing the choices; Unsupported: the method's reasons; DeviceFailure: what a backend
  /// needs is not there, or has failed.
  Result<std::unique_ptr<Stepper>> makeStepper(std::shared_ptr<const Model> model,
                                               const StepperOptions& options) const;

 private:
  Result<const MethodEntry*> findMethod(const Model& model, const StepperOptions& options) const;
  std::optional<Error> backendObstacle(const MethodEntry& method, const Model& model,
                                       const std::string& backend) const;
  const MethodEntry* chosenFor(const Model& model, const StepperOptions& options) const;
  Result<std::unique_ptr<mpm::Backend>> makeBackend(const MethodEntry& method,
                                                    const std::shared_ptr<const Model>& model,
                                                    const StepperOptions& options) const;
  std::vector<BackendEntry> backends_;
  std::vector<MethodEntry> methods_;
};

}  // namespace slipstick

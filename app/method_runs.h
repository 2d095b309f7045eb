// One scene under several methods, one after the other.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/headless_run.h"
#include "app/verbs.h"
#include "engine/runtime/method_tally.h"

namespace slipstick::app {

/// A method's run of the scene.
struct MethodRun {
  std::string method;
  std::vector<std::string> overrides;  ///< its own, "path=value"
  std::unique_ptr<HeadlessRun> run;    ///< null once it is over
  std::string runsOn;
  MethodTally tally{nullptr};
  std::vector<std::shared_ptr<const Snapshot>>
      pictures;               ///< at the moments that were asked for, with particles
  Result<void> outcome = {};  ///< how it ended
};

/// Loads the scene for every method. Errors: that of the first method which cannot step it, where methods were named; where
/// none were, those that cannot are left out, and said so on stderr unless quiet.
Result<std::vector<MethodRun>> prepareMethods(const CompareOptions& options, const Registry& registry);

/// Runs one to its end, its failure or an interrupt. @param moments  ascending [s]
void runMethod(MethodRun& method, double duration, const std::vector<double>& moments,
               const std::function<void(double time)>& onStep);

}  // namespace slipstick::app

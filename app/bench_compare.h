// `slipstick bench --compare OLD`: two programs step the same scene by turns, so that whatever else the machine
// does slows down both.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/foundation/result.h"
#include "engine/step/stepper.h"

namespace slipstick::app {

struct Comparison {
  std::string program;  ///< the other one
  std::string scene;    ///< or one of rigidBenchNames(), whose steps begin as RigidWindow says
  double from = 0;      ///< simulated time at which the measured steps begin [s]
  int steps = 0;
  StepperOptions stepper;
};

/// The heading of the rows.
void printComparisonHeading(const std::string& program);

/// Starts both programs as servants (serveTurns), lets them simulate up to `from`, and then has each take a few
/// steps while the other one waits. Prints a row. @return the row for the JSON file
Result<nlohmann::ordered_json> compareWindow(const Comparison& comparison);

/// The servant: simulates up to `from`, says "ready" on stdout, and for each line "N" on stdin takes N steps and
/// answers with one line of JSON, [{wall_s, contacts}, …]. Ends with its input.
/// @return the program's exit status
int serveTurns(const std::string& scene, double from, const StepperOptions& stepper);

}  // namespace slipstick::app

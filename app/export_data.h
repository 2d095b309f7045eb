// Files of a run, in one walk through it: what slipstick export and the window's dialog share.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/runtime/data_outputs.h"
#include "engine/runtime/run_walk.h"

namespace slipstick::app {

struct DataReport {
  bool isWhole = true;               ///< false: it was stopped, or failed, before the last step
  double reached = 0;                ///< simulated time of the last step [s]
  std::vector<std::string> written;  ///< names of whole files and folders
  std::vector<std::string> notices;  ///< what a person should know about them
  std::vector<Error> errors;         ///< what ended it, last, and which files could not be written
};

/// Errors: what was asked for cannot be; nothing was written. What fails later is in the report: files that could be made
/// whole then show how it came about. Stopped, they show what was reached until then.
/// @param onReached  called with the simulated time of each step [s]; may be empty
Result<DataReport> exportData(RunWalk& run, const DataOutputs& options, const std::stop_token& stop,
                              const std::function<void(double)>& onReached);

}  // namespace slipstick::app

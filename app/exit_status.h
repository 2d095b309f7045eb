// How the program ends: what it says of an error, and the number that a shell gets.
#pragma once

#include "engine/foundation/result.h"

namespace slipstick::app {

enum ExitStatus : int {
  kSuccess = 0,
  kBadInput = 1,
  kUsage = 2,
  kSimulationFailed = 3,  ///< a step failed, or what computes it; the message says which, why and what to do
};

/// Writes "slipstick: where: what; remedy" as one line on stderr. @return the exit status that goes with the
/// error.
int fail(const Error& error);

}  // namespace slipstick::app

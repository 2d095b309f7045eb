#include "app/exit_status.h"

#include <iostream>

#include "app/progress.h"
#include "assets/one_line.h"

namespace slipstick::app {

int fail(const Error& error) {
  std::cerr << "slipstick: " << assets::oneLine(error.message()) << '\n';
  if (error.code == ErrorCode::Cancelled) return InterruptWatch::status();
  return error.code == ErrorCode::SimulationFailed ? kSimulationFailed : kBadInput;
}

}  // namespace slipstick::app

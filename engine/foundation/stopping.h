// How a computation ends that nobody waits for any more.
#pragma once

#include <exception>
#include <stop_token>

namespace slipstick {

/// Thrown out of a computation that was asked to stop. What it was to change is as it was before.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped"; }
};

/// To be called at least every few hundredths of a second by what may take long.
void throwIfStopped(const std::stop_token& stop);

}  // namespace slipstick

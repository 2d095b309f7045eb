// Wall time between two points of a step.
#pragma once

#include <chrono>

namespace slipstick {

class Stopwatch {
 public:
  /// Seconds since the last lap, or since it was made.
  double lap() {
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace slipstick

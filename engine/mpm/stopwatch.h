// Wall time of a scope, added to one phase of the step's report.
#pragma once

#include <chrono>

#include "engine/model/snapshot.h"

namespace slipstick::mpm {

class Stopwatch {
 public:
  Stopwatch(PhaseTimes& times, Phase phase)
      : seconds_(times[static_cast<std::size_t>(phase)]), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace slipstick::mpm

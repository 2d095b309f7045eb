// Wall time of a scope.
#pragma once

#include <chrono>

namespace slipstick {

/// Adds the seconds that it lives to a sum.
class ScopeTimer {
 public:
  explicit ScopeTimer(double& seconds) : seconds_(seconds) {}
  ~ScopeTimer() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  ScopeTimer(const ScopeTimer&) = delete;
  ScopeTimer& operator=(const ScopeTimer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace slipstick

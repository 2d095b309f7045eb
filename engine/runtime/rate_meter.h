// How fast the simulation really runs: simulated against wall time over the last steps.
#pragma once

#include <chrono>
#include <deque>

namespace slipstick {

class RateMeter {
 public:
  using Clock = std::chrono::steady_clock;

  void restart() { samples_.clear(); }

  /// A step that ended now at simulated time `time` and took `stepWall` [s] of computing.
  void add(Clock::time_point now, double time, double stepWall) {
    samples_.push_back({now, time, stepWall});
    while (samples_.size() > 2 && (samples_.size() > kMaxSamples || now - samples_.front().wall > kWindow)) {
      samples_.pop_front();
    }
  }

  /// Simulated seconds per wall second, waiting for the wanted speed included; 0 before two samples.
  double rate() const {
    if (samples_.size() < 2) return 0;
    const double wall = std::chrono::duration<double>(samples_.back().wall - samples_.front().wall).count();
    return wall > 0 ? (samples_.back().time - samples_.front().time) / wall : 0;
  }

  /// Mean computing time of a step [s].
  double meanStepWall() const {
    if (samples_.empty()) return 0;
    double sum = 0;
    for (const Sample& sample : samples_) sum += sample.stepWall;
    return sum / static_cast<double>(samples_.size());
  }

 private:
  struct Sample {
    Clock::time_point wall;
    double time;      ///< simulated [s]
    double stepWall;  ///< [s]
  };
  static constexpr std::chrono::seconds kWindow{1};
  static constexpr std::size_t kMaxSamples = 256;
  std::deque<Sample> samples_;
};

}  // namespace slipstick

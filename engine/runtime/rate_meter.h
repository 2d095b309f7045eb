// How fast the simulation really runs: simulated against wall time over the last steps.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>

namespace slipstick {

class RateMeter {
 public:
  using Clock = std::chrono::steady_clock;

  void restart() noexcept { count_ = 0; }

  /// A step that ended now at simulated time `time` and took `stepWall` [s] of computing.
  void add(Clock::time_point now, double time, double stepWall) noexcept {
    if (count_ == kMaxSamples) dropOldest();
    samples_[(first_ + count_++) % kMaxSamples] = {now, time, stepWall};
    while (count_ > 2 && now - at(0).wall > kWindow) dropOldest();
  }

  /// Simulated seconds per wall second, waiting for the wanted speed included; 0 before two samples.
  double rate() const noexcept {
    if (count_ < 2) return 0;
    const Sample &oldest = at(0), &newest = at(count_ - 1);
    const double wall = std::chrono::duration<double>(newest.wall - oldest.wall).count();
    return wall > 0 ? (newest.time - oldest.time) / wall : 0;
  }

  /// Mean computing time of a step [s].
  double meanStepWall() const noexcept {
    double sum = 0;
    for (std::size_t i = 0; i < count_; ++i) sum += at(i).stepWall;
    return count_ > 0 ? sum / static_cast<double>(count_) : 0;
  }

 private:
  struct Sample {
    Clock::time_point wall;
    double time = 0;      ///< simulated [s]
    double stepWall = 0;  ///< [s]
  };
  static constexpr std::chrono::seconds kWindow{1};
  static constexpr std::size_t kMaxSamples = 256;

  const Sample& at(std::size_t i) const noexcept { return samples_[(first_ + i) % kMaxSamples]; }
  void dropOldest() noexcept {
    first_ = (first_ + 1) % kMaxSamples;
    --count_;
  }

  std::array<Sample, kMaxSamples> samples_{};  ///< a ring: adding to it cannot fail
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace slipstick

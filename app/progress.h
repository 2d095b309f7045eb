// A progress bar with rate and time left, and Ctrl+C as a wish to finish.
#pragma once

#include <chrono>

namespace slipstick::app {

/// Draws on stderr where that is a terminal, from one second on, ten times a second.
class Progress {
 public:
  /// @param total  simulated time of the whole run [s]
  Progress(double total, bool quiet);
  ~Progress();  ///< wipes the bar
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(double time);
  double wall() const;  ///< since the start [s]

 private:
  using Clock = std::chrono::steady_clock;
  double total_;
  bool visible_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

/// From construction on, Ctrl+C (SIGINT, SIGTERM) no longer ends the program but is noted; a second one ends
/// it.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  bool requested() const;
};

}  // namespace slipstick::app

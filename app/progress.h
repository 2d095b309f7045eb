// A progress bar with rate and time left, and Ctrl+C as a wish to finish.
#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "engine/foundation/load_progress.h"

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

/// From construction on, Ctrl+C (SIGINT) and SIGTERM no longer end the program but are noted; the next one ends it at
/// once. One at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  static bool requested();
  /// "SIGINT" or "SIGTERM"; empty: none came.
  static std::string name();
  /// The exit status of a program that a signal has ended: 130 or 143.
  static int status();
  /// Says on stderr that it stopped early, quiet or not.
  /// @param what  "drop: stopped early at 0.45 s of 10 s"
  /// @param rest  what there is nevertheless
  static void say(const std::string& what, const std::string& rest);
};

/// While a scene is loaded in the foreground: shows on a terminal how far it is, and lets Ctrl+C cancel it where an
/// InterruptWatch notes that.
class LoadWatch {
 public:
  LoadWatch(LoadProgress& progress, bool quiet);

 private:
  static void show(const LoadProgress& progress);
  bool visible_;
  std::jthread thread_;
};

}  // namespace slipstick::app

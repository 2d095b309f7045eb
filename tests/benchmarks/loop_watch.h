// Whether a window answers: how long its event loop takes from turn to turn.
#pragma once

#include <QTimer>
#include <algorithm>
#include <chrono>
#include <vector>

namespace slipstick {

/// Times between two turns of the event loop, which is asked to turn every 4 ms.
class LoopWatch {
 public:
  LoopWatch() {
    timer_.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer_, &QTimer::timeout, &timer_, [this] {
      const auto now = Clock::now();
      gaps_.push_back(std::chrono::duration<double>(now - last_).count());
      last_ = now;
    });
    last_ = Clock::now();
    timer_.start(4);
  }
  /// What a part (0 … 1) of the gaps stays below [ms].
  double gap(double part) {
    if (gaps_.empty()) return 0;
    std::sort(gaps_.begin(), gaps_.end());
    return 1e3 * gaps_[static_cast<std::size_t>(part * static_cast<double>(gaps_.size() - 1))];
  }

 private:
  using Clock = std::chrono::steady_clock;
  QTimer timer_;
  Clock::time_point last_;
  std::vector<double> gaps_;
};

}  // namespace slipstick

#include "ui/playback.h"

#include <algorithm>
#include <cmath>

#include "ui/session.h"

namespace slipstick::ui {
namespace {

constexpr int kTick_ms = 16;
constexpr double kLongestTick = 0.25;  // what a busy window was late for is not jumped over [s]

}  // namespace

Playback::Playback(Session& session) : session_(session) {
  timer_.setInterval(kTick_ms);
  connect(&timer_, &QTimer::timeout, this, &Playback::tick);
}

std::pair<double, double> Playback::span() const {
  const RunStatus status = session_.moment().source().status();
  double from = session_.moment().timeOf(status.firstStored), to = session_.moment().timeOf(status.lastStep);
  if (loopsRange()) {
    from = std::clamp(session_.marks().range()->from, from, to);
    to = std::clamp(session_.marks().range()->to, from, to);
  }
  return {from, to};
}

bool Playback::loopsRange() const {
  return loops_ && session_.marks().range();
}

void Playback::start() {
  if (!session_.isOpen()) return;
  const auto [from, to] = span();
  time_ = session_.moment().shown()->time;
  const double half = session_.model()->time.dt / 2;
  if (time_ >= to - half || time_ < from - half) {
    time_ = from;
    session_.moment().lookAtTime(time_);
  }
  step_ = session_.moment().shown()->step;
  clock_.start();
  timer_.start();
  Q_EMIT changed();
}

void Playback::stop() {
  if (!timer_.isActive()) return;
  timer_.stop();
  Q_EMIT changed();
}

void Playback::setLoops(bool loops) {
  if (loops == loops_) return;
  loops_ = loops;
  Q_EMIT changed();
}

void Playback::tick() {
  if (!session_.isOpen() || session_.run().status().playing) return stop();
  const auto [from, to] = span();
  const double dt = session_.model()->time.dt, speed = session_.run().status().speedWanted;
  if (session_.moment().shown()->step != step_)
    time_ = session_.moment().shown()->time;  // the person looked elsewhere
  const double passed = std::min(1e-9 * static_cast<double>(clock_.nsecsElapsed()), kLongestTick);
  clock_.restart();
  time_ += std::isfinite(speed) ? speed * passed : dt;
  if (time_ >= to && loops_) time_ = to > from ? from + std::fmod(time_ - from, to - from) : from;
  if (time_ >= to) {
    session_.moment().lookAtEnd();
    return stop();
  }
  const auto wanted = static_cast<std::uint64_t>(std::llround(time_ / dt));
  if (wanted != session_.moment().shown()->step) session_.moment().lookAtStep(wanted);
  step_ = session_.moment().shown()->step;
}

}  // namespace slipstick::ui

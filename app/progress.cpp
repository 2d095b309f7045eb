#include "app/progress.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>

#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void noteInterrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Progress::Progress(double total, bool quiet)
    : total_(total), visible_(!quiet && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

double Progress::wall() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::update(double time) {
  const Clock::time_point now = Clock::now();
  if (!visible_ || now - start_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100))
    return;
  last_ = now;
  drawn_ = true;
  constexpr int kWidth = 32;
  const double done = total_ > 0 ? std::clamp(time / total_, 0.0, 1.0) : 1;
  const double elapsed = wall();
  const double left = done > 0 ? elapsed * (1 - done) / done : 0;
  const auto filled = static_cast<std::size_t>(done * kWidth);
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::fprintf(stderr, "\r[%s] %5s %%  %s / %s s  %sx real time  %s s left\033[K", bar.c_str(),
               fixed(100 * done, 1).c_str(), fixed(time, 2).c_str(), fixed(total_, 2).c_str(),
               fixed(time / elapsed, 2).c_str(), fixed(left, 0).c_str());
  std::fflush(stderr);
}

InterruptWatch::InterruptWatch() {
  interrupted = 0;
  std::signal(SIGINT, noteInterrupt);
  std::signal(SIGTERM, noteInterrupt);
}

InterruptWatch::~InterruptWatch() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool InterruptWatch::requested() const {
  return interrupted != 0;
}

}  // namespace slipstick::app

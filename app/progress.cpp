#include "app/progress.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <string>

#include "engine/foundation/guarded.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

volatile std::sig_atomic_t interrupted = 0;

void listen(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, handler);
}

extern "C" void noteInterrupt(int signal) {
  interrupted = signal;
  listen(SIG_DFL);
}

/// "[####....]"
std::string barOf(double done) {
  constexpr int kWidth = 32;
  const auto filled = static_cast<std::size_t>(std::clamp(done, 0.0, 1.0) * kWidth);
  return "[" + std::string(filled, '#') + std::string(kWidth - filled, '.') + "]";
}

constexpr const char* kWipe = "\r\033[K";

}  // namespace

Progress::Progress(double total, bool quiet)
    : total_(total), visible_(!quiet && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (drawn_) std::fputs(kWipe, stderr);
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
  const double done = total_ > 0 ? std::clamp(time / total_, 0.0, 1.0) : 1;
  const double elapsed = wall();
  const double left = done > 0 ? elapsed * (1 - done) / done : 0;
  std::fprintf(stderr, "\r%s %5s %%  %s / %s s  %sx real time  %s s left\033[K", barOf(done).c_str(),
               fixed(100 * done, 1).c_str(), fixed(time, 2).c_str(), fixed(total_, 2).c_str(),
               fixed(time / elapsed, 2).c_str(), fixed(left, 0).c_str());
  std::fflush(stderr);
}

InterruptWatch::InterruptWatch() {
  interrupted = 0;
  listen(noteInterrupt);
}

InterruptWatch::~InterruptWatch() {
  listen(SIG_DFL);
}

bool InterruptWatch::requested() {
  return interrupted != 0;
}

std::string InterruptWatch::name() {
  return interrupted == 0 ? "" : interrupted == SIGTERM ? "SIGTERM" : "SIGINT";
}

int InterruptWatch::status() {
  return 128 + interrupted;
}

void InterruptWatch::say(const std::string& what, const std::string& rest) {
  const std::string by = interrupted == SIGTERM ? "SIGTERM" : "Ctrl+C (SIGINT)";
  std::fprintf(stderr, "slipstick: %s by %s; %s\n", what.c_str(), by.c_str(), rest.c_str());
}

LoadWatch::LoadWatch(LoadProgress& progress, bool quiet)
    : visible_(!quiet && isatty(STDERR_FILENO) != 0), thread_([this, &progress](std::stop_token stop) {
        constexpr int kFirst = 20, kEvery = 2;  // waits: a second, then ten times a second
        std::mutex mutex;
        std::condition_variable_any never;  // wakes when the load has ended
        std::unique_lock lock(mutex);
        for (int waits = 0; !stop.stop_requested(); ++waits) {
          if (InterruptWatch::requested()) progress.cancel();
          // Where a line cannot be made, none is shown.
          if (visible_ && waits >= kFirst && waits % kEvery == 0)
            (void)guarded(ErrorCode::Unsupported, "progress", [&] { show(progress); });
          never.wait_for(lock, stop, std::chrono::milliseconds(50), [] { return false; });
        }
        if (visible_) std::fputs(kWipe, stderr);
      }) {}

void LoadWatch::show(const LoadProgress& progress) {
  const LoadProgress::Report report = progress.current();
  const std::string done =
      report.fraction < 0 ? "" : barOf(report.fraction) + " " + fixed(100 * report.fraction, 0) + " %  ";
  std::fprintf(stderr, "\r%s%s\033[K", done.c_str(), report.what.c_str());
  std::fflush(stderr);
}

}  // namespace slipstick::app

#include "ui/end_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace slipstick::ui {
namespace {

constexpr std::array kSignals = {SIGTERM, SIGHUP, SIGINT};
std::atomic<int> writeEnd = -1;

/// Only what may be called in a handler.
extern "C" void passOn(int signal) {
  for (const int other : kSignals) std::signal(other, SIG_DFL);
  const auto byte = static_cast<unsigned char>(signal);
  [[maybe_unused]] const auto written = ::write(writeEnd, &byte, 1);
}

}  // namespace

EndSignals::EndSignals() {
  if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) return;  // they end the program at once then
  writeEnd = ends_[1];
  reader_ = std::make_unique<QSocketNotifier>(ends_[0], QSocketNotifier::Read);
  connect(reader_.get(), &QSocketNotifier::activated, this, [this] {
    unsigned char byte = 0;
    if (::read(ends_[0], &byte, 1) == 1) Q_EMIT came(byte);
  });
  for (const int signal : kSignals) std::signal(signal, passOn);
}

EndSignals::~EndSignals() {
  if (!reader_) return;
  for (const int signal : kSignals) std::signal(signal, SIG_DFL);
  reader_.reset();
  for (const int end : ends_) ::close(end);
}

}  // namespace slipstick::ui

// The process-wide log of urdfdom, which libsdformat uses too.
#pragma once

#include <console_bridge/console.h>

#include <mutex>
#include <string>

namespace slipstick::assets {

/// Keeps the log from the console and collects its first error, one reader at a time.
class CapturedLog : public console_bridge::OutputHandler {
 public:
  CapturedLog() : lock_(mutex()) {
    // The library's own handler installs itself at the first use of its log, over any other: let that be now.
    console_bridge::getOutputHandler();
    console_bridge::getLogLevel();
    console_bridge::useOutputHandler(this);
  }
  ~CapturedLog() override { console_bridge::restorePreviousOutputHandler(); }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_.empty()) first_ = text;
  }
  const std::string& firstError() const { return first_; }

 private:
  static std::mutex& mutex() {
    static std::mutex theMutex;
    return theMutex;
  }
  std::lock_guard<std::mutex> lock_;
  std::string first_;
};

}  // namespace slipstick::assets

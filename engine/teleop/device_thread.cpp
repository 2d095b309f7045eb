#include "engine/teleop/device_thread.h"

#include <exception>
#include <string>
#include <utility>

namespace slipstick {
namespace {

using Clock = std::chrono::steady_clock;

bool areEqual(const std::optional<Error>& a, const std::optional<Error>& b) {
  return a.has_value() == b.has_value() && (!a || (a->code == b->code && a->message() == b->message()));
}

}  // namespace

DeviceThread::DeviceThread(std::vector<std::unique_ptr<DeviceDriver>> drivers, DeviceListener& listener,
                           FeedbackFor feedback)
    : listener_(listener), feedback_(std::move(feedback)) {
  for (std::unique_ptr<DeviceDriver>& driver : drivers) {
    const std::string name(driver->name());
    drivers_.push_back({std::move(driver), name, {}, {}});
  }
  lastTicks_.reserve(std::chrono::seconds(1) / kPeriod);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

DeviceThread::~DeviceThread() = default;

DeviceThread::Status DeviceThread::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void DeviceThread::run(const std::stop_token& stop) {
  Clock::time_point due = Clock::now();
  while (!stop.stop_requested()) {
    tick();
    // The grid stays where it is, so that no delay adds up; what has passed meanwhile is left out.
    due += kPeriod;
    const Clock::time_point now = Clock::now();
    const auto leftOut = now > due ? (now - due) / kPeriod : 0;
    due += leftOut * kPeriod;
    note(now, static_cast<std::uint64_t>(leftOut));
    std::this_thread::sleep_until(due);
  }
  for (Driver& driver : drivers_) {
    unplugAll(driver);
    driver.driver.reset();
  }
}

void DeviceThread::tick() {
  for (Driver& driver : drivers_) {
    if (!driver.driver) continue;
    try {
      greetArrivals(driver);
      readDevices(driver);
      say(driver, driver.driver->trouble());
    } catch (const std::exception& exception) {
      drop(driver, exception.what());
    } catch (...) {
      drop(driver, "an exception of unknown type");
    }
  }
}

void DeviceThread::greetArrivals(Driver& driver) {
  for (std::unique_ptr<Device>& device : driver.driver->arrivals()) {
    driver.devices.push_back({++lastId_, std::move(device), {}});
    listener_.plugged(lastId_, driver.devices.back().device->info());
  }
}

void DeviceThread::readDevices(Driver& driver) {
  for (std::size_t i = 0; i < driver.devices.size();) {
    Plugged& plugged = driver.devices[i];
    if (!plugged.device->read(plugged.reading)) {
      const DeviceId gone = plugged.id;
      driver.devices.erase(driver.devices.begin() + static_cast<std::ptrdiff_t>(i));
      listener_.unplugged(gone);
      continue;
    }
    listener_.moved(plugged.id, plugged.reading);
    if (feedback_) plugged.device->feel(feedback_(plugged.id));
    ++i;
  }
}

void DeviceThread::say(Driver& driver, std::optional<Error> trouble) {
  if (areEqual(driver.trouble, trouble)) return;
  driver.trouble = std::move(trouble);
  listener_.driverTrouble(driver.name, driver.trouble);
}

void DeviceThread::drop(Driver& driver, const std::string& why) {
  unplugAll(driver);
  driver.driver.reset();
  try {
    say(driver, Error{ErrorCode::DeviceFailure, "failed and is switched off: " + why, driver.name,
                      "save your work and start the program again"});
  } catch (...) {
    // A listener that throws cannot be told of it.
  }
}

void DeviceThread::unplugAll(Driver& driver) {
  while (!driver.devices.empty()) {
    const DeviceId gone = driver.devices.back().id;
    driver.devices.pop_back();
    try {
      listener_.unplugged(gone);
    } catch (...) {
      // The other devices are gone all the same.
    }
  }
}

void DeviceThread::note(Clock::time_point now, std::uint64_t leftOut) {
  const std::lock_guard lock(mutex_);
  const std::size_t ring = lastTicks_.capacity();
  if (lastTicks_.size() < ring)
    lastTicks_.push_back(now);
  else
    lastTicks_[status_.ticks % ring] = now;
  ++status_.ticks;
  status_.late += leftOut;
  const Clock::time_point oldest = lastTicks_[lastTicks_.size() < ring ? 0 : status_.ticks % ring];
  const double wall = std::chrono::duration<double>(now - oldest).count();
  status_.rate = wall > 0 ? static_cast<double>(lastTicks_.size() - 1) / wall : 0;
}

}  // namespace slipstick

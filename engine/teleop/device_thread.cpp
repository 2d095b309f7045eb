#include "engine/teleop/device_thread.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace slipstick {
namespace {

using Clock = std::chrono::steady_clock;

bool areEqual(const std::optional<DriverTrouble>& a, const std::optional<DriverTrouble>& b) {
  return a.has_value() == b.has_value() &&
         (!a || (a->error.code == b->error.code && a->error.message() == b->error.message()));
}

}  // namespace

std::chrono::milliseconds DriverRest::after(unsigned failures) const {
  std::chrono::milliseconds rest = first;
  for (unsigned i = 1; i < failures && rest < longest; ++i) rest *= 2;
  return std::min(rest, longest);
}

DeviceThread::DeviceThread(std::vector<std::unique_ptr<DeviceDriver>> drivers, DeviceListener& listener,
                           FeedbackFor feedback, DriverRest rest)
    : listener_(listener), feedback_(std::move(feedback)), rest_(rest) {
  for (std::unique_ptr<DeviceDriver>& driver : drivers) {
    const std::string name(driver->name());
    drivers_.push_back({std::move(driver), name});
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
    try {
      readDriver(driver);
    } catch (const std::exception& exception) {
      rest(driver, exception.what());
    } catch (...) {
      rest(driver, "an exception of unknown type");
    }
  }
}

void DeviceThread::readDriver(Driver& driver) {
  const Clock::time_point now = Clock::now();
  if (driver.state == DriverState::Resting) {
    if (now < driver.begins) return;
    driver.driver->startOver();
    driver.state = DriverState::OnTrial;
  }
  greetArrivals(driver);
  readDevices(driver);
  noteWork(driver, now);
  if (driver.state == DriverState::Working) say(driver, driver.driver->trouble());
}

/// One that fails again and again is not taken for well in between, and rests ever longer.
void DeviceThread::noteWork(Driver& driver, Clock::time_point now) const {
  const auto worked = now - driver.begins;
  if (driver.failures > 0 && worked >= rest_.after(driver.failures)) driver.failures = 0;
  if (driver.state == DriverState::OnTrial && worked >= rest_.first) driver.state = DriverState::Working;
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

void DeviceThread::say(Driver& driver, std::optional<DriverTrouble> trouble) {
  if (areEqual(driver.trouble, trouble)) return;
  driver.trouble = std::move(trouble);
  listener_.driverTrouble(driver.name, driver.trouble);
}

void DeviceThread::rest(Driver& driver, std::string_view why) noexcept {
  unplugAll(driver);
  const bool isNews = std::exchange(driver.state, DriverState::Resting) == DriverState::Working;
  driver.begins = Clock::now() + rest_.after(++driver.failures);
  if (!isNews) return;
  try {
    say(driver,
        DriverTrouble{{ErrorCode::DeviceFailure, "failed: " + std::string(why), driver.name,
                       "it is tried again by itself; where that does not help, plug its devices in anew"},
                      true});
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

// What a device thread has told, for tests on another thread.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/teleop/device_thread.h"

namespace slipstick::testing {

/// Asks again and again until it holds, for as long as a slow machine may need. @return whether it did
template <class Condition>
bool eventually(const Condition& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

class DeviceLog final : public DeviceListener {
 public:
  struct Seen {
    DeviceInfo info;
    DeviceReading last;
    std::uint64_t pressed = 0;  ///< ever
    std::vector<DevicePose> poses;
    std::vector<Error> troubles;
    std::size_t readings = 0;
    bool isGone = false;
  };

  void plugged(DeviceId device, const DeviceInfo& info) override {
    const std::lock_guard lock(mutex_);
    seen_[device].info = info;
  }
  void moved(DeviceId device, const DeviceReading& reading) override {
    const std::lock_guard lock(mutex_);
    Seen& seen = seen_.at(device);
    seen.last = reading;
    seen.pressed |= reading.pressed;
    seen.poses.insert(seen.poses.end(), reading.poses.begin(), reading.poses.end());
    if (reading.trouble) seen.troubles.push_back(*reading.trouble);
    ++seen.readings;
  }
  void unplugged(DeviceId device) override {
    const std::lock_guard lock(mutex_);
    seen_.at(device).isGone = true;
  }
  void driverTrouble(std::string_view driver, const std::optional<DriverTrouble>& trouble) override {
    const std::lock_guard lock(mutex_);
    troubles_[std::string(driver)].push_back(trouble ? std::optional(trouble->error) : std::nullopt);
  }

  /// All that ever came, by their ids, which ascend.
  std::map<DeviceId, Seen> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  /// What a driver has said, in order.
  std::vector<std::optional<Error>> troubles(const std::string& driver) const {
    const std::lock_guard lock(mutex_);
    const auto found = troubles_.find(driver);
    return found == troubles_.end() ? std::vector<std::optional<Error>>{} : found->second;
  }

  /// Waits for the newest device for which it holds. @return its id; 0: none came in time
  template <class Condition>
  DeviceId await(const Condition& condition) const {
    DeviceId id = 0;
    eventually([&] {
      for (const auto& [device, seen] : this->seen())
        if (condition(seen)) id = device;
      return id != 0;
    });
    return id;
  }
  DeviceId awaitDevice(const std::string& id) const {
    return await([&](const Seen& seen) { return seen.info.id == id && !seen.isGone && seen.readings > 0; });
  }

 private:
  mutable std::mutex mutex_;
  std::map<DeviceId, Seen> seen_;
  std::map<std::string, std::vector<std::optional<Error>>> troubles_;
};

}  // namespace slipstick::testing

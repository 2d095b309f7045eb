// A device whose hand is a test: it stands where the real ones do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/teleop/device.h"

namespace slipstick::testing {

/// What the test holds; any thread may call it. Plugged in from the start.
class InjectedDevice {
 public:
  explicit InjectedDevice(DeviceInfo info) : info_(std::move(info)) { now_.axes.resize(info_.axes.size()); }

  void plug() {
    set([](InjectedDevice& self) { self.isPlugged_ = true; });
  }
  void unplug() {
    set([](InjectedDevice& self) { self.isPlugged_ = false; });
  }
  void setAxis(const std::string& name, double value) {
    set([&](InjectedDevice& self) { self.now_.axes[indexOf(info_.axes, name)] = value; });
  }
  void press(const std::string& button) {
    set([&](InjectedDevice& self) {
      self.now_.buttons |= bit(button);
      self.now_.pressed |= bit(button);
    });
  }
  void release(const std::string& button) {
    set([&](InjectedDevice& self) { self.now_.buttons &= ~bit(button); });
  }
  /// Down and up within one reading.
  void tap(const std::string& button) {
    set([&](InjectedDevice& self) { self.now_.pressed |= bit(button); });
  }
  void push(DevicePose pose) {
    set([&](InjectedDevice& self) { self.now_.poses.push_back(std::move(pose)); });
  }
  void say(Error trouble) {
    set([&](InjectedDevice& self) { self.now_.trouble = std::move(trouble); });
  }
  /// The next readings call it in place of reading; an exception of it is the device's.
  void failWith(std::function<void()> failure, int readings = 1) {
    set([&](InjectedDevice& self) {
      self.failure_ = std::move(failure);
      self.failingReadings_ = readings;
    });
  }

  const DeviceInfo& info() const { return info_; }
  DeviceFeedback felt() const {
    const std::lock_guard lock(mutex_);
    return felt_;
  }
  std::size_t feltCount() const {
    const std::lock_guard lock(mutex_);
    return feltCount_;
  }

 private:
  friend class InjectedHand;
  friend class InjectedDriver;

  template <class Change>
  void set(const Change& change) {
    const std::lock_guard lock(mutex_);
    change(*this);
    now_.at = DeviceReading::Clock::now();
  }
  static std::size_t indexOf(const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    SIM_REQUIRE(found != names.end(), name);
    return static_cast<std::size_t>(found - names.begin());
  }
  std::uint64_t bit(const std::string& button) const {
    return std::uint64_t{1} << indexOf(info_.buttons, button);
  }

  const DeviceInfo info_;
  mutable std::mutex mutex_;
  bool isPlugged_ = true, isGiven_ = false;
  std::function<void()> failure_;
  int failingReadings_ = 0;
  DeviceReading now_;
  DeviceFeedback felt_;
  std::size_t feltCount_ = 0;
};

/// The same, as the device thread holds it.
class InjectedHand final : public Device {
 public:
  explicit InjectedHand(std::shared_ptr<InjectedDevice> device) : device_(std::move(device)) {}
  ~InjectedHand() override {
    const std::lock_guard lock(device_->mutex_);
    device_->isGiven_ = false;
  }
  const DeviceInfo& info() const override { return device_->info_; }
  bool read(DeviceReading& reading) override {
    const std::lock_guard lock(device_->mutex_);
    if (device_->failingReadings_ > 0) {
      --device_->failingReadings_;
      device_->failure_();
    }
    if (!device_->isPlugged_) return false;
    reading = device_->now_;
    device_->now_.pressed = 0;
    device_->now_.poses.clear();
    device_->now_.trouble.reset();
    return true;
  }
  void feel(const DeviceFeedback& feedback) override {
    const std::lock_guard lock(device_->mutex_);
    device_->felt_ = feedback;
    ++device_->feltCount_;
  }

 private:
  std::shared_ptr<InjectedDevice> device_;
};

class InjectedDriver final : public DeviceDriver {
 public:
  explicit InjectedDriver(std::vector<std::shared_ptr<InjectedDevice>> devices, std::string name = "injected")
      : devices_(std::move(devices)), name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  std::vector<std::unique_ptr<Device>> arrivals() override {
    std::vector<std::unique_ptr<Device>> arrived;
    for (const std::shared_ptr<InjectedDevice>& device : devices_) {
      const std::lock_guard lock(device->mutex_);
      if (!device->isPlugged_ || std::exchange(device->isGiven_, true)) continue;
      arrived.push_back(std::make_unique<InjectedHand>(device));
    }
    return arrived;
  }
  std::optional<DriverTrouble> trouble() const override {
    if (!devices_.empty()) return std::nullopt;
    return DriverTrouble{{ErrorCode::DeviceFailure, "the test has given it none", name_, "give it one"}};
  }
  void startOver() override {}  // its hands have said when they went

 private:
  const std::vector<std::shared_ptr<InjectedDevice>> devices_;
  const std::string name_;
};

}  // namespace slipstick::testing

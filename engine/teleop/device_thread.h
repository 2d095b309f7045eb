// Reads what people drive arms with, on a thread of its own, so that a slow step or picture delays no hand.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/teleop/device.h"

namespace slipstick {

/// One plugging of one device; never the same again. DeviceInfo::id is what stays.
using DeviceId = std::uint64_t;

/// Told about devices on the device thread. Must not wait.
class DeviceListener {
 public:
  virtual ~DeviceListener() = default;
  virtual void plugged(DeviceId device, const DeviceInfo& info) = 0;
  /// Once per tick and device, in the order of their plugging, whether the hand moved or not.
  virtual void moved(DeviceId device, const DeviceReading& reading) = 0;
  virtual void unplugged(DeviceId device) = 0;
  /// When it changes; none: it is over.
  virtual void driverTrouble(std::string_view driver, const std::optional<DriverTrouble>& trouble) = 0;
};

/// How long a driver rests that has thrown: twice as long after each further time, until it has worked for as long as it
/// has rested.
struct DriverRest {
  std::chrono::milliseconds first{1000}, longest{30000};

  /// @param failures  so far, ≥ 1
  std::chrono::milliseconds after(unsigned failures) const;
};

/// Makes its drivers' devices, reads them 100 times a second and ends them, all on one thread. Where a driver throws, or its
/// device, or the listener at news of them, its devices are unplugged and it starts over after a rest. Its trouble says so
/// until it has worked for as long as its first rest.
class DeviceThread {
 public:
  static constexpr std::chrono::milliseconds kPeriod{10};

  /// The newest step for a device; called on the device thread, must not wait. Empty: nothing is given back.
  using FeedbackFor = std::function<DeviceFeedback(DeviceId)>;

  /// @param listener  outlives the thread
  DeviceThread(std::vector<std::unique_ptr<DeviceDriver>> drivers, DeviceListener& listener,
               FeedbackFor feedback = {}, DriverRest rest = {});
  ~DeviceThread();  ///< after the tick in progress. All devices are unplugged, and the listener is told

  struct Status {
    std::uint64_t ticks = 0;  ///< that have read devices
    std::uint64_t late = 0;   ///< that began a period or more after their time, or were left out
    double rate = 0;          ///< ticks per second, over the last second [Hz]
  };
  Status status() const;

 private:
  struct Plugged {
    DeviceId id = 0;
    std::unique_ptr<Device> device;
    DeviceReading reading;
  };
  enum class DriverState { Working, Resting, OnTrial };
  struct Driver {
    std::unique_ptr<DeviceDriver> driver;
    std::string name;
    std::vector<Plugged> devices = {};          ///< gone before their driver
    std::optional<DriverTrouble> trouble = {};  ///< as the listener knows it
    DriverState state = DriverState::Working;
    unsigned failures = 0;                              ///< that are not yet forgotten
    std::chrono::steady_clock::time_point begins = {};  ///< after the newest of them, to work again
  };

  void run(const std::stop_token& stop);
  void tick();
  void readDriver(Driver& driver);
  void greetArrivals(Driver& driver);
  void readDevices(Driver& driver);
  void noteWork(Driver& driver, std::chrono::steady_clock::time_point now) const;
  void say(Driver& driver, std::optional<DriverTrouble> trouble);
  void rest(Driver& driver, std::string_view why) noexcept;
  void unplugAll(Driver& driver);
  void note(std::chrono::steady_clock::time_point now, std::uint64_t leftOut);

  std::vector<Driver> drivers_;
  DeviceListener& listener_;
  const FeedbackFor feedback_;
  const DriverRest rest_;
  DeviceId lastId_ = 0;
  mutable std::mutex mutex_;
  Status status_;
  std::vector<std::chrono::steady_clock::time_point> lastTicks_;  ///< a ring over about a second
  std::jthread thread_;                                           ///< last: begins when all else is there
};

}  // namespace slipstick

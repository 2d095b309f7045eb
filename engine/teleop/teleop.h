// From hands to arms: what devices say becomes goals of effectors, step by step.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/runtime/pilot.h"
#include "engine/runtime/task_watch.h"
#include "engine/teleop/axis_map.h"
#include "engine/teleop/device_thread.h"

namespace slipstick {

/// Axes that a device's motions refer to.
enum class MotionFrame {
  World,
  Tool,    ///< of the tool frame as it is asked for
  Camera,  ///< x away from the person, y to the left, z up
};
inline constexpr std::array<std::string_view, 3> kMotionFrameNames = {"world", "tool", "camera"};

/// What a person has chosen for a device. It stays while the device is away.
struct DeviceUse {
  bool enabled = true;
  std::string effector;  ///< by name; empty, or one that the scene has not: its first
  MotionFrame frame = MotionFrame::World;
  AxisMap map;
  bool operator==(const DeviceUse&) const = default;
};

/// Turns readings into commands. Rates become goals by the simulation's own time: however slowly it runs, the arm goes as
/// far per simulated second as the hand asks, and it stops where the hand stops. Nobody's goal gets farther from its tool
/// than a hand's width: what is pressed against something is not pressed ever deeper, and comes back at once. Poses, of
/// devices that send them, are goals as they come: all of them, in order. All functions may be called from any thread.
class Teleop final : public Pilot, public DeviceListener {
 public:
  /// Beyond this a goal of rates does not run ahead of its tool [m], [rad].
  static constexpr double kLeash = 0.06, kTurnLeash = 0.35;

  /// A device that is plugged in, or was.
  struct DeviceView {
    DeviceId id = 0;
    DeviceInfo info;
    DeviceUse use;
    DeviceReading reading;    ///< the last one, without its poses
    MotionRates rates;        ///< that it asks for
    bool isLost = false;      ///< unplugged while it drove: its arm holds the last pose
    std::uint64_t poses = 0;  ///< that it has sent
    std::optional<Error> trouble;
  };
  /// Called after devices, actions, troubles or the outcome of the task changed, on whatever thread (post an event from it,
  /// no more); null: nobody is. When this returns, the one before is called no more.
  void setOnChange(std::function<void()> onChange);

  std::vector<DeviceView> devices() const;
  /// Nothing happens where the device has been forgotten.
  void setUse(DeviceId device, DeviceUse use);
  /// What a device starts with when it is plugged in; null: defaultMap() and the first effector.
  void setUseFor(std::function<std::optional<DeviceUse>(const DeviceInfo&)> useFor);
  /// Forgets a device that is lost.
  void forget(DeviceId device);
  /// Why there are no devices of a driver's kind.
  struct Trouble : DriverTrouble {
    std::string driver;
  };
  std::vector<Trouble> troubles() const;

  /// Whether devices move arms; off at the start. What they do meanwhile is shown and forgotten.
  void setActive(bool active);
  bool isActive() const;
  /// Freezes all goals at once, with the next step; devices move nothing until resume(), which nothing else calls than who
  /// was asked to by a person.
  void stop();
  /// Devices move arms again. What they said meanwhile is forgotten, and what is still pushed must come to rest first.
  void resume();
  bool isStopped() const;
  /// The axes of MotionFrame::Camera in W.
  void setCameraAxes(const Mat3& R_WV);
  /// What buttons asked for that is not Teleop's to do: resets, and what becomes of an episode. Once.
  std::vector<ButtonAction> takeActions();
  /// When the hand moved last that step `step` was the first to know of; none: no hand did.
  std::optional<DeviceReading::Clock::time_point> inputOf(std::uint64_t step) const;
  /// How the task of the scene stands; none where it has no task, and before the first step.
  std::optional<TaskWatch> task() const;
  /// The newest step, of no effector.
  DeviceFeedback newest() const;
  /// The same of the effector that a device is bound to, for DeviceThread.
  DeviceFeedback feedbackFor(DeviceId device) const;

  void addCommands(const std::shared_ptr<const Snapshot>& now, std::vector<Command>& commands) override;
  void stepped(const std::shared_ptr<const Snapshot>& snapshot) override;
  void plugged(DeviceId device, const DeviceInfo& info) override;
  void moved(DeviceId device, const DeviceReading& reading) override;
  void unplugged(DeviceId device) override;
  void driverTrouble(std::string_view driver, const std::optional<DriverTrouble>& trouble) override;

 private:
  struct Entry {
    DeviceView view;
    std::vector<DevicePose> poses;  ///< not yet asked for
    bool toggles = false;           ///< of the gripper, an odd number since the last step
    bool mustRest = false;          ///< pushed since before resume(): its rates do not count yet
    std::optional<DeviceReading::Clock::time_point> moved;  ///< since the last step
  };
  struct InputMark {
    std::uint64_t step = 0;
    DeviceReading::Clock::time_point at;
  };
  class StepCommands;

  Entry* find(DeviceId device);
  void act(Entry& entry, ButtonAction action);
  void forgetInputs();
  void changed() const;

  mutable std::mutex changeMutex_;
  std::function<void()> onChange_;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< in the order of their plugging
  std::vector<Trouble> troubles_;
  std::function<std::optional<DeviceUse>(const DeviceInfo&)> useFor_;
  std::vector<ButtonAction> actions_;
  bool isActive_ = false, isStopped_ = false, freezes_ = false;
  Mat3 R_WV_ = Mat3::Identity();
  std::vector<InputMark> inputs_;  ///< of the last steps that knew of one, ascending
  std::shared_ptr<const Snapshot> newest_;
  std::optional<TaskWatch> watch_;  ///< of …
  std::shared_ptr<const Model> watchedModel_;
  TaskOutcome outcome_ = TaskOutcome::Running;  ///< as the last step has left it, of whatever try
};

}  // namespace slipstick

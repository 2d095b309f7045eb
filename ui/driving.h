// Arms that the person drives by hand: whether devices move them, and what of it is seen when.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "engine/model/command.h"
#include "engine/teleop/device_thread.h"
#include "engine/teleop/teleop.h"
#include "render/camera.h"
#include "ui/keyboard_device.h"

class QKeyEvent;

namespace slipstick::ui {

class OpenRun;
class Session;

class Driving : public QObject {
  Q_OBJECT

 public:
  Driving(Session& session, OpenRun& run);
  ~Driving() override;

  Teleop& teleop() { return *teleop_; }
  const Teleop& teleop() const { return *teleop_; }
  /// Keeps what devices are used for in the settings of the program, and begins with what is kept there.
  void rememberDevices();
  void setUse(DeviceId device, const DeviceUse& use);
  /// What devices on the network can say of themselves, in words; empty: nothing.
  QString networkText() const;
  /// Looks for devices from now on. Looking opens hardware and ports: it waits for the first driving, or for this.
  void startDevices();
  /// In this mode keys that drive do not reach the window's shortcuts.
  bool isOn() const { return isOn_; }
  void setOn(bool on);
  bool isStopped() const { return teleop_->isStopped(); }
  /// Freezes all goals, until resume(): nothing else goes on by itself.
  void stop();
  void resume();
  void stopOrResume();
  /// Asks an effector for something, unless all of them are stopped: then the log says so.
  void ask(const Command& command);
  /// Whether the newest step has an effector to drive; false without a scene.
  bool canDrive() const;

  /// Takes a key press or release if the mode is on and the key drives. @return whether it was taken
  bool take(const QKeyEvent& event);
  bool wouldTake(const QKeyEvent& event) const;
  void releaseKeys();
  /// What MotionFrame::Camera is, from now on.
  void setCamera(const render::Camera& camera);

  /// How long ago the hand did what the picture on the screen is the first to show.
  struct Delay {
    double median_ms = 0, worst_ms = 0;  ///< worst: the 99th percentile
    double medianPictures = 0;           ///< in pictures of the screen
    double step_ms = 0;                  ///< of it, the median step of the simulation
    std::size_t count = 0;               ///< pictures that it is of, the last ones
  };
  Delay delay() const;
  /// A picture of this step is on the screen.
  void notePainted(std::uint64_t step, double step_ms, double picturePeriod_ms);
  DeviceThread::Status readingStatus() const {
    return devices_ ? devices_->status() : DeviceThread::Status{};
  }

 Q_SIGNALS:
  void changed();  ///< the mode, devices, what they are used for, or stopped and not
  void delayChanged();

 private:
  friend class Session;
  void begin();  ///< of a scene that has been opened
  void poll();
  void act(ButtonAction action);
  void sayOutcome();
  void sayFaults();
  void sayStopped();

  struct Sample {
    double delay_ms, step_ms, period_ms;
  };

  Session& session_;
  OpenRun& run_;  ///< asks teleop() before each step
  std::shared_ptr<KeyState> keys_;
  std::shared_ptr<Teleop> teleop_;
  bool isOn_ = false, remembers_ = false;
  std::function<std::string()> networkText_;
  std::shared_ptr<const Model> lastTried_;
  TaskOutcome lastOutcome_ = TaskOutcome::Running;  ///< of it
  std::set<std::string> faulty_;                    ///< drivers that the log has as failing
  std::uint64_t shownInput_ = 0;                    ///< step of the last input that was seen
  std::deque<Sample> samples_;
  std::unique_ptr<DeviceThread> devices_;  ///< from the first driving on; last: it tells teleop_
};

}  // namespace slipstick::ui

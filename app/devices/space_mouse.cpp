#include "app/devices/space_mouse.h"

#include <signal.h>
#include <spnav.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace slipstick::app {

/// What libspnav has behind its functions, and what it has told. Of one thread at a time: the opener's, then the devices'.
struct SpaceMouseConnection {
  bool isOpen = false;
  bool hasMouse = false;
  std::string name = "3D mouse";
  std::string model;  ///< USB vendor and product, or empty
  int buttons = 2;
  // Since the last reading.
  std::vector<double> axes = std::vector<double>(6, 0);
  std::uint64_t down = 0, pressed = 0;
  DeviceReading::Clock::time_point movedAt = DeviceReading::Clock::now();

  ~SpaceMouseConnection() { close(); }
  void open();
  void close();
  void poll();
  /// False: the daemon has ended; libspnav does not tell.
  bool isAlive() const;
};

namespace {

/// A daemon that ends while it is written to must not end this program.
void blockBrokenPipes() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

/// "046d:c626", as lsusb writes it; empty: it cannot be known.
std::string usbModel() {
  unsigned int vendor = 0, product = 0;
  if (spnav_dev_usbid(&vendor, &product) != 0) return {};
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%04x:%04x", vendor & 0xFFFF, product & 0xFFFF);
  return text.data();
}

class SpaceMouse final : public Device {
 public:
  explicit SpaceMouse(std::shared_ptr<SpaceMouseConnection> connection) : connection_(std::move(connection)) {
    info_.id = "3D mouse" + (connection_->model.empty() ? "" : " " + connection_->model);
    info_.name = connection_->name;
    info_.kind = DeviceKind::SpaceMouse;
    info_.axes = {"x", "y", "z", "roll", "pitch", "yaw"};
    for (int i = 0; i < connection_->buttons; ++i)
      info_.buttons.push_back(i == 0 ? "left" : i == 1 ? "right" : "button " + std::to_string(i + 1));
  }

  const DeviceInfo& info() const override { return info_; }

  bool read(DeviceReading& reading) override {
    if (connection_->isOpen) connection_->poll();
    if (!connection_->isOpen || !connection_->hasMouse) return false;
    reading = {};
    reading.at = connection_->movedAt;
    reading.axes = connection_->axes;
    reading.buttons = connection_->down;
    reading.pressed = std::exchange(connection_->pressed, 0);
    return true;
  }

 private:
  std::shared_ptr<SpaceMouseConnection> connection_;
  DeviceInfo info_;
};

std::optional<DriverTrouble> troubleOf(const SpaceMouseConnection& connection) {
  if (!connection.isOpen)
    return DriverTrouble{
        {ErrorCode::DeviceFailure, "spacenavd, which reads them, does not run", "3D mice",
         "sudo apt-get install spacenavd starts it; where it is installed: sudo systemctl start spacenavd"}};
  if (!connection.hasMouse)
    return DriverTrouble{{ErrorCode::DeviceFailure, "spacenavd runs and has found none", "3D mice",
                          "plug one in; where one is, look at /var/log/spnavd.log"}};
  return std::nullopt;
}

}  // namespace

void SpaceMouseConnection::open() {
  blockBrokenPipes();
  if (spnav_open() != 0) return;
  isOpen = true;
  hasMouse = true;
  if (spnav_protocol() < 1) return;  // it cannot be asked what it has
  hasMouse = spnav_dev_type() != -1;
  std::array<char, 256> text{};
  if (spnav_dev_name(text.data(), static_cast<int>(text.size()) - 1) > 0) name = text.data();
  model = usbModel();
  buttons = std::clamp(spnav_dev_buttons(), 2, 64);
}

void SpaceMouseConnection::close() {
  if (std::exchange(isOpen, false)) spnav_close();
  hasMouse = false;
}

void SpaceMouseConnection::poll() {
  constexpr int kAtOnce = 1000;  // a daemon that never stops sending must not stop us
  spnav_event event{};
  for (int i = 0; i < kAtOnce && spnav_poll_event(&event) != 0; ++i) {
    movedAt = DeviceReading::Clock::now();
    if (event.type == SPNAV_EVENT_MOTION) axes = spaceMouseAxes(event.motion);
    if (event.type == SPNAV_EVENT_BUTTON && event.button.bnum >= 0 && event.button.bnum < 64) {
      const std::uint64_t bit = std::uint64_t{1} << event.button.bnum;
      down = event.button.press ? down | bit : down & ~bit;
      if (event.button.press) pressed |= bit;
    }
    // What there is now must be asked anew.
    if (event.type == SPNAV_EVENT_DEV) return close();
  }
  if (!isAlive()) close();
}

bool SpaceMouseConnection::isAlive() const {
  char byte = 0;
  return recv(spnav_fd(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
}

std::vector<double> spaceMouseAxes(const spnav_event_motion& motion) {
  std::vector<double> axes;
  for (const int count : {motion.z, -motion.x, motion.y, motion.rz, -motion.rx, motion.ry})
    axes.push_back(std::clamp(count / kSpaceMouseFullScale, -1.0, 1.0));
  return axes;
}

SpaceMice::SpaceMice(std::chrono::milliseconds retryPeriod)
    : retryPeriod_(retryPeriod), connection_(std::make_shared<SpaceMouseConnection>()) {}

SpaceMice::~SpaceMice() {
  if (opening_.valid()) opening_.wait();
  connection_->close();  // devices may still have it
}

void SpaceMice::startOver() {
  // One that is being opened is a new one already.
  if (!opening_.valid()) connection_->close();
  isGiven_ = false;
}

std::vector<std::unique_ptr<Device>> SpaceMice::arrivals() {
  const auto now = DeviceReading::Clock::now();
  if (opening_.valid()) {
    if (opening_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    opening_.get();
    trouble_ = troubleOf(*connection_);
  }
  if (!connection_->isOpen) {
    if (now < nextTry_) return {};
    nextTry_ = now + retryPeriod_;
    isGiven_ = false;
    connection_ = std::make_shared<SpaceMouseConnection>();
    opening_ = std::async(std::launch::async, [connection = connection_] { connection->open(); });
    return {};
  }
  if (!isGiven_ && connection_->hasMouse) {
    isGiven_ = true;
    trouble_.reset();
    std::vector<std::unique_ptr<Device>> mice;
    mice.push_back(std::make_unique<SpaceMouse>(connection_));
    return mice;
  }
  if (!isGiven_) connection_->poll();  // to hear of one
  return {};
}

}  // namespace slipstick::app

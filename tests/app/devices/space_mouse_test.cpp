// The real libspnav against a daemon of the test's own, which speaks spacenavd's protocol over a socket.
#include "app/devices/space_mouse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "tests/support/device_log.h"

#include <spnav.h>  // last: it brings macros of X11 along, Status and None

namespace slipstick::app {
namespace {

using testing::DeviceLog;
using ::testing::DoubleEq;
using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;

using Packet = std::array<std::int32_t, 8>;
enum Event { kMotion, kPress, kRelease, kDevice };

/// Answers what libspnav asks of a version 1 daemon, and sends what the test says.
class Daemon {
 public:
  explicit Daemon(const std::string& path, bool hasMouse = true)
      : hasMouse_(hasMouse), listener_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    unlink(path.c_str());
    EXPECT_EQ(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(listener_, 4), 0);
    thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  }
  ~Daemon() {
    thread_.request_stop();
    thread_.join();
    close(listener_);
    if (client_ >= 0) close(client_);
  }
  void send(const Packet& event) {
    const std::lock_guard lock(mutex_);
    EXPECT_EQ(::send(client_, event.data(), sizeof event, MSG_NOSIGNAL), static_cast<ssize_t>(sizeof event));
  }
  void setMouse(bool hasMouse) {
    {
      const std::lock_guard lock(mutex_);
      hasMouse_ = hasMouse;
    }
    send({kDevice, hasMouse ? SPNAV_DEV_ADD : SPNAV_DEV_RM, 1, SPNAV_DEV_SNAV});
  }

 private:
  void serve(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::array<pollfd, 2> waits = {pollfd{listener_, POLLIN, 0}, pollfd{client_, POLLIN, 0}};
      if (poll(waits.data(), client_ < 0 ? 1 : 2, 5) <= 0) continue;
      const std::lock_guard lock(mutex_);
      if (waits[0].revents & POLLIN) {
        if (client_ >= 0) close(client_);
        client_ = accept(listener_, nullptr, nullptr);
        isGreeted_ = false;
      } else if (!answer()) {
        close(client_);
        client_ = -1;
      }
    }
  }
  /// False: the client has gone.
  bool answer() {
    constexpr std::int32_t kName = 0x7faa2000, kButtons = 0x7faa2003, kUsb = 0x7faa2004, kType = 0x7faa2005;
    Packet request{};
    const std::size_t size =
        isGreeted_ ? sizeof request : sizeof request[0];  // the first asks for the version
    if (recv(client_, request.data(), size, MSG_WAITALL) != static_cast<ssize_t>(size)) return false;
    isGreeted_ = true;
    request[7] = hasMouse_ ? 0 : -1;
    if (request[0] == kName && hasMouse_) {
      std::memcpy(&request[1], "Test Navigator", 14);
      request[7] = 14;
    }
    if (request[0] == kButtons) request[1] = 4;
    if (request[0] == kUsb) request[1] = 0x46d, request[2] = 0xc626;
    if (request[0] == kType) request[1] = SPNAV_DEV_SNAV;
    return ::send(client_, request.data(), size, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
  }

  std::mutex mutex_;
  bool hasMouse_;
  bool isGreeted_ = false;
  int listener_ = -1, client_ = -1;
  std::jthread thread_;
};

class SpaceMouseTest : public ::testing::Test {
 protected:
  SpaceMouseTest() {
    std::string name = (std::filesystem::temp_directory_path() / "slipstick_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    setenv("SPNAV_SOCKET", socketPath().c_str(), 1);
  }
  ~SpaceMouseTest() override {
    thread_.reset();
    unsetenv("SPNAV_SOCKET");
    std::filesystem::remove_all(folder_);
  }
  std::string socketPath() const { return (folder_ / "spnav.sock").string(); }
  void start() {
    std::vector<std::unique_ptr<DeviceDriver>> drivers;
    drivers.push_back(std::make_unique<SpaceMice>(std::chrono::milliseconds(100)));
    const auto feedback = [this](DeviceId) {
      if (fails_.exchange(false)) throw std::runtime_error("it gives nothing back");
      return DeviceFeedback{};
    };
    const std::chrono::milliseconds rest(50);
    thread_ = std::make_unique<DeviceThread>(std::move(drivers), log_, feedback, DriverRest{rest, rest});
  }
  DeviceId awaitMouse() const {
    return log_.await([](const auto& seen) {
      return seen.info.kind == DeviceKind::SpaceMouse && !seen.isGone && seen.readings > 0;
    });
  }
  bool awaitTrouble(const std::string& text) const {
    return eventually([&] {
      const auto troubles = log_.troubles("3D mice");
      return !troubles.empty() && troubles.back() &&
             troubles.back()->message().find(text) != std::string::npos;
    });
  }

  std::filesystem::path folder_;
  DeviceLog log_;
  std::atomic<bool> fails_ = false;  ///< the next reading
  std::unique_ptr<DeviceThread> thread_;
};

TEST_F(SpaceMouseTest, MovesAsARobotCountsItsAxes) {
  spnav_event_motion motion{};
  motion.x = 175;  // right, up, away; turns of a left hand about them
  motion.y = 350;
  motion.z = -1000;
  motion.rx = 35;
  motion.ry = -70;
  motion.rz = 105;
  EXPECT_THAT(spaceMouseAxes(motion), ElementsAre(DoubleEq(-1), DoubleEq(-0.5), DoubleEq(1), DoubleEq(0.3),
                                                  DoubleEq(-0.1), DoubleEq(-0.2)));
}

TEST_F(SpaceMouseTest, AppearsDrivesPressesAndEndsWithItsDaemon) {
  std::optional<Daemon> daemon(std::in_place, socketPath());
  start();
  const DeviceId mouse = awaitMouse();
  ASSERT_NE(mouse, 0u);
  const DeviceInfo info = log_.seen()[mouse].info;
  EXPECT_EQ(info.name, "Test Navigator");
  EXPECT_EQ(info.id, "3D mouse 046d:c626");
  EXPECT_THAT(info.buttons, ElementsAre("left", "right", "button 3", "button 4"));
  daemon->send({kMotion, 0, 0, 175, 0, 0, 0, 10});
  EXPECT_TRUE(eventually([&] { return log_.seen()[mouse].last.axes[0] == 0.5; }));
  daemon->send({kPress, 1});
  daemon->send({kRelease, 1});
  EXPECT_TRUE(eventually([&] { return log_.seen()[mouse].pressed == 0b10; }));
  daemon->send({kMotion, 0, 0, 0, 0, 0, 0, 10});
  EXPECT_TRUE(eventually([&] { return log_.seen()[mouse].last.axes[0] == 0; }));
  daemon.reset();
  EXPECT_TRUE(eventually([&] { return log_.seen()[mouse].isGone; }));
  EXPECT_TRUE(awaitTrouble("spacenavd, which reads them, does not run"));
}

TEST_F(SpaceMouseTest, SaysWhatToDoWithoutADaemonAndFindsItWhenItComes) {
  start();
  ASSERT_TRUE(awaitTrouble("sudo apt-get install spacenavd"));
  Daemon daemon(socketPath());
  EXPECT_NE(awaitMouse(), 0u);
  EXPECT_TRUE(eventually([this] { return !log_.troubles("3D mice").back(); }));
}

TEST_F(SpaceMouseTest, IsThereAgainAfterAFailure) {
  Daemon daemon(socketPath());
  start();
  const DeviceId mouse = awaitMouse();
  ASSERT_NE(mouse, 0u);
  fails_ = true;
  ASSERT_TRUE(eventually([&] { return log_.seen()[mouse].isGone; }));
  EXPECT_GT(awaitMouse(), mouse);
}

TEST_F(SpaceMouseTest, WaitsForAMouseWhereTheDaemonHasNone) {
  Daemon daemon(socketPath(), false);
  start();
  ASSERT_TRUE(awaitTrouble("has found none"));
  daemon.setMouse(true);
  const DeviceId mouse = awaitMouse();
  ASSERT_NE(mouse, 0u);
  daemon.setMouse(false);
  EXPECT_TRUE(eventually([&] { return log_.seen()[mouse].isGone; }));
  EXPECT_TRUE(awaitTrouble("has found none"));
}

}  // namespace
}  // namespace slipstick::app

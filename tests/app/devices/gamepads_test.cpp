// Gamepads that SDL makes of thin air, read by the real driver on the real thread; and one of the kernel's, which not every
// machine lets one make.
#include "app/devices/gamepads.h"

#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "app/devices/rumble.h"
#include "engine/teleop/axis_map.h"
#include "tests/app/devices/uinput_pad.h"
#include "tests/support/device_log.h"
#include "tests/support/hand_model.h"

namespace slipstick::app {
namespace {

using testing::DeviceLog;
using testing::eventually;

class VirtualPad {
 public:
  explicit VirtualPad(SDL_JoystickType type = SDL_JOYSTICK_TYPE_GAMECONTROLLER) {
    SDL_VirtualJoystickDesc facts{};
    facts.version = SDL_VIRTUAL_JOYSTICK_DESC_VERSION;
    facts.type = static_cast<Uint16>(type);
    facts.naxes = 6;
    facts.nbuttons = 15;
    facts.name = "Pad of a test";
    facts.userdata = this;
    facts.Rumble = [](void* self, Uint16 low, Uint16) {
      static_cast<VirtualPad*>(self)->strength_ = low;
      ++static_cast<VirtualPad*>(self)->rumbles_;
      return 0;
    };
    const int index = SDL_JoystickAttachVirtualEx(&facts);
    EXPECT_GE(index, 0) << SDL_GetError();
    instance_ = SDL_JoystickGetDeviceInstanceID(index);
    joystick_ = SDL_JoystickOpen(index);
  }
  ~VirtualPad() { detach(); }
  VirtualPad(const VirtualPad&) = delete;
  VirtualPad& operator=(const VirtualPad&) = delete;

  void detach() {
    SDL_LockJoysticks();
    for (int index = 0; index < SDL_NumJoysticks(); ++index)
      if (SDL_JoystickGetDeviceInstanceID(index) == instance_) {
        SDL_JoystickDetachVirtual(index);
        break;
      }
    SDL_UnlockJoysticks();
    if (joystick_ != nullptr) SDL_JoystickClose(joystick_);
    joystick_ = nullptr;
  }
  void setAxis(int axis, Sint16 value) { SDL_JoystickSetVirtualAxis(joystick_, axis, value); }
  void setButton(int button, bool isDown) {
    SDL_JoystickSetVirtualButton(joystick_, button, isDown ? Uint8{1} : Uint8{0});
  }
  int strength() const { return strength_; }  ///< 0 … 65535
  int rumbles() const { return rumbles_; }

 private:
  SDL_JoystickID instance_ = -1;
  SDL_Joystick* joystick_ = nullptr;
  std::atomic<int> strength_ = 0, rumbles_ = 0;
};

class GamepadsTest : public ::testing::Test {
 protected:
  GamepadsTest() {
    SDL_SetMainReady();
    EXPECT_EQ(SDL_InitSubSystem(SDL_INIT_JOYSTICK), 0) << SDL_GetError();
  }
  ~GamepadsTest() override {
    thread_.reset();
    SDL_QuitSubSystem(SDL_INIT_JOYSTICK);
  }
  void start() {
    std::vector<std::unique_ptr<DeviceDriver>> drivers;
    drivers.push_back(std::make_unique<Gamepads>());
    const auto feedback = [this](DeviceId) {
      if (fails_.exchange(false)) throw std::runtime_error("it gives nothing back");
      const std::lock_guard lock(mutex_);
      return feedback_;
    };
    const std::chrono::milliseconds rest(50);
    thread_ = std::make_unique<DeviceThread>(std::move(drivers), log_, feedback, DriverRest{rest, rest});
  }
  void feel(double force) {
    const auto model = testing::handModel();
    const auto snapshot = testing::handSnapshot(model);
    snapshot->contactWrench[testing::HandModel::kPalm].force = {0, 0, force};
    const std::lock_guard lock(mutex_);
    feedback_ = {model, snapshot, 0};
  }
  /// Pads of a test that are there, and not those of the machine.
  DeviceId awaitPad() const {
    return log_.await([](const auto& seen) {
      return seen.info.name == "Pad of a test" && !seen.isGone && seen.readings > 0;
    });
  }
  double axis(DeviceId pad, std::size_t index) const { return log_.seen()[pad].last.axes.at(index); }

  DeviceLog log_;
  std::atomic<bool> fails_ = false;  ///< the next reading
  std::mutex mutex_;
  DeviceFeedback feedback_;
  std::unique_ptr<DeviceThread> thread_;
};

TEST_F(GamepadsTest, APadAppearsDrivesAndDisappears) {
  start();
  ASSERT_TRUE(eventually([this] { return thread_->status().ticks > 3; }));
  auto virtualPad = std::make_unique<VirtualPad>();
  const DeviceId pad = awaitPad();
  ASSERT_NE(pad, 0u);
  const DeviceInfo info = log_.seen()[pad].info;
  EXPECT_EQ(info.kind, DeviceKind::Gamepad);
  EXPECT_EQ(info.axes[0], "left stick x");
  virtualPad->setAxis(SDL_CONTROLLER_AXIS_LEFTX, 32767);
  virtualPad->setAxis(SDL_CONTROLLER_AXIS_LEFTY, -32768);
  virtualPad->setAxis(SDL_CONTROLLER_AXIS_RIGHTX, 16384);
  EXPECT_TRUE(eventually([&] { return axis(pad, 0) == 1 && axis(pad, 1) == -1 && axis(pad, 2) > 0.49; }));
  EXPECT_NEAR(axis(pad, 2), 0.5, 1e-3);
  const DeviceReading reading = log_.seen()[pad].last;
  const MotionRates rates = ratesOf(defaultMap(info), info, reading);
  EXPECT_DOUBLE_EQ(rates.linear.x(), defaultMap(info).of(Motion::X).scale) << "pushed forward at full speed";
  virtualPad.reset();
  EXPECT_TRUE(eventually([&] { return log_.seen()[pad].isGone; }));
}

TEST_F(GamepadsTest, APadOfTheKernelAppearsDrivesAndDisappears) {
  if (!testing::UinputPad::isPossible()) GTEST_SKIP() << "/dev/uinput is not there or may not be written";
  start();
  // SDL names it after its kind, not as the kernel does: it is the newest that comes.
  ASSERT_TRUE(eventually([this] { return thread_->status().ticks > 3; }));
  const std::size_t before = log_.seen().size();
  std::optional<testing::UinputPad> kernelPad(std::in_place);
  ASSERT_TRUE(eventually([&] { return log_.seen().size() > before; }));
  const DeviceId pad = log_.seen().rbegin()->first;
  EXPECT_EQ(log_.seen()[pad].info.axes[0], "left stick x");
  kernelPad->setAxis(ABS_X, 32767);
  kernelPad->setButton(BTN_EAST, true);
  EXPECT_TRUE(eventually([&] {
    const auto seen = log_.seen()[pad];
    return seen.last.axes.size() == 6 && seen.last.axes[0] > 0.99 &&
           seen.pressed == 1u << SDL_CONTROLLER_BUTTON_B;
  }));
  kernelPad.reset();
  EXPECT_TRUE(eventually([&] { return log_.seen()[pad].isGone; }));
}

TEST_F(GamepadsTest, APadIsThereAgainAfterAFailure) {
  start();
  VirtualPad virtualPad;
  const DeviceId pad = awaitPad();
  ASSERT_NE(pad, 0u);
  fails_ = true;
  ASSERT_TRUE(eventually([&] { return log_.seen()[pad].isGone; }));
  const DeviceId again = awaitPad();
  ASSERT_GT(again, pad);
  EXPECT_EQ(log_.seen()[again].info.id, log_.seen()[pad].info.id);
  virtualPad.setAxis(SDL_CONTROLLER_AXIS_LEFTX, 32767);
  EXPECT_TRUE(eventually([&] { return axis(again, 0) == 1; }));
}

TEST_F(GamepadsTest, ButtonsHaveTheNamesThatAreOnThem) {
  start();
  VirtualPad virtualPad;
  const DeviceId pad = awaitPad();
  const DeviceInfo info = log_.seen()[pad].info;
  virtualPad.setButton(SDL_CONTROLLER_BUTTON_B, true);
  ASSERT_TRUE(eventually([&] { return log_.seen()[pad].last.buttons != 0; }));
  const auto down = log_.seen()[pad].last.buttons;
  EXPECT_EQ(down, std::uint64_t{1} << SDL_CONTROLLER_BUTTON_B);
  EXPECT_EQ(info.buttons[SDL_CONTROLLER_BUTTON_B], "B");
  virtualPad.setButton(SDL_CONTROLLER_BUTTON_B, false);
  ASSERT_TRUE(eventually([&] { return log_.seen()[pad].last.buttons == 0; }));
  EXPECT_EQ(log_.seen()[pad].pressed, down) << "and it was pressed once";
}

TEST_F(GamepadsTest, APadThatComesBackHasTheIdOfBeforeAndTwoAlikeHaveTwo) {
  start();
  auto first = std::make_unique<VirtualPad>();
  const DeviceId a = awaitPad();
  ASSERT_NE(a, 0u);
  VirtualPad second;
  const DeviceId b =
      log_.await([&](const auto& seen) { return seen.info.id == log_.seen()[a].info.id + " #2"; });
  EXPECT_NE(b, 0u);
  first->detach();
  ASSERT_TRUE(eventually([&] { return log_.seen()[a].isGone; }));
  first = std::make_unique<VirtualPad>();
  const DeviceId c =
      log_.await([&](const auto& seen) { return !seen.isGone && seen.info.id == log_.seen()[a].info.id; });
  EXPECT_GT(c, b);
  EXPECT_FALSE(log_.seen()[b].isGone);
}

TEST_F(GamepadsTest, AJoystickWithoutNamesHasNumberedParts) {
  start();
  VirtualPad stick(SDL_JOYSTICK_TYPE_FLIGHT_STICK);
  const DeviceId pad = awaitPad();
  ASSERT_NE(pad, 0u);
  const DeviceInfo info = log_.seen()[pad].info;
  ASSERT_EQ(info.axes.size(), 6u);
  EXPECT_EQ(info.axes[0], "axis 1");
  EXPECT_EQ(info.buttons[14], "button 15");
  stick.setAxis(3, -32768);
  stick.setButton(14, true);
  EXPECT_TRUE(eventually([&] { return axis(pad, 3) == -1; }));
  EXPECT_TRUE(eventually([&] { return log_.seen()[pad].pressed == std::uint64_t{1} << 14; }));
}

TEST_F(GamepadsTest, ShakesWithTheContactForceAndStopsWithIt) {
  start();
  VirtualPad virtualPad;
  const DeviceId pad = awaitPad();
  ASSERT_NE(pad, 0u);
  ASSERT_TRUE(log_.seen()[pad].info.isFelt);
  feel(5);
  const int expected = static_cast<int>(rumbleOf(5) * 0xFFFF);
  EXPECT_TRUE(eventually([&] { return virtualPad.strength() == expected; })) << virtualPad.strength();
  // The same force asks nothing new of the motor, and SDL does not stop it after the second that it was asked for.
  const int rumbles = virtualPad.rumbles();
  const auto readings = log_.seen()[pad].readings;
  ASSERT_TRUE(eventually([&] { return log_.seen()[pad].readings > readings + 150; }));
  EXPECT_EQ(virtualPad.rumbles(), rumbles);
  EXPECT_EQ(virtualPad.strength(), expected);
  feel(200);
  EXPECT_TRUE(eventually([&] { return virtualPad.strength() == 0xFFFF; }));
  feel(0);
  EXPECT_TRUE(eventually([&] { return virtualPad.strength() == 0; }));
}

TEST(Rumble, GrowsWithTheLogarithmOfTheForce) {
  EXPECT_EQ(rumbleOf(0), 0);
  EXPECT_EQ(rumbleOf(0.49), 0);
  EXPECT_NEAR(rumbleOf(0.5), 0.1, 1.0 / 64);
  EXPECT_NEAR(rumbleOf(5), 0.55, 1.0 / 64) << "half way in ratios";
  EXPECT_EQ(rumbleOf(50), 1);
  EXPECT_EQ(rumbleOf(1e9), 1);
  EXPECT_EQ(rumbleOf(HUGE_VAL), 1);
  EXPECT_EQ(rumbleOf(std::nan("")), 0);
  for (double force = 0.01; force < 100; force *= 1.1) EXPECT_LE(rumbleOf(force), rumbleOf(force * 1.1));
}

}  // namespace
}  // namespace slipstick::app

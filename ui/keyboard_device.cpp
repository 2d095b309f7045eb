#include "ui/keyboard_device.h"

#include <algorithm>
#include <string>
#include <utility>

namespace slipstick::ui {
namespace {

class Keyboard final : public Device {
 public:
  explicit Keyboard(std::shared_ptr<KeyState> keys) : keys_(std::move(keys)) {}
  const DeviceInfo& info() const override { return keyboardInfo(); }
  bool read(DeviceReading& reading) override {
    keys_->read(reading);
    return true;
  }

 private:
  std::shared_ptr<KeyState> keys_;
};

class KeyboardDriver final : public DeviceDriver {
 public:
  explicit KeyboardDriver(std::shared_ptr<KeyState> keys) : keys_(std::move(keys)) {}
  std::string_view name() const override { return "keyboard"; }
  std::vector<std::unique_ptr<Device>> arrivals() override {
    std::vector<std::unique_ptr<Device>> arrived;
    if (!std::exchange(isGiven_, true)) arrived.push_back(std::make_unique<Keyboard>(keys_));
    return arrived;
  }
  void startOver() override { isGiven_ = false; }

 private:
  std::shared_ptr<KeyState> keys_;
  bool isGiven_ = false;
};

std::string nameOf(int key) {
  switch (key) {
    case Qt::Key_Escape:
      return "Escape";
    case Qt::Key_Shift:
      return "Shift";
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return "Return";
    case Qt::Key_Backspace:
      return "Backspace";
    default:
      return key >= Qt::Key_A && key <= Qt::Key_Z ? std::string(1, static_cast<char>(key)) : std::string();
  }
}

}  // namespace

std::optional<std::size_t> KeyState::buttonOf(int key) {
  const std::vector<std::string>& names = keyboardInfo().buttons;
  const auto found = std::find(names.begin(), names.end(), nameOf(key));
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

void KeyState::change(std::uint64_t buttons) {
  if (buttons == now_.buttons) return;
  now_.pressed |= buttons & ~now_.buttons;
  now_.buttons = buttons;
  now_.at = DeviceReading::Clock::now();
}

void KeyState::press(std::size_t button) {
  const std::scoped_lock lock(mutex_);
  change(now_.buttons | std::uint64_t{1} << button);
}

void KeyState::release(std::size_t button) {
  const std::scoped_lock lock(mutex_);
  change(now_.buttons & ~(std::uint64_t{1} << button));
}

void KeyState::releaseAll() {
  const std::scoped_lock lock(mutex_);
  change(0);
}

void KeyState::read(DeviceReading& reading) {
  const std::scoped_lock lock(mutex_);
  reading = now_;
  now_.pressed = 0;
}

std::unique_ptr<DeviceDriver> keyboardDriver(std::shared_ptr<KeyState> keys) {
  return std::make_unique<KeyboardDriver>(std::move(keys));
}

}  // namespace slipstick::ui

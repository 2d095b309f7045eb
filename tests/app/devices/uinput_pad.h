// A gamepad of the kernel's own, where a person may make one: /dev/uinput is writable.
#pragma once

#include <fcntl.h>
#include <linux/uinput.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstring>

#include <gtest/gtest.h>

namespace slipstick::testing {

/// Looks like an Xbox 360 pad, whose parts SDL can name. Unplugged at its end.
class UinputPad {
 public:
  static bool isPossible() { return access("/dev/uinput", W_OK) == 0; }

  UinputPad() : device_(open("/dev/uinput", O_WRONLY | O_NONBLOCK | O_CLOEXEC)) {
    EXPECT_GE(device_, 0);
    for (const int kind : {EV_KEY, EV_ABS}) ioctl(device_, UI_SET_EVBIT, kind);
    for (const int button : {BTN_SOUTH, BTN_EAST, BTN_NORTH, BTN_WEST, BTN_TL, BTN_TR, BTN_SELECT, BTN_START,
                             BTN_MODE, BTN_THUMBL, BTN_THUMBR})
      ioctl(device_, UI_SET_KEYBIT, button);
    for (const int axis : {ABS_X, ABS_Y, ABS_RX, ABS_RY}) add(axis, -32768, 32767);
    for (const int axis : {ABS_Z, ABS_RZ}) add(axis, 0, 255);
    for (const int axis : {ABS_HAT0X, ABS_HAT0Y}) add(axis, -1, 1);
    uinput_setup setup{};
    setup.id = {BUS_USB, 0x045e, 0x028e, 0x0110};
    std::strncpy(setup.name, kName, sizeof setup.name - 1);
    EXPECT_EQ(ioctl(device_, UI_DEV_SETUP, &setup), 0);
    EXPECT_EQ(ioctl(device_, UI_DEV_CREATE), 0);
  }
  ~UinputPad() {
    ioctl(device_, UI_DEV_DESTROY);
    close(device_);
  }
  UinputPad(const UinputPad&) = delete;
  UinputPad& operator=(const UinputPad&) = delete;

  void setAxis(int axis, int value) { send(EV_ABS, axis, value); }
  void setButton(int button, bool isDown) { send(EV_KEY, button, isDown ? 1 : 0); }

  static constexpr const char* kName = "Slipstick's test pad";

 private:
  void add(int axis, int lower, int upper) {
    ioctl(device_, UI_SET_ABSBIT, axis);
    uinput_abs_setup range{};
    range.code = static_cast<__u16>(axis);
    range.absinfo.minimum = lower;
    range.absinfo.maximum = upper;
    EXPECT_EQ(ioctl(device_, UI_ABS_SETUP, &range), 0);
  }
  void send(int type, int code, int value) {
    for (const input_event& event :
         {input_event{{}, static_cast<__u16>(type), static_cast<__u16>(code), value},
          input_event{{}, EV_SYN, SYN_REPORT, 0}})
      EXPECT_EQ(write(device_, &event, sizeof event), static_cast<ssize_t>(sizeof event));
  }

  int device_;
};

}  // namespace slipstick::testing

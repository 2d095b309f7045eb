#include "app/devices/gamepads.h"

#define SDL_MAIN_HANDLED  // our main is our own
#include <SDL.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "app/devices/rumble.h"
#include "engine/teleop/felt_force.h"

namespace slipstick::app {
namespace {

using Clock = DeviceReading::Clock;

constexpr int kMaxButtons = 64;  // bits of DeviceReading::buttons
constexpr std::array kAxisNames = {"left stick x",  "left stick y", "right stick x",
                                   "right stick y", "left trigger", "right trigger"};
constexpr std::array kButtonNames = {"A",
                                     "B",
                                     "X",
                                     "Y",
                                     "back",
                                     "guide",
                                     "start",
                                     "left stick",
                                     "right stick",
                                     "left shoulder",
                                     "right shoulder",
                                     "pad up",
                                     "pad down",
                                     "pad left",
                                     "pad right",
                                     "extra",
                                     "paddle 1",
                                     "paddle 2",
                                     "paddle 3",
                                     "paddle 4",
                                     "touchpad"};
static_assert(kAxisNames.size() == SDL_CONTROLLER_AXIS_MAX &&
              kButtonNames.size() == SDL_CONTROLLER_BUTTON_MAX);

/// SDL's −32768 … 32767 as −1 … 1.
double share(Sint16 value) {
  return std::max(value / 32767.0, -1.0);
}

/// What the event queue has said of a joystick since its last reading.
struct Heard {
  std::uint64_t pressed = 0;
  Clock::time_point movedAt = Clock::now();
};

std::string idOf(SDL_Joystick* joystick) {
  std::array<char, 33> guid{};
  SDL_JoystickGetGUIDString(SDL_JoystickGetGUID(joystick), guid.data(), static_cast<int>(guid.size()));
  const char* serial = SDL_JoystickGetSerial(joystick);
  return std::string("gamepad ") + guid.data() + (serial != nullptr ? std::string(" ") + serial : "");
}

}  // namespace

/// SDL while it is used, and what it has told of all joysticks. Gone after the last device.
struct GamepadHall {
  bool isOpen = false;
  std::optional<Error> trouble;
  std::map<SDL_JoystickID, Heard> heard;
  std::map<SDL_JoystickID, std::string> ids;            ///< of the devices that are there
  std::map<SDL_JoystickID, Clock::time_point> refused;  ///< could not be opened then

  GamepadHall();
  ~GamepadHall() {
    if (isOpen) SDL_QuitSubSystem(kParts);
  }
  void listen();
  void hear(SDL_JoystickID instance, int button = -1);
  void refuse(int index, SDL_JoystickID instance);
  /// `base`, or with "#2" … where there is one already: as many as are alike keep their ids whichever is plugged in.
  std::string freeId(const std::string& base) const;

  static constexpr Uint32 kParts = SDL_INIT_GAMECONTROLLER | SDL_INIT_JOYSTICK;
};

namespace {

class Gamepad final : public Device {
 public:
  /// Null where SDL cannot open it; SDL_GetError() says why.
  static std::unique_ptr<Gamepad> open(int index, std::shared_ptr<GamepadHall> hall);
  ~Gamepad() override;
  Gamepad(const Gamepad&) = delete;
  Gamepad& operator=(const Gamepad&) = delete;

  const DeviceInfo& info() const override { return info_; }
  bool read(DeviceReading& reading) override;
  void feel(const DeviceFeedback& feedback) override;

 private:
  Gamepad(SDL_GameController* controller, SDL_Joystick* joystick, std::shared_ptr<GamepadHall> hall);
  bool isDown(int button) const;

  std::shared_ptr<GamepadHall> hall_;  ///< before what it keeps alive
  SDL_GameController* controller_;     ///< null: a joystick whose parts SDL cannot name
  SDL_Joystick* joystick_;
  SDL_JoystickID instance_;
  DeviceInfo info_;
  double rumble_ = 0;
  Clock::time_point rumbledAt_;
};

std::unique_ptr<Gamepad> Gamepad::open(int index, std::shared_ptr<GamepadHall> hall) {
  SDL_GameController* controller = SDL_IsGameController(index) ? SDL_GameControllerOpen(index) : nullptr;
  SDL_Joystick* joystick =
      controller != nullptr ? SDL_GameControllerGetJoystick(controller) : SDL_JoystickOpen(index);
  if (joystick == nullptr) return nullptr;
  return std::unique_ptr<Gamepad>(new Gamepad(controller, joystick, std::move(hall)));
}

Gamepad::Gamepad(SDL_GameController* controller, SDL_Joystick* joystick, std::shared_ptr<GamepadHall> hall)
    : hall_(std::move(hall)),
      controller_(controller),
      joystick_(joystick),
      instance_(SDL_JoystickInstanceID(joystick)) {
  const char* name = controller != nullptr ? SDL_GameControllerName(controller) : SDL_JoystickName(joystick);
  info_.id = hall_->freeId(idOf(joystick));
  info_.name = name != nullptr ? name : "Joystick";
  info_.kind = DeviceKind::Gamepad;
  info_.isFelt = SDL_JoystickHasRumble(joystick) == SDL_TRUE;
  if (controller != nullptr) {
    info_.axes.assign(kAxisNames.begin(), kAxisNames.end());
    info_.buttons.assign(kButtonNames.begin(), kButtonNames.end());
  } else {
    for (int i = 0; i < SDL_JoystickNumAxes(joystick); ++i)
      info_.axes.push_back("axis " + std::to_string(i + 1));
    for (int i = 0; i < std::min(SDL_JoystickNumButtons(joystick), kMaxButtons); ++i)
      info_.buttons.push_back("button " + std::to_string(i + 1));
  }
  hall_->ids[instance_] = info_.id;
  hall_->heard[instance_] = {};
}

Gamepad::~Gamepad() {
  if (controller_ != nullptr)
    SDL_GameControllerClose(controller_);
  else
    SDL_JoystickClose(joystick_);
  hall_->ids.erase(instance_);
  hall_->heard.erase(instance_);
}

bool Gamepad::isDown(int button) const {
  return controller_ != nullptr
             ? SDL_GameControllerGetButton(controller_, static_cast<SDL_GameControllerButton>(button)) != 0
             : SDL_JoystickGetButton(joystick_, button) != 0;
}

bool Gamepad::read(DeviceReading& reading) {
  if (SDL_JoystickGetAttached(joystick_) != SDL_TRUE) return false;
  Heard& heard = hall_->heard[instance_];
  reading = {};
  reading.at = heard.movedAt;
  reading.pressed = std::exchange(heard.pressed, 0);
  for (int i = 0; i < static_cast<int>(info_.axes.size()); ++i)
    reading.axes.push_back(
        share(controller_ != nullptr
                  ? SDL_GameControllerGetAxis(controller_, static_cast<SDL_GameControllerAxis>(i))
                  : SDL_JoystickGetAxis(joystick_, i)));
  for (int i = 0; i < static_cast<int>(info_.buttons.size()); ++i)
    if (isDown(i)) reading.buttons |= std::uint64_t{1} << i;
  return true;
}

void Gamepad::feel(const DeviceFeedback& feedback) {
  // SDL stops by itself after a while, so that a hand is not shaken by a program that hangs.
  constexpr std::chrono::milliseconds kLasts{1000}, kAgain{400};
  if (!info_.isFelt) return;
  const double rumble = rumbleOf(feltForce(feedback).pressing);
  const auto now = Clock::now();
  if (rumble == rumble_ && (rumble == 0 || now - rumbledAt_ < kAgain)) return;
  rumble_ = rumble;
  rumbledAt_ = now;
  const auto strength = static_cast<Uint16>(rumble * 0xFFFF);
  SDL_JoystickRumble(joystick_, strength, strength, rumble > 0 ? Uint32{kLasts.count()} : 0);
}

}  // namespace

GamepadHall::GamepadHall() {
  // Our window is Qt's: SDL has no focus, and must not take Ctrl+C from us.
  SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  SDL_SetMainReady();
  isOpen = SDL_InitSubSystem(kParts) == 0;
  if (!isOpen)
    trouble = Error{ErrorCode::DeviceFailure, std::string("SDL cannot look for them: ") + SDL_GetError(),
                    "gamepads", "use another device, or start the program again"};
}

void GamepadHall::listen() {
  SDL_Event event;
  while (SDL_PollEvent(&event) != 0) {
    switch (event.type) {
      case SDL_CONTROLLERAXISMOTION:
        hear(event.caxis.which);
        break;
      case SDL_JOYAXISMOTION:
        hear(event.jaxis.which);
        break;
      case SDL_CONTROLLERBUTTONDOWN:
        hear(event.cbutton.which, event.cbutton.button);
        break;
      case SDL_JOYBUTTONDOWN:
        // Of a controller it is the same press under another number.
        if (SDL_GameControllerFromInstanceID(event.jbutton.which) == nullptr)
          hear(event.jbutton.which, event.jbutton.button);
        break;
      default:
        break;
    }
  }
}

void GamepadHall::hear(SDL_JoystickID instance, int button) {
  const auto found = heard.find(instance);
  if (found == heard.end()) return;
  found->second.movedAt = Clock::now();
  if (button >= 0 && button < kMaxButtons) found->second.pressed |= std::uint64_t{1} << button;
}

void GamepadHall::refuse(int index, SDL_JoystickID instance) {
  refused[instance] = Clock::now();
  const char* name = SDL_JoystickNameForIndex(index);
  trouble = Error{ErrorCode::DeviceFailure, std::string("cannot be opened: ") + SDL_GetError(),
                  name != nullptr ? name : "a joystick",
                  "plug it in again; where that does not help, let your user read /dev/input"};
}

std::string GamepadHall::freeId(const std::string& base) const {
  const auto isTaken = [&](const std::string& id) {
    return std::any_of(ids.begin(), ids.end(), [&](const auto& each) { return each.second == id; });
  };
  std::string id = base;
  for (int ordinal = 2; isTaken(id); ++ordinal) id = base + " #" + std::to_string(ordinal);
  return id;
}

Gamepads::Gamepads() = default;
Gamepads::~Gamepads() = default;

std::vector<std::unique_ptr<Device>> Gamepads::arrivals() {
  constexpr std::chrono::seconds kTryAgain{2};
  std::vector<std::unique_ptr<Device>> arrived;
  if (!hall_) hall_ = std::make_shared<GamepadHall>();
  if (!hall_->isOpen) return arrived;
  hall_->listen();
  bool isEachOpen = true;
  for (int index = 0; index < SDL_NumJoysticks(); ++index) {
    const SDL_JoystickID instance = SDL_JoystickGetDeviceInstanceID(index);
    if (instance < 0 || hall_->ids.count(instance) > 0) continue;
    const auto refused = hall_->refused.find(instance);
    const bool isLater = refused == hall_->refused.end() || Clock::now() - refused->second > kTryAgain;
    std::unique_ptr<Gamepad> gamepad = isLater ? Gamepad::open(index, hall_) : nullptr;
    if (gamepad) {
      hall_->refused.erase(instance);
      arrived.push_back(std::move(gamepad));
      continue;
    }
    isEachOpen = false;
    if (isLater) hall_->refuse(index, instance);
  }
  if (isEachOpen) hall_->trouble.reset();
  return arrived;
}

std::optional<DriverTrouble> Gamepads::trouble() const {
  if (!hall_ || !hall_->trouble) return std::nullopt;
  return DriverTrouble{*hall_->trouble, true};
}

void Gamepads::startOver() {
  hall_.reset();
}

}  // namespace slipstick::app

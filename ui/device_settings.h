// What a person chose for a device, as text that outlives the program.
#pragma once

#include <QByteArray>
#include <optional>

#include "engine/teleop/teleop.h"

namespace slipstick::ui {

/// JSON.
QByteArray textOf(const DeviceUse& use);
/// None where the text is not of textOf(): numbers out of range, names of controls that nobody knows are kept as they are.
std::optional<DeviceUse> deviceUseOf(const QByteArray& text);

}  // namespace slipstick::ui

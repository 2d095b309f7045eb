// The numbers of a companion as a person writes them.
#pragma once

#include <QString>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/command.h"

namespace slipstick::ui {

/// "contact.friction = 0.3, gravity = [0, 0, -1.6]" by their paths; nothing of an empty text. Errors: what is no path with a
/// number. Whether a scene has the paths it does not know.
Result<std::vector<SetParameter>> numbersIn(const QString& text);

}  // namespace slipstick::ui

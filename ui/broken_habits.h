// What the window remembers from one start to the next, where it cannot be read any more.
#pragma once

#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::ui {

/// Looks at the settings and at the list of known files. What is not whole, or may not be read, is kept as "NAME.broken",
/// where it can be copied, and goes from where it was: it is found once. The window starts with what could be read,
/// otherwise as at first.
/// @return an Error for each, to be said
std::vector<Error> brokenHabits();

}  // namespace slipstick::ui

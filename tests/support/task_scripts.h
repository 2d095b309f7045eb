// How a person does the shipped tasks with keys alone, wherever their resets have put things.
#pragma once

#include <string>

#include "tests/support/key_script.h"

namespace slipstick::testing {

/// @param task  name of a shipped scene: "flatten_dough" …
KeyScript scriptOf(const std::string& task);

}  // namespace slipstick::testing

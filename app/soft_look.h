// The words of --color-by, --particles and --surface to what the view shows.
#pragma once

#include <string>
#include <vector>

#include "app/verbs.h"
#include "render/view.h"

namespace slipstick::app {

/// Fails with UnknownName, listing the choices, for a colouring that does not exist.
Result<void> applySoftLook(const SoftLookOptions& options, render::ViewOptions& view);

/// "auto", "material", "stress", …
std::vector<std::string> colorWords();

}  // namespace slipstick::app

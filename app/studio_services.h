// What the window asks of the rest of the program, as the program has it.
#pragma once

#include "app/verbs.h"
#include "ui/studio.h"

namespace slipstick::app {

/// Real scenes, backends and devices.
ui::StudioServices studioServices(const SceneOptions& options);

}  // namespace slipstick::app

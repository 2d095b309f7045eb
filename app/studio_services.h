// What the window asks of the rest of the program, as the program has it.
#pragma once

#include "app/devices/network.h"
#include "app/scene_options.h"
#include "ui/studio.h"

namespace slipstick::app {

/// Real scenes, backends and devices.
ui::StudioServices studioServices(const SceneOptions& options, const NetworkOptions& network = {});

}  // namespace slipstick::app

// What the window asks of tries in files.
#pragma once

#include "ui/studio.h"

namespace slipstick::app {

ui::StudioServices::EpisodeFiles episodeFiles();

}  // namespace slipstick::app

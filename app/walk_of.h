// What pictures and files are made of: a scene that is simulated on the way, or a recording.
#pragma once

#include <functional>
#include <memory>

#include "app/verbs.h"
#include "engine/runtime/run_walk.h"

namespace slipstick::app {

/// Whether a file name is that of a recording.
bool isRecording(const std::string& source);

/// @param onStep  called after each simulated step; false: the walk ends there. Not called for recordings
Result<std::unique_ptr<RunWalk>> walkOf(const SceneOptions& source,
                                        std::function<bool(const Snapshot&)> onStep);

}  // namespace slipstick::app

// What a source on the command line is walked through as.
#pragma once

#include <functional>
#include <memory>

#include "app/verbs.h"
#include "engine/foundation/result.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/run_walk.h"

namespace slipstick::app {

/// A scene, simulated on the way.
/// @param detail  of its snapshots: particles only for those who write them
/// @param onStep  called after each step; false: the walk ends there
Result<std::unique_ptr<RunWalk>> walkOf(const SceneOptions& source, Detail detail,
                                        std::function<bool(const Snapshot&)> onStep);

}  // namespace slipstick::app

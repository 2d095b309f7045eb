// What pictures and files are made of: a scene that is simulated on the way, or a recording.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "app/scene_options.h"
#include "engine/runtime/run_walk.h"

namespace slipstick::app {

/// Of files that hold a recording, lower case, without dots.
inline constexpr std::array kRecordingSuffixes = {"h5", "hdf5"};
/// Whether a file name is that of a recording.
bool isRecording(const std::string& source);

/// @param detail  of the snapshots of a simulation: particles only for those who need them
/// @param onStep  called after each step that is simulated or read; false: the walk ends there
Result<std::unique_ptr<RunWalk>> walkOf(const SceneOptions& source, Detail detail,
                                        std::function<bool(const Snapshot&)> onStep);

/// Whether times lie in order, and within a recording. @param option  that `to` comes from: "--to"
Result<void> checkTimes(const RunWalk& walk, const std::string& option, double from, double to);

}  // namespace slipstick::app

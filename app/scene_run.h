// Runs in the foreground of what a command line names: what run, render and bench share.
#pragma once

#include <memory>

#include "app/scene_options.h"
#include "app/stepping.h"
#include "engine/runtime/headless_run.h"

namespace slipstick::app {

/// Loads and compiles the scene and makes its stepper. Notices of the import, which device the backend "auto" has taken,
/// that the method "auto" has taken a slower one, and that a body is too light for the method that was asked for go to
/// stderr unless quiet. An InterruptWatch that is there cancels the load: an error of that code.
/// @param detail  what snapshots hold: particles only for those who draw them
/// @param assumed  becomes which bodies have a mass that nobody wrote, see assumedMasses(); may be null
Result<std::unique_ptr<HeadlessRun>> openRun(const SceneOptions& options, Detail detail = Detail::Facts,
                                             const Registry& registry = stepping(),
                                             std::vector<char>* assumed = nullptr);

/// The same of a model that is loaded already.
Result<std::unique_ptr<HeadlessRun>> runOf(std::shared_ptr<const Model> model, const StepperOptions& options,
                                           Detail detail = Detail::Facts,
                                           const Registry& registry = stepping());

/// Says on stderr how many commands could not be applied, and why the last; nothing where there was none.
void sayDropped(const Model& model, const DroppedCommands& dropped);

/// Threads that "CPU · 2 threads · avx512" names, 0 where it names none: equal numbers of them give equal bits.
int recordedThreads(const std::string& runsOn);

/// Threads that 0 = "all cores" stands for.
int resolvedThreads(const StepperOptions& options);

}  // namespace slipstick::app

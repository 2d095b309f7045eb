// Runs in the foreground of what a command line names: what run, render and bench share.
#pragma once

#include <memory>

#include "app/stepping.h"
#include "app/verbs.h"
#include "engine/runtime/headless_run.h"

namespace slipstick::app {

/// Loads and compiles the scene and makes its stepper. Notices of the import, and which device the backend "auto" has taken,
/// go to stderr unless quiet. An InterruptWatch that is there cancels the load: an error of that code.
/// @param detail  what snapshots hold: particles only for those who draw them
Result<std::unique_ptr<HeadlessRun>> openRun(const SceneOptions& options, Detail detail = Detail::Facts,
                                             const Registry& registry = stepping());

/// The same of a model that is loaded already.
Result<std::unique_ptr<HeadlessRun>> runOf(std::shared_ptr<const Model> model, const StepperOptions& options,
                                           Detail detail = Detail::Facts,
                                           const Registry& registry = stepping());

/// Threads that "CPU · 2 threads · avx512" names, 0 where it names none: equal numbers of them give equal bits.
int recordedThreads(const std::string& runsOn);

/// Threads that 0 = "all cores" stands for.
int resolvedThreads(const StepperOptions& options);

}  // namespace slipstick::app

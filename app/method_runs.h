// The runs of slipstick compare, at their start.
#pragma once

#include <vector>

#include "app/compare_options.h"
#include "app/scene_run.h"
#include "engine/runtime/method_run.h"

namespace slipstick::app {

/// Loads the scene for every run. Errors: that of the first whose method cannot step it, where methods or runs were named;
/// where none were, those that cannot are left out, and said so on stderr unless quiet.
Result<std::vector<MethodRun>> prepareMethods(const CompareOptions& options, const Registry& registry);

}  // namespace slipstick::app

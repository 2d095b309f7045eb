// The files that one walk through a run writes, each with the moments that it takes.
#pragma once

#include <vector>

#include "assets/export/exporter.h"
#include "engine/foundation/result.h"
#include "engine/runtime/data_outputs.h"
#include "engine/runtime/run_walk.h"

namespace slipstick::app {

/// Whether all outputs can be written, found out before the run begins: makes the folders.
Result<void> checkExports(const DataOutputs& options);

/// Opens all outputs that were asked for.
Result<std::vector<assets::ExportOutput>> openExports(const DataOutputs& options, const RunWalk& run);

}  // namespace slipstick::app

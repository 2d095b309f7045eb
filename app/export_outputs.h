// The files that one walk through a run writes, each with the moments that it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/data_outputs.h"
#include "engine/foundation/result.h"
#include "engine/runtime/run_walk.h"

namespace slipstick::app {

struct ExportOutput {
  /// What it needs of a step.
  enum class Reads { Facts, Contacts, Particles };
  std::string name;                  ///< of the file or folder
  std::vector<std::uint64_t> steps;  ///< ascending
  Reads reads = Reads::Contacts;
  bool isSampled = false;  ///< it takes single moments, not every step
  std::function<Result<void>(const Snapshot&)> add;
  /// Makes the file whole; empty where another output of the same file does.
  std::function<Result<void>()> finish;
};

/// Whether all outputs can be written, found out before the run begins: makes the folder of the geometry.
Result<void> checkExports(const DataOutputs& options);

/// Opens all outputs that were asked for.
Result<std::vector<ExportOutput>> openExports(const DataOutputs& options, const RunWalk& run);

}  // namespace slipstick::app

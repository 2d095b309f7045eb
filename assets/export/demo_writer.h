// Demonstrations as robomimic and Isaac Lab read them: one HDF5 file of many episodes; see assets/export_formats.md.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::assets {

struct DemoOptions {
  std::string program;                    ///< "slipstick 0.1.0"
  std::optional<double> rate;             ///< samples per simulated second; unset: every step
  double train = 0.9;                     ///< part of the demonstrations that 'mask/train' names
  std::vector<std::string> observations;  ///< patterns of keys below 'obs'; empty: all
  /// Told how far it is, 0 … 1; false ends it. Unset: nobody watches.
  std::function<bool(double)> goesOn = {};
};

struct DemoReport {
  std::size_t demos = 0, successes = 0, samples = 0;
  std::vector<std::string> notices;  ///< what was left out, and what does not replay exactly, with the reason
};

/// Writes the file whole or not at all. Discarded and broken recordings are left out with a notice.
/// Errors: nothing is left, the recordings are of scenes with other numbers or effectors, none has an effector, a
/// pattern fits nothing, the file cannot be written; Cancelled.
Result<DemoReport> exportDemos(const std::vector<std::filesystem::path>& recordings,
                               const std::filesystem::path& out, const DemoOptions& options);

}  // namespace slipstick::assets

// Which steps of a run the files of an export take.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/runtime/data_outputs.h"
#include "engine/runtime/run_walk.h"

namespace slipstick::assets {

/// From `from` to `to` of the outputs; unset: from its start to its end.
class ExportSchedule {
 public:
  using Steps = std::vector<std::uint64_t>;  ///< ascending
  static constexpr double kUsualFps = 30;
  static constexpr std::uint64_t kMostSamples = 1'000'000;

  /// @param run  must outlive it
  ExportSchedule(const DataOutputs& options, const RunWalk& run);

  Steps every() const;
  /// The first step at or after each moment from + k / fps; each step once. Errors: more than `most`.
  /// @param usualFps  where no rate was asked for [1/s]
  Result<Steps> sampled(double usualFps = kUsualFps, std::uint64_t most = kMostSamples) const;

 private:
  std::uint64_t first(double time) const;
  const RunWalk& run_;
  double from_, to_;
  std::optional<double> fps_;
};

}  // namespace slipstick::assets

// The columns of a run as a CSV file.
#pragma once

#include <QString>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/runtime/columns.h"

namespace slipstick::ui {

struct StepRange {
  std::uint64_t begin = 0, end = std::numeric_limits<std::uint64_t>::max();
};

/// One row per step, one column per observable, headed "name [unit]"; empty where the scene did not have it.
/// Numbers are the shortest that read back as the same. Any thread.
Result<void> writeColumns(const RunColumns& columns, const std::vector<RunColumns::Name>& names,
                          StepRange range, const QString& file);
/// All of them.
Result<void> writeObservables(const RunColumns& columns, const QString& file);

}  // namespace slipstick::ui

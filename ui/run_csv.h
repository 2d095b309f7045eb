// The columns of a run as a CSV file.
#pragma once

#include <QString>

#include "engine/foundation/result.h"
#include "engine/runtime/columns.h"

namespace slipstick::ui {

/// One row per step, one column per observable, headed "name [unit]"; empty where the scene did not have it.
/// Numbers are the shortest that read back as the same. Any thread.
Result<void> writeObservables(const RunColumns& columns, const QString& file);

}  // namespace slipstick::ui

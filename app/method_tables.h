// A comparison of methods as words, JSON and CSV.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "app/method_runs.h"
#include "engine/foundation/result.h"

namespace slipstick::app {

/// A table: a row per figure, a column per method. @param from, to  of means [s]
std::string methodTable(std::span<const MethodRun> runs, double from, double to);
nlohmann::ordered_json methodReport(std::span<const MethodRun> runs, double from, double to);
/// A row per method and step.
Result<void> writeMethodCsv(std::span<const MethodRun> runs, const std::string& file);

}  // namespace slipstick::app

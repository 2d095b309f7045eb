// A comparison of methods as words, JSON and CSV.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "engine/foundation/result.h"
#include "engine/runtime/method_run.h"

namespace slipstick::app {

/// A table: a row per figure, a column per method. @param from, to  of means [s]
std::string methodTable(std::span<const MethodRun> runs, double from, double to);
nlohmann::ordered_json methodReport(std::span<const MethodRun> runs, double from, double to);
Result<void> writeMethodReport(std::span<const MethodRun> runs, double from, double to,
                               const std::string& file);
/// A row per method and step.
Result<void> writeMethodCsv(std::span<const MethodRun> runs, const std::string& file);

}  // namespace slipstick::app

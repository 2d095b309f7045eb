// Reports in JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/foundation/result.h"

namespace slipstick::app {

Result<void> writeReport(const std::string& file, const nlohmann::ordered_json& report);

}  // namespace slipstick::app

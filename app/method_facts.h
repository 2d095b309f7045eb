// Which method steps a scene, who chose it and why: for what the program prints and reports.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/model.h"
#include "engine/step/stepper.h"

namespace slipstick::app {

/// {"by": "auto", "scene" or "command line", "why": words, "body", "mass_assumed", "share", "limit", "warning"}: see
/// engine/model/frozen_motion.h; without a body that particles can touch "body" and "warning" are null.
/// @param method  that steps the model   @param asked  as on the command line
nlohmann::ordered_json methodReport(const Model& model, std::string_view method, const StepperOptions& asked,
                                    const std::vector<char>& assumed);

/// What a person should know of the method before a run: that it is wrong for a light body, or that the program
/// has chosen another one than the fast one.
std::optional<std::string> methodNews(const Model& model, std::string_view method,
                                      const StepperOptions& asked, const std::vector<char>& assumed);

/// Names of bodies whose mass was assumed.
nlohmann::ordered_json assumedReport(const Model& model, const std::vector<char>& assumed);

}  // namespace slipstick::app

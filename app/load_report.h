// What a file became: for people as text, for programs as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/scene.h"

namespace slipstick::app {

/// Links, joints, masses, shapes of one robot. Keys name their units; an infinite limit is null.
nlohmann::json robotReport(const RobotDescription& robot);

/// What a compiled scene holds, and the report of each robot that came from a file.
nlohmann::json sceneReport(const Scene& scene, const Model& model);

nlohmann::json noticesReport(const std::vector<Notice>& notices);

/// Tables of links and joints, sums, excluded pairs; lines end in "\n".
std::string robotText(const nlohmann::json& report);

/// "  warning: where: what" lines, or one line that says that nothing was dropped.
std::string noticesText(const nlohmann::json& notices);

}  // namespace slipstick::app

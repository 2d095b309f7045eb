// A task and what came of it: for people as text, for programs as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/model/scene.h"
#include "engine/runtime/task_watch.h"

namespace slipstick::app {

/// Of a try: seed (null without one), outcome, why, time_s, and per test its limits, its value and whether it holds.
nlohmann::ordered_json taskOutcomeReport(const Model& model, const TaskWatch& watch);

/// What is asked, and what the reset draws.
nlohmann::json taskReport(const TaskSpec& task);

/// The same in lines that end in "\n".
std::string taskText(const TaskSpec& task, const TaskWatch& watch);

}  // namespace slipstick::app

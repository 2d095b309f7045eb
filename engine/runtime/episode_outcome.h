// What has come of a try at a task, as recordings and lists say it.
#pragma once

#include <optional>
#include <string_view>

#include "engine/runtime/task_watch.h"

namespace slipstick {

/// Open: nobody has decided yet, or it ended before anything was. Discarded: a person does not want it.
enum class EpisodeOutcome { Open, Success, Failure, Timeout, Discarded };

/// "open", "success", "failure", "timeout", "discarded": as files say it.
std::string_view nameOf(EpisodeOutcome outcome);
std::optional<EpisodeOutcome> outcomeNamed(std::string_view name);
/// Of a try that ends when its task is as that.
EpisodeOutcome episodeOutcome(TaskOutcome outcome);

}  // namespace slipstick

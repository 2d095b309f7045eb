#include "engine/runtime/episode_outcome.h"

#include <algorithm>
#include <array>

namespace slipstick {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"open", "success", "failure", "timeout", "discarded"};

}  // namespace

std::string_view nameOf(EpisodeOutcome outcome) {
  return kNames[static_cast<std::size_t>(outcome)];
}

std::optional<EpisodeOutcome> outcomeNamed(std::string_view name) {
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<EpisodeOutcome>(found - kNames.begin());
}

EpisodeOutcome episodeOutcome(TaskOutcome outcome) {
  return outcomeNamed(nameOf(outcome))
      .value_or(EpisodeOutcome::Open);  // of the same names, where they are outcomes
}

}  // namespace slipstick

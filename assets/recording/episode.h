// Recordings of tries at a task: what came of them, in a folder of such files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::assets {

/// Open: nobody has decided yet, or it ended before anything was.
enum class EpisodeOutcome { Open, Success, Failure, Timeout, Discarded };

/// "open", "success", "failure", "timeout", "discarded": as files say it.
std::string_view nameOf(EpisodeOutcome outcome);
std::optional<EpisodeOutcome> outcomeNamed(std::string_view name);

/// What a list shows of a recording, without its scene or its steps.
struct Episode {
  std::filesystem::path file;
  std::optional<Error> broken;        ///< why it cannot be read; the rest is then empty
  std::string scene;                  ///< name
  std::string created;                ///< "2026-11-25T14:00:00Z"
  std::optional<std::uint64_t> seed;  ///< of its task's reset; none: the scene as it was written
  EpisodeOutcome outcome = EpisodeOutcome::Open;
  std::string note;  ///< of the operator
  std::uint64_t steps = 0;
  double length = 0;  ///< simulated time [s]
};

/// Reads a few numbers of a file; one that is still written, too.
Episode episodeIn(const std::filesystem::path& file);

/// Of every *.h5 in a folder, by time of creation and then by name; broken ones last, each with its reason.
/// Errors: there is no such folder.
Result<std::vector<Episode>> episodesIn(const std::filesystem::path& folder);

/// Errors: not a recording, still written or not closed because its program was killed, cannot be written.
Result<void> setOutcome(const std::filesystem::path& file, EpisodeOutcome outcome);
Result<void> setNote(const std::filesystem::path& file, const std::string& note);

/// Moves an episode into a folder, which is made where it is missing, under its own name or "NAME-2.h5" … where that
/// is taken. @return where it is now
Result<std::filesystem::path> keepEpisode(const std::filesystem::path& file,
                                          const std::filesystem::path& folder);
Result<void> deleteEpisode(const std::filesystem::path& file);

}  // namespace slipstick::assets

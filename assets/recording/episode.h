// Recordings of tries at a task: what came of them, in a folder of such files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/runtime/episode_outcome.h"

namespace slipstick::assets {

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

/// A look at a moment of a try, for lists of tries.
struct EpisodePicture {
  double time = 0;   ///< simulated [s]
  std::string jpeg;  ///< bytes of the file
  bool operator==(const EpisodePicture&) const = default;
};

/// Puts pictures into a recording, in place of those that it has. Errors: as of setOutcome().
Result<void> setPictures(const std::filesystem::path& file, const std::vector<EpisodePicture>& pictures);
/// Those of a recording; none in most. Errors: it cannot be read.
Result<std::vector<EpisodePicture>> picturesIn(const std::filesystem::path& file);

/// Copies an episode into a folder, which is made where it is missing, under its own name or "NAME-2.h5" … where that
/// is taken; whole or not at all. @return where the copy is; the file itself where it lies there already
Result<std::filesystem::path> copyEpisode(const std::filesystem::path& file,
                                          const std::filesystem::path& folder);

}  // namespace slipstick::assets

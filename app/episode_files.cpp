#ifdef SLIPSTICK_HAS_STUDIO

#include "app/episode_files.h"

#include <filesystem>

#include "app/output_path.h"
#include "app/stepping.h"
#include "assets/export/demo_writer.h"
#include "assets/recording/episode.h"

namespace slipstick::app {
namespace {

using Episode = ui::StudioServices::Episode;
using Picture = ui::StudioServices::EpisodePicture;

Result<std::vector<Episode>> listOf(const std::string& folder) {
  const Result<std::vector<assets::Episode>> found = assets::episodesIn(folder);
  if (!found) return found.error();
  std::vector<Episode> episodes;
  for (const assets::Episode& e : *found)
    episodes.push_back({e.file.string(), e.broken ? e.broken->message() : std::string(), e.scene, e.created,
                        e.seed, e.outcome, e.note, e.length});
  return episodes;
}

Result<void> putPictures(const std::string& file, const std::vector<Picture>& pictures) {
  std::vector<assets::EpisodePicture> kept;
  for (const Picture& picture : pictures) kept.push_back({picture.time, picture.jpeg});
  return assets::setPictures(file, kept);
}

Result<std::vector<Picture>> picturesOf(const std::string& file) {
  Result<std::vector<assets::EpisodePicture>> kept = assets::picturesIn(file);
  if (!kept) return kept.error();
  std::vector<Picture> pictures;
  for (assets::EpisodePicture& picture : *kept) pictures.push_back({picture.time, std::move(picture.jpeg)});
  return pictures;
}

/// "12 demonstrations, 9 of them successes, 5,400 samples"; what was left out follows.
Result<std::string> exportForWindow(const std::vector<std::string>& files, const std::string& out,
                                    const std::function<bool(double)>& goesOn) {
  if (const Result<void> writable = checkWritableFile(out); !writable) return writable.error();
  assets::DemoOptions options;
  options.program = "slipstick " SLIPSTICK_VERSION;
  options.goesOn = goesOn;
  options.methods = stepping().table();
  const Result<assets::DemoReport> report = assets::exportDemos({files.begin(), files.end()}, out, options);
  if (!report) return report.error();
  std::string words = std::to_string(report->demos) + " demonstrations, " +
                      std::to_string(report->successes) + " of them successes, " +
                      std::to_string(report->samples) + " samples";
  for (const std::string& notice : report->notices) words += "; " + notice;
  return words;
}

}  // namespace

ui::StudioServices::EpisodeFiles episodeFiles() {
  ui::StudioServices::EpisodeFiles files;
  files.list = listOf;
  files.setOutcome = [](const std::string& file, EpisodeOutcome outcome) {
    return assets::setOutcome(file, outcome);
  };
  files.setNote = [](const std::string& file, const std::string& note) {
    return assets::setNote(file, note);
  };
  files.setPictures = putPictures;
  files.pictures = picturesOf;
  files.copy = [](const std::string& file, const std::string& folder) -> Result<std::string> {
    const Result<std::filesystem::path> copy = assets::copyEpisode(file, folder);
    if (!copy) return copy.error();
    return copy->string();
  };
  files.exportDemos = exportForWindow;
  return files;
}

}  // namespace slipstick::app

#endif

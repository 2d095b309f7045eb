#include "assets/recording/episode.h"

#include <algorithm>
#include <system_error>

#include "assets/one_line.h"
#include "assets/recording/hdf5_file.h"
#include "assets/recording/recording_format.h"
#include "assets/shipped.h"
#include "engine/foundation/output_claim.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPictures = "pictures";

Error notARecording(const fs::path& file) {
  return {ErrorCode::SyntaxError, "this is not a recording of Slipstick", file.string(),
          "delete it, or move it elsewhere"};
}

Result<void> checkFormat(const hdf5::Handle& handle, const fs::path& file) {
  if (const auto cut = handle.ok() ? std::nullopt : hdf5::howCutOff(file))
    return Error{ErrorCode::SyntaxError, *cut, file.string(), "copy it again from where it is whole"};
  if (!handle.ok()) return notARecording(file);
  const Result<std::string> format = hdf5::readText(handle.id(), "format");
  if (!format || *format != recording::kFormat) return notARecording(file);
  return {};
}

Result<void> readInto(Episode& episode) {
  const hdf5::Handle handle = hdf5::openToRead(episode.file);
  if (Result<void> ok = checkFormat(handle, episode.file); !ok) return ok;
  const hid_t root = handle.id();
  const Result<std::string> created = hdf5::readText(root, "created");
  const Result<double> step = hdf5::readNumber(root, "time_step");
  if (!created) return created.error();
  if (!step) return step.error();
  const hdf5::Handle scene(H5Gopen2(root, "scene", H5P_DEFAULT), H5Gclose);
  const Result<std::string> name = hdf5::readText(scene.id(), "name");
  if (!name) return name.error();
  hdf5::TableReader steps;
  if (Result<void> ok = steps.open(root, recording::steps::kGroup, {{"hash", hdf5::Number::U64}}); !ok)
    return ok;
  episode.created = *created;
  episode.scene = oneLine(*name);
  episode.steps = steps.rows();
  episode.length = episode.steps > 0 ? static_cast<double>(episode.steps - 1) * *step : 0;
  // What scenes without a task and older programs do not write.
  if (const Result<double> seed = hdf5::readNumber(root, "task_seed");
      seed && *seed >= 0 && *seed <= static_cast<double>(kLargestSeed))
    episode.seed = static_cast<std::uint64_t>(*seed);
  if (const Result<std::string> outcome = hdf5::readText(root, "outcome"))
    episode.outcome = outcomeNamed(*outcome).value_or(EpisodeOutcome::Open);
  episode.note = hdf5::readText(root, "operator_note").ok() ? *hdf5::readText(root, "operator_note") : "";
  return {};
}

/// To be changed, closed by changed(). Errors: not a recording, or nobody may change it now.
Result<hdf5::Handle> openToChange(const fs::path& file) {
  hdf5::begin();
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return Error{ErrorCode::FileNotFound, "there is no such recording", file.string(), "check the path"};
  if (Result<void> ok = checkIsFile(file); !ok) return ok.error();
  if (Result<void> ok = checkFormat(hdf5::openToRead(file), file); !ok) return ok.error();
  hdf5::Handle handle(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  if (handle.ok()) return handle;
  return Error{ErrorCode::FileUnwritable,
               "the recording cannot be changed: it is still written, its program was killed, or it may "
               "not be written (" +
                   hdf5::lastError() + ")",
               file.string(), "end the recording first; one that was killed can be replayed, or deleted"};
}

Error cannotChange(const fs::path& file) {
  return {ErrorCode::FileUnwritable, "the recording cannot be changed: " + hdf5::lastError(), file.string(),
          "copy it to where you may write"};
}

/// Nothing waits for the disk any more.
Result<void> changed(hdf5::Handle& handle, const fs::path& file) {
  if (handle.close()) return {};
  return Error{ErrorCode::FileUnwritable, "the recording cannot be written: " + hdf5::lastError(),
               file.string(), "free some space on the disk"};
}

/// A text of the whole file, in place of the one that it has.
Result<void> setText(const fs::path& file, const char* name, const std::string& text) {
  Result<hdf5::Handle> handle = openToChange(file);
  if (!handle) return handle.error();
  if (H5Aexists(handle->id(), name) > 0 && H5Adelete(handle->id(), name) < 0) return cannotChange(file);
  if (Result<void> ok = hdf5::writeText(handle->id(), name, text); !ok) return ok;
  return changed(*handle, file);
}

std::string pictureName(std::size_t i) {
  return std::string(kPictures) + "/" + std::to_string(i);
}

}  // namespace

Episode episodeIn(const fs::path& file) {
  hdf5::begin();
  Episode episode;
  episode.file = file;
  std::error_code ignored;
  const Result<void> read =
      fs::exists(file, ignored)
          ? readInto(episode)
          : Error{ErrorCode::FileNotFound, "there is no such recording", file.string(), "check the path"};
  if (read) return episode;
  Episode broken;
  broken.file = file;
  broken.broken = read.error();
  if (broken.broken->where.find(file.filename().string()) == std::string::npos)
    broken.broken->where = file.string() + ", " + broken.broken->where;
  return broken;
}

Result<std::vector<Episode>> episodesIn(const fs::path& folder) {
  const Result<std::vector<fs::path>> files = entriesOf(folder);
  if (!files) return files.error();
  std::vector<Episode> episodes;
  for (const fs::path& file : *files) {
    std::error_code ignored;
    if (file.extension() == ".h5" && fs::is_regular_file(file, ignored)) episodes.push_back(episodeIn(file));
  }
  std::sort(episodes.begin(), episodes.end(), [](const Episode& a, const Episode& b) {
    return std::tuple(a.broken.has_value(), a.created, a.file) <
           std::tuple(b.broken.has_value(), b.created, b.file);
  });
  return episodes;
}

Result<void> setOutcome(const fs::path& file, EpisodeOutcome outcome) {
  return setText(file, "outcome", std::string(nameOf(outcome)));
}

Result<void> setNote(const fs::path& file, const std::string& note) {
  return setText(file, "operator_note", note);
}

Result<void> setPictures(const fs::path& file, const std::vector<EpisodePicture>& pictures) {
  Result<hdf5::Handle> handle = openToChange(file);
  if (!handle) return handle.error();
  if (H5Lexists(handle->id(), kPictures, H5P_DEFAULT) > 0 &&
      H5Ldelete(handle->id(), kPictures, H5P_DEFAULT) < 0)
    return cannotChange(file);
  hdf5::Table times;
  if (Result<void> ok =
          times.create(handle->id(), kPictures, "looks at moments of the try, JPEG files 0, 1, …",
                       {{"time", hdf5::Number::F64, {}, "s"}});
      !ok)
    return ok;
  for (const EpisodePicture& picture : pictures) times.put(0, picture.time);
  if (Result<void> ok = times.flush(); !ok) return ok;
  for (std::size_t i = 0; i < pictures.size(); ++i)
    if (Result<void> ok = hdf5::writeBytes(handle->id(), pictureName(i), pictures[i].jpeg); !ok) return ok;
  return changed(*handle, file);
}

Result<std::vector<EpisodePicture>> picturesIn(const fs::path& file) {
  hdf5::begin();
  const hdf5::Handle handle = hdf5::openToRead(file);
  if (Result<void> ok = checkFormat(handle, file); !ok) return ok.error();
  std::vector<EpisodePicture> pictures;
  if (H5Lexists(handle.id(), kPictures, H5P_DEFAULT) <= 0) return pictures;
  hdf5::TableReader table;
  if (Result<void> ok = table.open(handle.id(), kPictures, {{"time", hdf5::Number::F64}}); !ok)
    return ok.error();
  const Result<std::vector<double>> times = table.read<double>(0, 0, table.rows());
  if (!times) return times.error();
  for (std::size_t i = 0; i < times->size(); ++i) {
    Result<std::string> jpeg = hdf5::readBytes(handle.id(), pictureName(i));
    if (!jpeg) return jpeg.error();
    pictures.push_back({(*times)[i], std::move(*jpeg)});
  }
  return pictures;
}

Result<fs::path> copyEpisode(const fs::path& file, const fs::path& folder) {
  const auto failure = [&](const std::error_code& why) {
    return Error{ErrorCode::FileUnwritable, "the recording cannot be put there: " + why.message(),
                 folder.string(), "choose a folder that you may write to, with room on its disk"};
  };
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return failure(failed);
  fs::path to = folder / file.filename();
  if (fs::equivalent(file, to, failed)) return to;
  for (int i = 2; fs::exists(to, failed); ++i)
    to = folder / (file.stem().string() + "-" + std::to_string(i) + file.extension().string());
  // Under its name once it is whole.
  Result<OutputClaim> claim = OutputClaim::take(to);
  if (!claim) return claim.error();
  failed.clear();
  fs::copy_file(file, claim->written(), fs::copy_options::overwrite_existing, failed);
  if (failed) return failure(failed);
  if (Result<void> named = claim->commit(); !named) return named.error();
  return to;
}

}  // namespace slipstick::assets

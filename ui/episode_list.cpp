#include "ui/episode_list.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <algorithm>

namespace slipstick::ui {
namespace {

/// Copies those of a scene from one folder to another. @return what a person should know of it
Result<QString> copyEpisodes(const StudioServices::EpisodeFiles& files, const std::string& from,
                             const std::string& to, const std::string& scene, const std::stop_token& stop,
                             const Exports::Say& say) {
  const Result<std::vector<EpisodeList::Episode>> found = files.list(from);
  if (!found) return found.error();
  int copied = 0, others = 0;
  for (std::size_t i = 0; i < found->size(); ++i) {
    const EpisodeList::Episode& episode = (*found)[i];
    if (stop.stop_requested()) break;
    say({static_cast<double>(i) / static_cast<double>(found->size()),
         EpisodeList::tr("%1 of %2").arg(i).arg(found->size())});
    if (!episode.broken.empty() || episode.scene != scene) {
      ++others;
      continue;
    }
    const Result<std::string> copy = files.copy(episode.file, to);
    if (!copy) return copy.error();
    ++copied;
  }
  QString words = EpisodeList::tr("%1 tries were added").arg(copied);
  if (others > 0) words += EpisodeList::tr("; %1 files are of other scenes, or cannot be read").arg(others);
  return words;
}

}  // namespace

EpisodeList::EpisodeList(const StudioServices& services, const OpenRun& run, Exports& exports,
                         Messages& messages)
    : services_(services), run_(run), exports_(exports), messages_(messages) {
  for (const auto written : {&Exports::writtenQuietly, &Exports::stopped})
    connect(&exports_, written, this, &EpisodeList::refresh);
  connect(&exports_, &Exports::written, this, &EpisodeList::refresh);
  connect(&exports_, &Exports::failed, this, &EpisodeList::refresh);
}

void EpisodeList::clear() {
  list_.clear();
  Q_EMIT listChanged();
}

std::uint64_t EpisodeList::largestSeed() const {
  std::uint64_t largest = 0;
  for (const Episode& episode : list_) largest = std::max(largest, episode.seed.value_or(0));
  return largest;
}

QString EpisodeList::folder() const {
  const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
  return documents.filePath("Slipstick/tries/" + QString::fromStdString(run_.newestModel()->name));
}

void EpisodeList::refresh() {
  if (!run_.isOpen() || !services_.episodes.list) return;
  // A file that is being changed cannot be read; this is called again when it has been.
  if (const auto current = exports_.current(); current && current->told == Exports::Told::Quietly) return;
  if (!run_.newestModel()->task || !QDir(folder()).exists()) {
    list_.clear();
    Q_EMIT listChanged();
    return;
  }
  readsAgain_ = reading_.isRunning();
  if (readsAgain_) return;
  const QString folder = this->folder();
  const auto work = [list = services_.episodes.list, where = folder.toStdString()](const std::stop_token&) {
    return list(where);
  };
  reading_.start(ErrorCode::FileUnreadable, folder.toStdString(), work,
                 [this, folder](const Result<std::vector<Episode>>& read) { take(folder, read); });
}

void EpisodeList::take(const QString& folder, const Result<std::vector<Episode>>& read) {
  if (!run_.isOpen()) return;
  if (readsAgain_ || folder != this->folder()) return refresh();
  if (!read) return messages_.failed(read.error());
  list_ = *read;
  std::erase_if(list_, [this](const Episode& episode) { return episode.file == recording_; });
  Q_EMIT listChanged();
}

/// Beside the window, after what is being written; the list is read again then.
void EpisodeList::change(const QString& file, std::function<Result<void>()> change) {
  exports_.begin(
      file, [change = std::move(change)](const std::stop_token&) { return change(); }, Exports::Told::Quietly,
      Exports::Worth::Kept);
}

void EpisodeList::setOutcome(const QString& file, EpisodeOutcome outcome) {
  change(file, [file = file.toStdString(), outcome, &files = services_.episodes] {
    return files.setOutcome(file, outcome);
  });
}

void EpisodeList::setNote(const QString& file, const QString& note) {
  change(file, [file = file.toStdString(), note = note.toStdString(), &files = services_.episodes] {
    return files.setNote(file, note);
  });
}

void EpisodeList::moveToBin(const QString& file) {
  if (!QFile::moveToTrash(file))
    return messages_.failed(
        Error{ErrorCode::FileUnwritable, "it cannot be moved to the bin", file.toStdString(),
              "delete it by hand; bins need the folder of the file on a disk that has one"});
  Q_EMIT binned(file);
  refresh();
}

void EpisodeList::addFrom(const QString& folder) {
  if (!run_.isOpen()) return;
  const std::string to = this->folder().toStdString(), scene = run_.newestModel()->name;
  const Exports::Work work = [from = folder.toStdString(), to, scene, &files = services_.episodes](
                                 const std::stop_token& stop, const Exports::Say& say) {
    return copyEpisodes(files, from, to, scene, stop, say);
  };
  exports_.begin(this->folder(), work);
}

void EpisodeList::exportTo(const QString& file) {
  std::vector<std::string> files;
  for (const Episode& episode : list_)
    if (episode.broken.empty() && episode.outcome != EpisodeOutcome::Discarded) files.push_back(episode.file);
  if (files.empty())
    return messages_.failed(Error{ErrorCode::InvalidValue, "there is no try to export", file.toStdString(),
                                  "keep at least one: Return begins one while you drive"});
  exports_.begin(file,
                 Exports::Work([files, file = file.toStdString(), &services = services_.episodes](
                                   const std::stop_token& stop, const Exports::Say& say) -> Result<QString> {
                   const Result<std::string> words = services.exportDemos(files, file, [&](double done) {
                     say({done, {}});
                     return !stop.stop_requested();
                   });
                   if (!words) return words.error();
                   return QString::fromStdString(*words);
                 }));
}

}  // namespace slipstick::ui

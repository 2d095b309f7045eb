#include "ui/episodes.h"

#include <QBuffer>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

#include "engine/model/task_reset.h"
#include "ui/exports.h"
#include "ui/run_recording.h"
#include "ui/session.h"
#include "ui/text.h"
#include "ui/whole_file.h"

namespace slipstick::ui {
namespace {

constexpr double kFirstSpacing = 0.25;  ///< of pictures, until there are too many [s]
/// For which a try that has ended waits for the picture of its end.
constexpr int kLastLook_ms = 2000;
constexpr QSize kPictureSize(256, 144);
constexpr int kPictureQuality = 82;

/// The middle of a picture, in the shape of those in lists.
std::string jpegOf(const QImage& image) {
  const QImage scaled = image.scaled(kPictureSize, Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
  const QPoint corner((scaled.width() - kPictureSize.width()) / 2,
                      (scaled.height() - kPictureSize.height()) / 2);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  scaled.copy(QRect(corner, kPictureSize)).save(&buffer, "JPEG", kPictureQuality);
  return bytes.toStdString();
}

Error noTask() {
  return {ErrorCode::Unsupported, "this scene asks for nothing that could be tried", "tries",
          "open a scene with a task: flatten_dough, or one of your own (see 'task' in scene_format.md)"};
}

}  // namespace

Episodes::Episodes(Session& session) : session_(session) {
  lastLook_.setSingleShot(true);
  lastLook_.setInterval(kLastLook_ms);
  connect(&lastLook_, &QTimer::timeout, this, &Episodes::close);
}

Episodes::~Episodes() = default;

// ---------------------------------------------------------------------------------------- the try that goes on

bool Episodes::canTry() const {
  if (!session_.isOpen()) return false;
  const auto scene = authored();
  return scene && scene->task && !scene->task->seed;
}

/// Seeds count up, so that no two tries of a folder begin alike.
std::uint64_t Episodes::nextSeed() {
  for (const Episode& episode : list_) drawn_ = std::max(drawn_, episode.seed.value_or(0));
  return drawn_ = drawn_ < kLargestSeed ? drawn_ + 1 : 0;
}

void Episodes::begin() {
  if (session_.isOpen()) session_.editor().poll();
  if (!session_.isOpen() || !session_.run().newestModel()->task) return session_.messages().failed(noTask());
  if (!canTry())
    return session_.messages().failed(Error{
        ErrorCode::Unsupported, "this is one try at its task, already drawn: there is nothing to draw from",
        session_.run().newestModel()->name, "open the scene itself, and begin there"});
  if (isOn()) current_->verdict->outcome = EpisodeOutcome::Discarded;
  close();
  RunRecording& recording = session_.recording();
  if (recording.isOn()) recording.stop();
  Current current;
  current.seed = nextSeed();
  current.verdict = std::make_shared<Verdict>();
  current.spacing = kFirstSpacing;
  const QString name = QString::fromStdString(session_.run().newestModel()->name);
  current.file = freeFile(
      QDir(folder()).filePath(QString("%1-%2-seed%3.h5")
                                  .arg(name, QDateTime::currentDateTime().toString("yyyy-MM-dd-HHmmss"))
                                  .arg(current.seed)));
  const auto finish = [verdict = current.verdict,
                       &files = session_.services().episodes](const std::string& file) -> Result<void> {
    if (Result<void> ok = files.setOutcome(file, verdict->outcome); !ok) return ok;
    return files.setPictures(file, verdict->pictures);
  };
  const std::shared_ptr<RunSink> sink = recording.prepare(current.file, finish);
  const std::uint64_t seed = current.seed;
  current_ = std::move(current);
  reset(authored(), seed, sink);
  session_.transport().play();
  Q_EMIT changed();
}

void Episodes::reset(std::shared_ptr<const Scene> scene, std::uint64_t seed, std::shared_ptr<RunSink> sink) {
  awaited_ = seed;
  awaitedFrom_ = std::move(scene);
  session_.transport().startOver(randomised(*awaitedFrom_, seed), tr("try, seed %1").arg(seed),
                                 std::move(sink));
}

void Episodes::keep() {
  if (!isOn()) return begin();
  end(EpisodeOutcome::Success);
}

void Episodes::discard() {
  if (isOn()) return end(EpisodeOutcome::Discarded);
  if (current_) {
    current_->verdict->outcome = EpisodeOutcome::Discarded;
    return close();
  }
  if (before_.isEmpty())
    return session_.messages().tell(LogLevel::Info, tr("there is no try to discard: Return begins one"));
  setOutcome(before_, EpisodeOutcome::Discarded);
  session_.messages().tell(LogLevel::Info, tr("%1 is discarded").arg(QFileInfo(before_).fileName()));
}

void Episodes::drawAgain() {
  if (isOn()) return begin();
  close();
  if (session_.isOpen()) session_.editor().poll();
  if (!canTry()) return session_.transport().reset();
  const bool plays = session_.run().status().playing;
  reset(authored(), nextSeed(), nullptr);
  if (plays) session_.transport().play();
}

void Episodes::decided(TaskOutcome outcome) {
  follow();  // it may have begun a moment ago
  if (isOn() && current_->hasBegun && outcome != TaskOutcome::Running) end(episodeOutcome(outcome));
}

/// The run stays where it is, for the person to look at, and for the list.
void Episodes::end(EpisodeOutcome outcome) {
  current_->verdict->outcome = outcome;
  current_->isEnding = true;
  session_.transport().pause();
  lastLook_.start();
  Q_EMIT changed();
}

void Episodes::close() {
  lastLook_.stop();
  if (current_) session_.recording().stop();  // follow() hears of it
}

void Episodes::show(const QImage& image, double time) {
  if (!current_ || !current_->hasBegun) return;
  std::vector<Picture>& pictures = current_->verdict->pictures;
  if (current_->isEnding) {
    if (session_.run().status().playing || time < session_.moment().newestTime() - 1e-9) return;
    pictures.push_back({time, jpegOf(image)});
    return close();
  }
  if (!pictures.empty() && time < pictures.back().time + current_->spacing) return;
  pictures.push_back({time, jpegOf(image)});
  if (pictures.size() < kMaxPictures) return;
  current_->spacing *= 2;
  std::vector<Picture> fewer;
  for (std::size_t i = 0; i < pictures.size(); i += 2) fewer.push_back(std::move(pictures[i]));
  pictures = std::move(fewer);
}

void Episodes::follow() {
  if (!session_.isOpen()) return;
  if (awaited_ && !session_.transport().isGoingBack()) arrive();
  RunRecording& recording = session_.recording();
  // Where the run goes on from elsewhere, what follows is no try from a start.
  if (current_ && current_->hasBegun && recording.status().files.size() > 1) close();
  if (!current_ || recording.isOn()) return;
  lastLook_.stop();
  const Current ended = *std::exchange(current_, std::nullopt);
  if (ended.hasBegun) {
    before_ = ended.file;
    const EpisodeOutcome outcome = ended.verdict->outcome;
    QString words = QFileInfo(before_).fileName() + ": " + toQString(nameOf(outcome));
    words += outcome == EpisodeOutcome::Discarded
                 ? tr(". Return begins the next try")
                 : tr(". Return begins the next try, Backspace discards this one");
    session_.messages().tell(LogLevel::Info, words);
  }
  Q_EMIT changed();
}

/// The draw that was awaited is there, or it cannot be made: then the status says why.
void Episodes::arrive() {
  const std::uint64_t seed = *std::exchange(awaited_, std::nullopt);
  const std::shared_ptr<const Scene> from = std::exchange(awaitedFrom_, nullptr);
  const auto model = session_.run().newestModel();
  const bool isThere = model->task && model->task->seed == seed;
  if (isThere) {
    draws_.push_back({model->scene, from});
    authored_ = from;
  }
  if (!current_) return;
  current_->hasBegun = isThere;
  if (!isThere) session_.recording().abandon();
}

// ------------------------------------------------------------------------------ what is edited between draws

std::shared_ptr<const Scene> Episodes::authored() const {
  const std::shared_ptr<const Scene> newest = session_.run().newestModel()->scene;
  const auto found =
      std::find_if(draws_.rbegin(), draws_.rend(), [&](const Draw& draw) { return draw.drawn == newest; });
  if (found != draws_.rend()) return found->authored;
  if (!newest || !newest->task || !newest->task->seed) return newest;
  // One that is none of these has come of an edit that nobody has told of yet.
  return authored_ ? authored_ : newest;
}

/// The next draw begins with it.
void Episodes::setAuthored(std::shared_ptr<const Scene> scene) {
  authored_ = std::move(scene);
  draws_.push_back({session_.run().newestModel()->scene, authored_});
}

// ------------------------------------------------------------------------------------- what lies on the disk

void Episodes::open() {
  draws_.clear();
  authored_.reset();
  awaited_.reset();
  awaitedFrom_.reset();
  before_.clear();
  drawn_ = 0;
  list_.clear();
  Q_EMIT changed();
  Q_EMIT listChanged();
  refresh();
}

QString Episodes::folder() const {
  const QDir documents(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
  return documents.filePath("Slipstick/tries/" + QString::fromStdString(session_.run().newestModel()->name));
}

void Episodes::refresh() {
  if (!session_.isOpen() || !session_.services().episodes.list) return;
  // A file that is being changed cannot be read; this is called again when it has been.
  if (const auto current = session_.exports().current(); current && current->told == Exports::Told::Quietly)
    return;
  if (!session_.run().newestModel()->task || !QDir(folder()).exists()) {
    list_.clear();
    Q_EMIT listChanged();
    return;
  }
  readsAgain_ = reading_.isRunning();
  if (readsAgain_) return;
  const QString folder = this->folder();
  const auto work = [list = session_.services().episodes.list,
                     where = folder.toStdString()](const std::stop_token&) { return list(where); };
  reading_.start(ErrorCode::FileUnreadable, folder.toStdString(), work,
                 [this, folder](const Result<std::vector<Episode>>& read) { take(folder, read); });
}

void Episodes::take(const QString& folder, const Result<std::vector<Episode>>& read) {
  if (!session_.isOpen()) return;
  if (readsAgain_ || folder != this->folder()) return refresh();
  if (!read) return session_.messages().failed(read.error());
  list_ = *read;
  const std::string writing = current_ ? current_->file.toStdString() : std::string();
  std::erase_if(list_, [&](const Episode& episode) { return episode.file == writing; });
  Q_EMIT listChanged();
}

/// Beside the window, after what is being written; the list is read again then.
void Episodes::change(const QString& file, std::function<Result<void>()> change) {
  session_.exports().begin(
      file, [change = std::move(change)](const std::stop_token&) { return change(); }, Exports::Told::Quietly,
      Exports::Worth::Kept);
}

void Episodes::setOutcome(const QString& file, EpisodeOutcome outcome) {
  change(file, [file = file.toStdString(), outcome, &files = session_.services().episodes] {
    return files.setOutcome(file, outcome);
  });
}

void Episodes::setNote(const QString& file, const QString& note) {
  change(file, [file = file.toStdString(), note = note.toStdString(), &files = session_.services().episodes] {
    return files.setNote(file, note);
  });
}

void Episodes::moveToBin(const QString& file) {
  if (!QFile::moveToTrash(file))
    return session_.messages().failed(
        Error{ErrorCode::FileUnwritable, "it cannot be moved to the bin", file.toStdString(),
              "delete it by hand; bins need the folder of the file on a disk that has one"});
  if (file == before_) before_.clear();
  refresh();
}

void Episodes::addFrom(const QString& folder) {
  if (!session_.isOpen()) return;
  const std::string to = this->folder().toStdString(), scene = session_.run().newestModel()->name;
  session_.exports().begin(
      this->folder(),
      Exports::Work([from = folder.toStdString(), to, scene, &files = session_.services().episodes](
                        const std::stop_token& stop, const Exports::Say& say) -> Result<QString> {
        const Result<std::vector<Episode>> found = files.list(from);
        if (!found) return found.error();
        int copied = 0, others = 0;
        for (std::size_t i = 0; i < found->size(); ++i) {
          const Episode& episode = (*found)[i];
          if (stop.stop_requested()) break;
          say({static_cast<double>(i) / static_cast<double>(found->size()),
               tr("%1 of %2").arg(i).arg(found->size())});
          if (!episode.broken.empty() || episode.scene != scene) {
            ++others;
            continue;
          }
          const Result<std::string> copy = files.copy(episode.file, to);
          if (!copy) return copy.error();
          ++copied;
        }
        QString words = tr("%1 tries were added").arg(copied);
        if (others > 0) words += tr("; %1 files are of other scenes, or cannot be read").arg(others);
        return words;
      }));
}

void Episodes::exportTo(const QString& file) {
  std::vector<std::string> files;
  for (const Episode& episode : list_)
    if (episode.broken.empty() && episode.outcome != EpisodeOutcome::Discarded) files.push_back(episode.file);
  if (files.empty())
    return session_.messages().failed(Error{ErrorCode::InvalidValue, "there is no try to export",
                                            file.toStdString(),
                                            "keep at least one: Return begins one while you drive"});
  session_.exports().begin(
      file, Exports::Work([files, file = file.toStdString(), &services = session_.services().episodes](
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

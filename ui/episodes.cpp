#include "ui/episodes.h"

#include <QBuffer>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include "ui/episode_list.h"
#include "ui/run_recording.h"
#include "ui/session.h"
#include "ui/task_draws.h"
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
  connect(&session_.episodeList(), &EpisodeList::binned, this, [this](const QString& file) {
    if (file == before_) before_.clear();
  });
}

Episodes::~Episodes() = default;

// ---------------------------------------------------------------------------------------- the try that goes on

bool Episodes::canTry() const {
  if (!session_.isOpen()) return false;
  const auto scene = session_.draws().authored();
  return scene && scene->task && !scene->task->seed;
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
  current.seed = session_.draws().nextSeed(session_.episodeList().largestSeed());
  current.verdict = std::make_shared<Verdict>();
  current.spacing = kFirstSpacing;
  const QString name = QString::fromStdString(session_.run().newestModel()->name);
  current.file =
      freeFile(QDir(session_.episodeList().folder())
                   .filePath(QString("%1-%2-seed%3.h5")
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
  session_.episodeList().setRecording(current_->file);
  session_.draws().draw(seed, sink);
  session_.transport().play();
  Q_EMIT changed();
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
  session_.episodeList().setOutcome(before_, EpisodeOutcome::Discarded);
  session_.messages().tell(LogLevel::Info, tr("%1 is discarded").arg(QFileInfo(before_).fileName()));
}

void Episodes::drawAgain() {
  if (isOn()) return begin();
  close();
  if (session_.isOpen()) session_.editor().poll();
  if (!canTry()) return session_.transport().reset();
  const bool plays = session_.run().status().playing;
  session_.draws().draw(session_.draws().nextSeed(session_.episodeList().largestSeed()), nullptr);
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
  if (const std::optional<bool> isThere = session_.draws().arrived()) arrive(*isThere);
  RunRecording& recording = session_.recording();
  // Where the run goes on from elsewhere, what follows is no try from a start.
  if (current_ && current_->hasBegun && recording.status().files.size() > 1) close();
  if (!current_ || recording.isOn()) return;
  lastLook_.stop();
  const Current ended = *std::exchange(current_, std::nullopt);
  session_.episodeList().setRecording({});
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

/// The draw that was awaited is there, or it cannot be made.
void Episodes::arrive(bool isThere) {
  if (!current_) return;
  current_->hasBegun = isThere;
  if (!isThere) session_.recording().abandon();
}

void Episodes::open() {
  session_.draws().clear();
  before_.clear();
  session_.episodeList().clear();
  Q_EMIT changed();
  session_.episodeList().refresh();
}

}  // namespace slipstick::ui

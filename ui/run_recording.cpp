#include "ui/run_recording.h"

#include <QDateTime>
#include <QDir>
#include <QStandardPaths>
#include <algorithm>

#include "engine/foundation/require.h"
#include "ui/exports.h"
#include "ui/session.h"
#include "ui/whole_file.h"

namespace slipstick::ui {
namespace {

constexpr int kPoll_ms = 200;

}  // namespace

RunRecording::RunRecording(Session& session, OpenRun& run) : session_(session), run_(run) {
  timer_.setInterval(kPoll_ms);
  connect(&timer_, &QTimer::timeout, this, &RunRecording::poll);
}

QString RunRecording::newFile() const {
  const QDir folder(
      QDir(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)).filePath("Slipstick"));
  const QString base = QString::fromStdString(session_.model()->name) +
                       QDateTime::currentDateTime().toString("-yyyy-MM-dd-HHmmss");
  return freeFile(folder.filePath(base + ".h5"));
}

void RunRecording::toggle() {
  if (isOn()) return stop();
  if (session_.isOpen()) start(newFile());
}

std::shared_ptr<RunSink> RunRecording::prepare(const QString& file, Finish finish) {
  SIM_REQUIRE(!isOn(), file.toStdString());
  QDir().mkpath(QFileInfo(file).path());  // where that fails, so does the recording, which says it
  recorder_ = session_.services().record(file.toStdString());
  finish_ = std::move(finish);
  status_ = {};
  status_.files = {file.toStdString()};
  timer_.start();
  Q_EMIT changed();
  return recorder_;
}

void RunRecording::start(const QString& file) {
  if (!session_.isOpen() || isOn()) return;
  run_.simulation().setSink(prepare(file, {}));
  session_.messages().tell(LogLevel::Info, tr("recording into %1").arg(file));
}

void RunRecording::poll() {
  RunRecorder::Status now = recorder_->status();
  if (now.files.empty()) return;  // a long step is under way
  if (now.files.size() > status_.files.size())
    session_.messages().tell(LogLevel::Info, tr("the run goes on from elsewhere: its steps go into %1 now")
                                                 .arg(QString::fromStdString(now.files.back())));
  if (now.droppedFrames > 0 && status_.droppedFrames == 0)
    session_.messages().tell(
        LogLevel::Warning,
        tr("the disk is too slow: pictures are left out of the recording, every step is in it"));
  status_ = std::move(now);
  if (status_.error) stop();
  Q_EMIT changed();
}

void RunRecording::stop() {
  if (!isOn()) return;
  timer_.stop();
  run_.simulation().setSink(nullptr);
  const auto recorder = std::exchange(recorder_, nullptr);
  const QString file = QString::fromStdString(status_.files.front());
  const auto told = finish_ ? Exports::Told::Quietly : Exports::Told::Aloud;
  const auto write = [recorder, finish = std::exchange(finish_, {}),
                      file = status_.files.front()](const std::stop_token&) -> Result<void> {
    const RunRecorder::Status status = recorder->finish();
    if (status.error) return *status.error;
    return finish ? finish(file) : Result<void>();
  };
  session_.exports().begin(file, write, told, Exports::Worth::Kept);
  Q_EMIT changed();
}

void RunRecording::abandon() {
  if (!isOn()) return;
  timer_.stop();
  recorder_.reset();
  finish_ = {};
  Q_EMIT changed();
}

void RunRecording::keepPast(const QString& file) {
  if (!session_.isOpen()) return;
  const BranchId branch =
      session_.moment().showsStored() ? session_.run().status().branch : session_.moment().shownBranch();
  const std::shared_ptr<const RunSource> run = session_.moment().sharedBranch(branch);
  if (!run) return;
  const double end = session_.moment().timeOf(run->status().lastStep);
  const Result<SimulationThread::End> past = run_.simulation().endOf(branch, end - kPast);
  if (!past) return session_.messages().failed(past.error());
  session_.exports().begin(
      file, [file, run, past = *past, &services = session_.services()](const std::stop_token& stop) {
        return services.recordPast(file.toStdString(), *run, past, stop);
      });
}

}  // namespace slipstick::ui

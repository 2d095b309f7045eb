#include "ui/exports.h"

#include <algorithm>

namespace slipstick::ui {

void Exports::begin(const QString& file, Write write, Told told, Worth worth) {
  const Work work = [write = std::move(write)](const std::stop_token& stop, const Say&) -> Result<QString> {
    if (const Result<void> written = write(stop); !written) return written.error();
    return QString();
  };
  begin(file, work, told, worth);
}

void Exports::begin(const QString& file, Work work, Told told, Worth worth) {
  auto job = std::make_shared<Job>();
  job->file = file;
  job->told = told;
  job->worth = worth;
  jobs_.push_back(job);
  writing_.start(
      ErrorCode::FileUnwritable, file.toStdString(),
      [this, job, work = std::move(work)](const std::stop_token&) { return run(*job, work); },
      [this](const Result<QString>& result) { finish(result); });
  Q_EMIT changed();
}

Result<QString> Exports::run(Job& job, const Work& work) {
  if (job.stop.stop_requested())
    return Error{ErrorCode::Cancelled, "given up before it began", job.file.toStdString(), "export again"};
  return work(job.stop.get_token(), [this, &job](const ExportProgress& progress) {
    {
      const std::scoped_lock lock(job.mutex);
      job.progress = progress;
    }
    if (changePosted_.exchange(true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
          changePosted_ = false;
          Q_EMIT changed();
        },
        Qt::QueuedConnection);
  });
}

void Exports::finish(const Result<QString>& result) {
  const QString file = jobs_.front()->file;
  const Told told = jobs_.front()->told;
  jobs_.pop_front();
  Q_EMIT changed();
  if (result && told == Told::Quietly)
    Q_EMIT writtenQuietly(file);
  else if (result)
    Q_EMIT written(file, *result);
  else if (result.error().code == ErrorCode::Cancelled)
    Q_EMIT stopped(file);
  else
    Q_EMIT failed(result.error());
}

std::optional<Exports::Current> Exports::current() const {
  if (jobs_.empty()) return std::nullopt;
  Job& job = *jobs_.front();
  const std::scoped_lock lock(job.mutex);
  return Current{job.file,         job.progress, job.stop.stop_requested(),
                 jobs_.size() - 1, job.told,     job.worth == Worth::Kept};
}

void Exports::cancel() {
  if (jobs_.empty() || jobs_.front()->worth == Worth::Kept) return;
  jobs_.front()->stop.request_stop();
  Q_EMIT changed();
}

void Exports::giveUp() {
  for (const std::shared_ptr<Job>& job : jobs_)
    if (job->worth == Worth::MayBeGivenUp) job->stop.request_stop();
}

QStringList Exports::longOnes() const {
  QStringList files;
  for (const std::shared_ptr<Job>& job : jobs_)
    if (job->worth == Worth::MayBeGivenUp && job->told == Told::Aloud && !job->stop.stop_requested())
      files << job->file;
  return files;
}

bool Exports::isKeeping() const {
  return std::any_of(jobs_.begin(), jobs_.end(),
                     [](const std::shared_ptr<Job>& job) { return job->worth == Worth::Kept; });
}

}  // namespace slipstick::ui

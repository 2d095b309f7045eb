#include "ui/export_jobs.h"

#include <QElapsedTimer>
#include <cmath>
#include <filesystem>
#include <utility>

#include "engine/runtime/source_walk.h"
#include "render/jobs/picture_job.h"
#include "ui/exports.h"
#include "ui/text.h"
#include "ui/whole_file.h"

namespace slipstick::ui {
namespace {

constexpr int kPeriod_ms = 100;  // between two words about progress

QString tr(const char* text) {
  return Exports::tr(text);
}

/// "11 s left", "2 min left"
QString leftWords(double seconds) {
  if (seconds < 90) return tr("%1 s left").arg(std::ceil(seconds));
  return tr("%1 min left").arg(std::lround(seconds / 60));
}

ExportProgress progressOf(const render::PictureProgress& p) {
  QString words = tr("%1 of %2 pictures").arg(grouped(p.done), grouped(p.total));
  if (p.done > 0)
    words += QString::fromUtf8(" · ") + tr("%1/s").arg(significant(p.perSecond())) +
             QString::fromUtf8(" · ") + leftWords(p.secondsLeft());
  return {static_cast<double>(p.done) / static_cast<double>(p.total), words};
}

/// What is there of one that was stopped, or what else one should know.
QString noteOf(const render::PictureReport& report, std::size_t notKept) {
  QStringList notes;
  if (!report.isWhole)
    notes << tr("stopped early at %1 s, with %2 of %3 pictures")
                 .arg(number(report.reached, 3), grouped(report.done), grouped(report.total));
  if (notKept > 0)
    notes << tr("%1 pictures show an earlier step, for their own is not kept any more").arg(grouped(notKept));
  if (!report.notice.empty()) notes << QString::fromStdString(report.notice);
  return notes.join("; ");
}

QString noteOf(const StudioServices::DataWritten& written) {
  QStringList notes;
  if (!written.isWhole) notes << tr("stopped early at %1 s").arg(number(written.reached, 3));
  for (const std::string& notice : written.notices) notes << QString::fromStdString(notice);
  return notes.join("; ");
}

Result<QString> writeData(const StudioServices& services, const DataOutputs& what,
                          const std::shared_ptr<const RunSource>& run, const std::stop_token& stop,
                          const Exports::Say& say) {
  // The model of its beginning: what an edit of the scene changes after it belongs into other files.
  const double dt = run->latest()->model->time.dt, from = what.from.value(), to = what.to.value();
  const auto first = static_cast<std::uint64_t>(std::max(0.0, std::ceil(from / dt - 1e-6)));
  SourceWalk walk(run, run->contactsAt(first)->model);
  QElapsedTimer sinceSaid, sinceBegun;
  sinceSaid.start();
  sinceBegun.start();
  const auto onReached = [&](double time) {
    if (sinceSaid.elapsed() < kPeriod_ms) return;
    sinceSaid.start();
    const double part = to > from ? std::clamp((time - from) / (to - from), 0.0, 1.0) : 1;
    QString words = tr("%1 s of %2 s").arg(number(time, 2), number(to, 2));
    if (part > 0)
      words += QString::fromUtf8(" · ") +
               leftWords(static_cast<double>(sinceBegun.elapsed()) / 1000 * (1 - part) / part);
    say({part, words});
  };
  const Result<StudioServices::DataWritten> written = services.exportData(walk, what, stop, onReached);
  if (!written) return written.error();
  return noteOf(*written);
}

/// "video-unfinished.mp4": what has the name that was asked for is whole.
std::filesystem::path unfinished(const std::filesystem::path& file) {
  const std::filesystem::path name = file.stem().string() + "-unfinished" + file.extension().string();
  return freeFile(QString::fromStdString((file.parent_path() / name).string())).toStdString();
}

/// One file of pictures, as a video, is made beside the one of its name, which stays until it is whole.
Result<QString> writePictures(RunWalk& walk, const render::PictureRequest& request,
                              const std::function<std::size_t()>& notKept, const std::stop_token& stop,
                              const Exports::Say& say) {
  namespace fs = std::filesystem;
  render::PictureRequest made = request;
  const fs::path whole = request.out;
  const bool isOneFile = whole.has_filename() && whole.has_extension();
  if (isOneFile) made.out = unfinished(whole);
  const Result<render::PictureReport> report = render::makePictures(
      walk, made, stop, [&](const render::PictureProgress& progress) { say(progressOf(progress)); });
  if (!report) return report.error();
  QString note = noteOf(*report, notKept());
  if (!isOneFile) return note;
  if (!report->isWhole)
    return note + tr("; it is %1").arg(QString::fromStdString(made.out.filename().string()));
  std::error_code failed;
  fs::rename(made.out, whole, failed);
  if (failed)
    return Error{ErrorCode::FileUnwritable, "it cannot take its name: " + failed.message(), whole.string(),
                 "what was made is " + made.out.string()};
  return note;
}

}  // namespace

void beginPictures(Session& session, const render::PictureRequest& request) {
  std::filesystem::path out = request.out;
  if (!out.has_filename()) out = out.parent_path();  // the name of a folder ends in "/"
  session.exports().begin(
      QString::fromStdString(out.string()),
      Exports::Work([run = session.moment().sharedSource(), model = session.model(), request](
                        const std::stop_token& stop, const Exports::Say& say) -> Result<QString> {
        say({-1, tr("preparing")});
        SourceWalk walk(run, model);
        return writePictures(
            walk, request, [&] { return walk.notKept(); }, stop, say);
      }));
}

void beginData(Session& session, const DataOutputs& what, const QString& name) {
  session.exports().begin(
      name, Exports::Work([services = session.services(), run = session.moment().sharedSource(), what](
                              const std::stop_token& stop, const Exports::Say& say) {
        return writeData(services, what, run, stop, say);
      }));
}

}  // namespace slipstick::ui

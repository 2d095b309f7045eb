#include "ui/screenshot_run.h"

#include <QApplication>
#include <QSaveFile>
#include <cstdio>

#include "ui/plots_panel.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

/// The panels follow the viewport within 80 ms.
constexpr int kPanelsSettle_ms = 250;

}  // namespace

Result<void> ScreenshotRun::checkWritable(const QString& file) {
  QSaveFile probe(file);
  if (!probe.open(QIODevice::WriteOnly))
    return Error{ErrorCode::FileUnwritable, probe.errorString().toStdString(), file.toStdString(),
                 "choose a folder that exists and that you may write to"};
  probe.cancelWriting();
  return {};
}

ScreenshotRun::ScreenshotRun(MainWindow& window, QString file, double time)
    : window_(window), file_(std::move(file)), time_(time) {
  connect(&window_.session().opener(), &SceneOpener::opened, this, &ScreenshotRun::begin);
  connect(&window_.session().messages(), &Messages::failed, this, &ScreenshotRun::quit);
  connect(&window_.viewport(), &Viewport::deviceFailed, this, &ScreenshotRun::quit);
  connect(&window_.session().run(), &OpenRun::statusChanged, this, &ScreenshotRun::check);
  connect(&window_.viewport(), &Viewport::painted, this, &ScreenshotRun::check);
  connect(&window_.panel<PlotsPanel>(), &PlotsPanel::filled, this, &ScreenshotRun::check);
  // The gallery has nothing to wait for.
  if (!window_.session().opener().isLoading())
    QTimer::singleShot(kPanelsSettle_ms, this, &ScreenshotRun::save);
}

void ScreenshotRun::begin() {
  Session& session = window_.session();
  if (session.moment().showsStored())
    session.moment().lookAtTime(time_);
  else if (time_ > 0)
    session.transport().runUntil(time_);
  running_ = true;
}

void ScreenshotRun::check() {
  Session& session = window_.session();
  if (!running_ || saving_ || session.run().status().playing) return;
  const bool isStored = session.moment().showsStored();
  const std::uint64_t newest =
      isStored ? session.run().stored()->status().lastStep : session.run().status().lastStep;
  const std::uint64_t wanted = isStored ? session.moment().shown()->step : newest;
  const double tolerance = session.model()->time.dt / 2;
  if (session.moment().timeOf(newest) < time_ - tolerance) {
    if (!session.run().status().error.empty()) return;  // failed() follows with the reason
    quit({ErrorCode::SimulationFailed,
          (isStored ? "the recording ends at " : "the simulation stopped at ") +
              number(session.moment().newestTime(), 3).toStdString() + " s",
          session.model()->name, "choose an earlier time for the screenshot"});
  } else if (window_.viewport().paintedStep() == wanted && window_.viewport().isSettled() &&
             window_.panel<PlotsPanel>().isComplete()) {
    saving_ = true;
    QTimer::singleShot(kPanelsSettle_ms, this, &ScreenshotRun::save);
  }
}

void ScreenshotRun::save() {
  if (window_.grab().save(file_, "PNG"))
    QApplication::exit(0);
  else
    quit({ErrorCode::FileUnwritable, "the picture could not be written", file_.toStdString(),
          "check the space left and the permissions"});
}

void ScreenshotRun::quit(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  QApplication::exit(1);
}

}  // namespace slipstick::ui

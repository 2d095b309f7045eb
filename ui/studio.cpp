#include "ui/studio.h"

#include <QApplication>
#include <QIcon>
#include <chrono>
#include <clocale>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "engine/foundation/guarded.h"
#include "ui/driving.h"
#include "ui/end_signals.h"
#include "ui/main_window.h"
#include "ui/screenshot_run.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

/// Qt aborts when it finds no display; a person gets a sentence and an exit status instead.
void reportFatal(QtMsgType type, const QMessageLogContext&, const QString& text) {
  if (type == QtFatalMsg) {
    std::fprintf(
        stderr,
        "window: no display can be opened; set DISPLAY or WAYLAND_DISPLAY, or use `slipstick run` and "
        "`slipstick render`, which need none\n");
    std::fflush(stderr);
    std::_Exit(1);
  }
  if (type == QtCriticalMsg) std::fprintf(stderr, "%s\n", qPrintable(text));
}

/// From the closing of the window on the program has this long to end by itself. A step, a load or a driver that is in
/// the middle of something cannot be called off, and nobody waits for what comes of it; what a person asked to be
/// saved is saved before the window closes.
class LastMoment {
 public:
  void begin(int status) {
    thread_ = std::jthread([status](const std::stop_token& over) {
      std::mutex mutex;
      std::condition_variable_any wake;
      std::unique_lock lock(mutex);
      wake.wait_for(lock, over, kTime, [] { return false; });
      if (over.stop_requested()) return;
      std::fflush(nullptr);
      std::_Exit(status);
    });
  }

 private:
  static constexpr std::chrono::milliseconds kTime{700};
  std::jthread thread_;
};

/// What handling an event throws must not end the program: the event is left, and said on the terminal.
class Application : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    const Result<bool> handled = guarded(ErrorCode::SimulationFailed, "window",
                                         [&] { return Result<bool>(QApplication::notify(receiver, event)); });
    if (!handled) std::fprintf(stderr, "%s\n", handled.error().message().c_str());
    return handled && *handled;
  }
};

/// What the command line says of the scene that it opens; it goes before how that was left the last time.
void applyOptions(const StudioOptions& options, MainWindow& window) {
  Session& session = window.session();
  if (options.view) session.focus().setView(*options.view);
  if (!options.select.empty()) session.focus().selectByName(QString::fromStdString(options.select));
  for (const std::string& name : options.pins) session.pinBoard().pinByName(QString::fromStdString(name));
  window.viewport().facts().setWhy(options.why);
  if (options.ghost)
    session.marks().setGhost(TimeMarks::GhostSpec{
        session.moment().shownBranch(),
        static_cast<std::uint64_t>(std::llround(*options.ghost / session.model()->time.dt))});
}

}  // namespace

int runStudio(int& argc, char** argv, const StudioServices& services, const StudioOptions& options) {
  const QString picture = QString::fromStdString(options.screenshot.value_or(""));
  if (options.screenshot) {
    if (const auto writable = ScreenshotRun::checkWritable(picture); !writable) {
      std::fprintf(stderr, "%s\n", writable.error().message().c_str());
      return 1;
    }
  }
  qInstallMessageHandler(reportFatal);
  LastMoment lastMoment;  // goes after all that may be slow to go
  Viewport::requestOpenGl();
  Application app(argc, argv);
  // QApplication takes the person's locale; readers of robots, meshes and scenes expect a decimal point of
  // the C library.
  std::setlocale(LC_NUMERIC, "C");
  QApplication::setApplicationName("slipstick");
  QApplication::setDesktopFileName("slipstick");  // docks find the name and icon of the entry by it
  QApplication::setWindowIcon(QIcon(":/slipstick/icons/slipstick.svg"));
  applyTheme(Appearance::Dark);

  MainWindow window(services, QSize(options.width, options.height), !options.screenshot);
  if (options.light) applyTheme(Appearance::Light);
  QObject::connect(
      &window.session().opener(), &SceneOpener::opened, &window,
      [&window, &options] { applyOptions(options, window); }, Qt::SingleShotConnection);
  if (options.view) window.session().focus().setView(*options.view);
  if (options.looksForDevices) window.session().driving().startDevices();
  const QString scene = QString::fromStdString(options.scene);
  if (!scene.isEmpty()) {
    // A scene named on the command line that cannot be opened is an error of the command, not of the window.
    QObject::connect(&window.session().messages(), &Messages::failed, &app, [&](const Error& error) {
      if (window.session().isOpen() || options.screenshot) return;
      std::fprintf(stderr, "%s\n", error.message().c_str());
      QApplication::exit(1);
    });
    window.session().opener().open(scene);
  }
  EndSignals endSignals;
  int endedBy = 0;
  QObject::connect(&endSignals, &EndSignals::came, &window, [&](int signal) {
    endedBy = signal;
    window.closeUnasked();
  });
  std::optional<ScreenshotRun> run;
  if (options.screenshot) run.emplace(window, picture, options.screenshotAt);
  window.show();
  window.activateWindow();
  const int ended = QApplication::exec();
  const int status = endedBy > 0 && ended == 0 ? 128 + endedBy : ended;  // as a shell has it
  lastMoment.begin(status);
  return status;
}

}  // namespace slipstick::ui

// How soon the first picture of a recording is in the real window, and how fast a person gets from place to place in it.
// `tests/support/with_display build/release/bin/benchmark_recording REC.h5 [POSITIONS]`

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>

#include "app/studio_services.h"
#include "assets/recording/recorded_run.h"
#include "engine/foundation/process_memory.h"
#include "ui/main_window.h"
#include "ui/theme.h"

namespace slipstick {
namespace {

[[noreturn]] void fail(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message().c_str());
  std::exit(1);
}

/// Held by the program [MB].
double residentMemory() {
  return static_cast<double>(processMemory().resident) / 1e6;
}

/// Turns the event loop. @return the seconds that it took; −1 where that is more than a minute
double secondsUntil(const std::function<bool()>& condition) {
  QElapsedTimer clock;
  clock.start();
  QTimer wake;  // with a time limit processEvents() would not sleep, and take a core from what draws
  wake.start(20);
  while (!condition()) {
    if (clock.elapsed() > 60000) return -1;
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
  }
  return 1e-9 * static_cast<double>(clock.nsecsElapsed());
}

void measureReading(const std::filesystem::path& file, int positions) {
  QElapsedTimer clock;
  clock.start();
  const auto opened = assets::RecordedRun::open(file);
  if (!opened) fail(opened.error());
  const assets::RecordedRun& run = **opened;
  std::printf("opened, with its first step read     %7.3f s\n", 1e-3 * static_cast<double>(clock.elapsed()));
  clock.restart();
  (void)run.marks(0);
  std::printf("all marks of %llu steps               %7.3f s\n",
              static_cast<unsigned long long>(run.recording().stepCount()),
              1e-3 * static_cast<double>(clock.elapsed()));
  std::mt19937_64 random(17);
  std::uniform_int_distribution<std::uint64_t> anywhere(run.recording().firstStep(),
                                                        run.recording().lastStep());
  clock.restart();
  for (int i = 0; i < positions; ++i) (void)run.at(anywhere(random));
  std::printf("random places, read                  %7.0f /s\n",
              1e3 * positions / static_cast<double>(std::max<qint64>(clock.elapsed(), 1)));
}

void measureWindow(const QString& file, int positions) {
  ui::MainWindow window(app::studioServices({}), QSize(1600, 960), false);
  window.show();
  ui::Session& session = window.session();
  (void)secondsUntil([&] { return window.isVisible(); });
  QObject::connect(&session.messages(), &ui::Messages::failed, &fail);
  const double before = residentMemory();
  const auto isShown = [&] {
    return session.moment().showsStored() &&
           window.viewport().paintedStep() == session.moment().shown()->step &&
           session.moment().presented() == session.moment().shown();
  };
  // The first picture of a window waits for the driver to compile what draws it; the second time it does not.
  for (const char* when : {"in a new window", "again"}) {
    bool isOpen = false;
    const auto opened = QObject::connect(&session.opener(), &ui::SceneOpener::opened, [&] { isOpen = true; });
    QElapsedTimer clock;
    clock.start();
    session.opener().open(file);
    (void)secondsUntil([&] { return isOpen; });
    const double read = 1e-3 * static_cast<double>(clock.elapsed());
    (void)secondsUntil(isShown);
    std::printf("to the first picture, %-15s%7.3f s, of which until it is open %.3f s\n", when,
                1e-3 * static_cast<double>(clock.elapsed()), read);
    QObject::disconnect(opened);
  }
  const RunStatus status = session.moment().source().status();
  std::mt19937_64 random(17);
  std::uniform_int_distribution<std::uint64_t> anywhere(status.firstStored, status.lastStep);
  QElapsedTimer clock;
  clock.start();
  for (int i = 0; i < positions; ++i) {
    session.moment().lookAtStep(anywhere(random));
    QCoreApplication::processEvents(QEventLoop::AllEvents);
  }
  std::printf("random places, panels but no pictures%7.1f /s\n",
              1e3 * positions / static_cast<double>(std::max<qint64>(clock.elapsed(), 1)));
  double seconds = 0, slowest = 0;
  for (int i = 0; i < positions; ++i) {
    clock.restart();
    session.moment().lookAtStep(anywhere(random));
    (void)secondsUntil(isShown);
    const double took = 1e-9 * static_cast<double>(clock.nsecsElapsed());
    seconds += took;
    slowest = std::max(slowest, took);
  }
  std::printf("random places, on the screen         %7.1f /s, the slowest after %.0f ms\n",
              positions / seconds, 1e3 * slowest);
  std::printf(
      "memory                               %7.0f MB, %.0f MB before it was opened; the file %.0f MB\n",
      residentMemory(), before, static_cast<double>(std::filesystem::file_size(file.toStdString())) / 1e6);
}

}  // namespace
}  // namespace slipstick

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  if (argc < 2) {
    std::fprintf(stderr, "usage: benchmark_recording REC.h5 [POSITIONS]\n");
    return 2;
  }
  slipstick::ui::applyTheme(slipstick::ui::Appearance::Dark);
  const int positions = argc > 2 ? std::max(1, std::atoi(argv[2])) : 200;
  slipstick::measureWindow(argv[1], positions);
  slipstick::measureReading(argv[1], positions);
  return 0;
}

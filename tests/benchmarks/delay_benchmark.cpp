// How long after a key is pressed the picture that shows the arm move is on the screen, in the real window.
// `tests/support/with_display build/release/bin/benchmark_delay [SCENE…]`
#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "app/studio_services.h"
#include "ui/driving.h"
#include "ui/main_window.h"
#include "ui/theme.h"

namespace slipstick {
namespace {

constexpr int kKeys = 120;
constexpr double kFrame_ms = 1000.0 / 60;

/// Turns the event loop. @return false after a minute
bool waitFor(const std::function<bool()>& condition) {
  QElapsedTimer clock;
  clock.start();
  QTimer wake;
  wake.start(5);
  while (!condition()) {
    if (clock.elapsed() > 60000) return false;
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
  }
  return true;
}

void sendKey(QWidget& widget, QEvent::Type type, Qt::Key key) {
  QKeyEvent event(type, key, Qt::NoModifier);
  QCoreApplication::sendEvent(&widget, &event);
}

/// Turns the event loop for so long.
void pass(int time_ms) {
  QElapsedTimer clock;
  clock.start();
  (void)waitFor([&] { return clock.elapsed() >= time_ms; });
}

/// To and fro, each for a moment, so that the arm stays where it can move.
void pressKeys(QWidget& viewport, const ui::Session& session) {
  std::mt19937_64 random(18);
  std::uniform_int_distribution<int> pause_ms(30, 250);
  for (int i = 0; i < kKeys && session.run().status().playing; ++i) {
    const Qt::Key key = i % 2 == 0 ? Qt::Key_W : Qt::Key_S;
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
      sendKey(viewport, type, key);
      pass(pause_ms(random));
    }
  }
  pass(1000);  // until the last one is seen
}

void measure(const std::string& scene) {
  app::SceneOptions options;
  options.scene = scene;
  // The run must not end before the last key.
  options.overrides = {"time.duration=3600"};
  ui::MainWindow window(app::studioServices(options), QSize(1600, 960), false);
  window.show();
  ui::Session& session = window.session();
  session.opener().open(QString::fromStdString(scene));
  ui::Viewport& viewport = window.viewport();
  if (!waitFor([&] { return session.isOpen() && viewport.isSettled(); })) {
    std::printf("| %s | is not shown within a minute | | | | |\n", scene.c_str());
    return;
  }
  ui::Driving& driving = session.driving();
  driving.setOn(true);
  if (!driving.isOn()) {
    std::printf("| %s | nothing to drive | | | | |\n", scene.c_str());
    return;
  }
  const std::uint64_t first = viewport.paintedStep().value_or(0);
  session.transport().play();
  // Pictures of a run that is not yet under way say nothing of how it is driven.
  (void)waitFor([&] { return viewport.paintedStep().value_or(0) > first; });
  pressKeys(viewport, session);
  const RunStatus status = session.run().status();
  if (!status.playing) std::fprintf(stderr, "%s stopped: %s\n", scene.c_str(), status.error.c_str());
  const ui::Driving::Delay delay = driving.delay();
  std::printf("| %s | %zu | %.0f ms = %.1f | %.0f ms = %.1f | %.1f ms = %.0f %% | %.2f |\n", scene.c_str(),
              delay.count, delay.median_ms, delay.median_ms / kFrame_ms, delay.worst_ms,
              delay.worst_ms / kFrame_ms, delay.step_ms,
              100 * delay.step_ms / std::max(delay.median_ms, 1e-3), status.speedMeasured);
  std::fflush(stdout);
}

}  // namespace
}  // namespace slipstick

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  slipstick::ui::applyTheme(slipstick::ui::Appearance::Dark);
  std::printf(
      "From a key event to the first picture on the screen of a step that knows of it: %d keys, each pressed "
      "and\n"
      "released, from the first picture on after the scene was loaded and its first step computed. Pictures "
      "that\n"
      "show such news first are counted; frames are of 60 Hz; the step is the median one of the "
      "simulation.\n\n"
      "| scene | pictures | median, frames | 99th percentile, frames | a step of the median | speed |\n"
      "|---|---|---|---|---|---|\n",
      slipstick::kKeys);
  std::vector<std::string> scenes(argv + 1, argv + argc);
  if (scenes.empty()) scenes = {"dough_rolling", "hold", "box_lift"};
  for (const std::string& scene : scenes) slipstick::measure(scene);
  return 0;
}

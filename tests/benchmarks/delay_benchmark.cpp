// How long after a key is pressed the picture that shows the arm move is on the screen, in the real window.
// `tests/support/with_display build/release/bin/benchmark_delay [SCENE…]`
#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QTimer>
#include <cstdio>
#include <functional>
#include <random>

#include "app/studio_services.h"
#include "ui/driving.h"
#include "ui/main_window.h"
#include "ui/theme.h"

namespace slipstick {
namespace {

constexpr std::size_t kSamples = 120;

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

void measure(const QString& scene) {
  ui::MainWindow window(app::studioServices({}), QSize(1600, 960), false);
  window.show();
  ui::Session& session = window.session();
  session.open(scene);
  ui::Viewport& viewport = window.viewport();
  if (!waitFor([&] { return session.isOpen() && viewport.isSettled(); })) return;
  ui::Driving& driving = session.driving();
  driving.setOn(true);
  if (!driving.isOn()) {
    std::printf("| %s | nothing to drive | | | | |\n", scene.toUtf8().constData());
    return;
  }
  session.play();
  std::mt19937_64 random(18);
  std::uniform_int_distribution<int> pause_ms(30, 250);
  QElapsedTimer whole;
  whole.start();
  bool forth = true;
  while (driving.delay().count < kSamples && whole.elapsed() < 60000 && session.status().playing) {
    const Qt::Key key = std::exchange(forth, !forth) ? Qt::Key_W : Qt::Key_S;
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
      sendKey(viewport, type, key);
      const int pause = pause_ms(random);
      QElapsedTimer clock;
      clock.start();
      (void)waitFor([&] { return clock.elapsed() >= pause; });
    }
  }
  const ui::Driving::Delay delay = driving.delay();
  const double period = delay.medianPictures > 0 ? delay.median_ms / delay.medianPictures : 1;
  std::printf("| %s | %zu | %.0f ms, %.1f pictures | %.0f ms, %.1f pictures | %.1f ms | %.2f |\n",
              scene.toUtf8().constData(), delay.count, delay.median_ms, delay.medianPictures, delay.worst_ms,
              delay.worst_ms / period, delay.step_ms, session.status().speedMeasured);
}

}  // namespace
}  // namespace slipstick

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  slipstick::ui::applyTheme(slipstick::ui::Appearance::Dark);
  std::printf(
      "| scene | keys | median | 99th percentile | a step of it | speed |\n|---|---|---|---|---|---|\n");
  for (int i = 1; i < argc; ++i) slipstick::measure(argv[i]);
  if (argc < 2)
    for (const char* scene : {"dough_rolling", "hold", "box_lift"}) slipstick::measure(scene);
  return 0;
}

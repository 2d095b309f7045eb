// How fast the plots of every observable of a long run, and the solver panel, scroll and zoom, in the real window with the
// real panels.
// `tests/support/with_display build/release/bin/benchmark_plots [SCENE [STEPS [SECONDS]]]`
#include <QApplication>
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "app/studio_services.h"
#include "ui/main_window.h"
#include "ui/plot_list.h"
#include "ui/plots_panel.h"
#include "ui/solver_panel.h"
#include "ui/theme.h"

namespace slipstick {
namespace {

/// Of the thread that calls [s]: what a machine that others use does not stretch.
double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Tells when a window has been painted.
class PaintWatch : public QObject {
 public:
  explicit PaintWatch(QWidget& window) : window_(window) { qApp->installEventFilter(this); }
  /// Turns the event loop until what is due is on the screen.
  void waitForPaint() {
    const int before = painted_;
    QElapsedTimer clock;
    clock.start();
    while (painted_ == before && clock.elapsed() < 1000)
      QCoreApplication::processEvents(QEventLoop::AllEvents);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == &window_ && event->type() == QEvent::UpdateRequest && !isPainting_) {
      isPainting_ = true;
      QCoreApplication::sendEvent(watched, event);
      isPainting_ = false;
      ++painted_;
      return true;
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  QWidget& window_;
  int painted_ = 0;
  bool isPainting_ = false;
};

void turnWheel(QWidget& widget, int notches, Qt::KeyboardModifiers modifiers) {
  const QPointF at(0.6 * widget.width(), 0.5 * widget.height());
  QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, modifiers,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(&widget, &event);
}

ui::PlotStrip& seenStrip(const QWidget& panel) {
  const auto strips = panel.findChildren<ui::PlotStrip*>();
  for (ui::PlotStrip* strip : strips)
    if (!strip->visibleRegion().isEmpty()) return *strip;
  qFatal("no plot is seen");
}

/// Time from what a person does to the picture of it on the screen.
void measure(const char* name, QWidget& window, double duration, const std::function<void(int)>& act) {
  PaintWatch watch(window);
  std::vector<double> frames;  // [s]
  const double before = threadSeconds();
  QElapsedTimer all;
  all.start();
  for (int i = 0; static_cast<double>(all.nsecsElapsed()) < 1e9 * duration; ++i) {
    QElapsedTimer clock;
    clock.start();
    act(i);
    watch.waitForPaint();
    frames.push_back(1e-9 * static_cast<double>(clock.nsecsElapsed()));
  }
  const double rate = static_cast<double>(frames.size()) / (1e-9 * static_cast<double>(all.nsecsElapsed()));
  std::sort(frames.begin(), frames.end());
  const auto at = [&](double part) {
    return frames[static_cast<std::size_t>(part * static_cast<double>(frames.size() - 1))];
  };
  const double own = (threadSeconds() - before) / static_cast<double>(frames.size());
  std::printf("%-36s %8.1f %8.1f %8.1f %8.1f %12.1f\n", name, rate, 1e3 * at(0.5), 1e3 * at(0.99),
              1e3 * at(1), 1e3 * own);
  std::fflush(stdout);
}

void waitUntil(const std::function<bool()>& condition) {
  while (!condition()) QTest::qWait(20);
}

/// In a window of its own; what it shows is scrolled, zoomed and moved by the wheel.
void measurePanel(ui::Panel& panel, QScrollArea& area, int height, double duration) {
  panel.show();
  panel.setFloating(true);
  panel.resize(1000, height);
  QTest::qWait(2000);  // what opening has left to do
  std::printf("%s, %d x %d\n", qPrintable(panel.windowTitle()), panel.width(), panel.height());
  QWidget& shown = *panel.QWidget::window();
  QScrollBar& bar = *area.verticalScrollBar();
  int direction = -1;
  measure("  whole run, scrolled", shown, duration, [&](int) {
    if (bar.value() == bar.maximum()) direction = 1;
    if (bar.value() == bar.minimum()) direction = -1;
    turnWheel(*area.viewport(), direction, {});
  });
  bar.setValue(bar.maximum() / 2);
  measure("  zoomed in and out", shown, duration,
          [&](int i) { turnWheel(seenStrip(panel), i % 40 < 20 ? 1 : -1, Qt::ControlModifier); });
  turnWheel(seenStrip(panel), 8, Qt::ControlModifier);
  measure("  zoomed, moved sideways", shown, duration,
          [&](int i) { turnWheel(seenStrip(panel), i % 20 < 10 ? 1 : -1, Qt::ShiftModifier); });
  panel.hide();
}

}  // namespace
}  // namespace slipstick

int main(int argc, char** argv) {
  using namespace slipstick;
  ui::Viewport::requestOpenGl();
  QApplication app(argc, argv);
  ui::applyTheme(ui::Appearance::Dark);
  app::SceneOptions options;
  options.scene = argc > 1 ? argv[1] : "stack";
  const int steps = argc > 2 ? std::atoi(argv[2]) : 10000;
  const double duration = argc > 3 ? std::atof(argv[3]) : 10;
  ui::MainWindow window(app::studioServices(options), QSize(1600, 960), false);
  window.show();
  ui::Session& session = window.session();
  session.opener().open(QString::fromStdString(options.scene));
  waitUntil([&] { return session.isOpen(); });
  session.transport().runUntil(steps * session.model()->time.dt);
  waitUntil([&] { return !session.run().status().playing && !session.run().status().goingBack; });

  auto& panel = window.panel<ui::PlotsPanel>();
  std::vector<ui::Plot> plots;
  for (const RunColumns::Name& name : session.moment().source().columns().names())
    plots.push_back(ui::plotOf(name.name, QString::fromStdString(name.unit)));
  session.plots().add(plots);
  panel.showWholeRun();
  std::printf("%zu plots of %llu steps of %s, %.0f s each\n%-36s %8s %8s %8s %8s %12s\n",
              panel.strips().size(), static_cast<unsigned long long>(session.moment().shown()->step),
              options.scene.c_str(), duration, "", "1/s", "p50", "p99", "largest", "busy [ms]");
  measurePanel(panel, panel.scrollArea(), 1000, duration);
  auto& solver = window.panel<ui::SolverPanel>();
  measurePanel(solver, solver.scrollArea(), 500, duration);  // at 1000 there is nothing to scroll
}

// What the window costs and whether it always answers: pictures per second, gaps of the event loop, processor time, with
// the real program in a shown window. `tests/support/with_display build/release/bin/benchmark_window [SECONDS]`
#include <sys/resource.h>

#include <QApplication>
#include <QTest>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "app/studio_services.h"
#include "tests/benchmarks/loop_watch.h"
#include "ui/main_window.h"
#include "ui/theme.h"

namespace slipstick {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

double processorSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

enum class Doing { Play, Rest, Orbit };

struct Case {
  const char* name;
  std::string scene;
  double from;  ///< of the run, played as fast as possible before [s]
  Doing doing;
  double stepSleep = 0;  ///< added to each step [s]
};

/// Takes longer for each step.
class SlowStepper final : public Stepper {
 public:
  SlowStepper(std::unique_ptr<Stepper> stepper, double sleep) : stepper_(std::move(stepper)), sleep_(sleep) {}
  std::string_view method() const override { return stepper_->method(); }
  std::string_view backendName() const override { return stepper_->backendName(); }
  std::string runsOn() const override { return stepper_->runsOn(); }
  bool reproduces() const override { return stepper_->reproduces(); }
  StepReport step(std::span<const Command> commands, Snapshot& snapshot, Detail detail,
                  const std::stop_token&) override {
    std::this_thread::sleep_for(std::chrono::duration<double>(sleep_));
    return stepper_->step(commands, snapshot, detail);
  }
  void observe(Snapshot& snapshot, Detail detail) override { stepper_->observe(snapshot, detail); }
  void save(State& state) const override { stepper_->save(state); }
  void restore(const State& state) override { stepper_->restore(state); }
  void takeBack() noexcept override { stepper_->takeBack(); }

 private:
  std::unique_ptr<Stepper> stepper_;
  double sleep_;
};

ui::StudioServices servicesOf(const Case& c) {
  app::SceneOptions options;
  options.scene = c.scene;
  ui::StudioServices services = app::studioServices(options);
  if (c.stepSleep > 0)
    services.makeStepper = [make = services.makeStepper, sleep = c.stepSleep](
                               std::shared_ptr<const Model> model) -> Result<std::unique_ptr<Stepper>> {
      Result<std::unique_ptr<Stepper>> stepper = make(std::move(model));
      if (!stepper) return stepper.error();
      return std::unique_ptr<Stepper>(std::make_unique<SlowStepper>(std::move(*stepper), sleep));
    };
  return services;
}

void waitUntil(const std::function<bool()>& condition) {
  while (!condition()) QTest::qWait(20);
}

/// The pointer goes to and fro over the picture with the left button down, at 60 events per second.
void orbit(QWidget& viewport, double duration) {
  const QPoint middle = viewport.rect().center();
  QTest::mousePress(&viewport, Qt::LeftButton, {}, middle);
  const auto begin = Clock::now();
  for (double t = 0; t < duration; t = seconds(Clock::now() - begin)) {
    const QPoint offset(static_cast<int>(0.25 * viewport.width() * std::sin(2 * t)), 0);
    QTest::mouseMove(&viewport, middle + offset);
    QMouseEvent move(QEvent::MouseMove, middle + offset, viewport.mapToGlobal(middle + offset),
                     Qt::LeftButton, Qt::LeftButton, {});
    QApplication::sendEvent(&viewport, &move);
    QTest::qWait(16);
  }
  QTest::mouseRelease(&viewport, Qt::LeftButton, {}, middle);
}

void measure(const Case& c, double duration) {
  ui::MainWindow window(servicesOf(c), QSize(1600, 960), false);
  window.show();
  bool failed = false;
  QObject::connect(&window.session().messages(), &ui::Messages::failed, &window,
                   [&failed](const Error& error) {
                     std::fprintf(stderr, "%s\n", error.message().c_str());
                     failed = true;
                   });
  window.session().opener().open(QString::fromStdString(c.scene));
  waitUntil([&] { return window.session().isOpen() || failed; });
  if (failed) return;
  if (c.from > 0) {
    window.session().transport().runUntil(c.from);
    waitUntil([&] { return !window.session().run().status().playing; });
  }
  QTest::qWait(1500);  // what opening has left to do
  if (c.doing == Doing::Play) {
    window.session().transport().play();
    QTest::qWait(500);
  }
  int pictures = 0;
  QObject::connect(&window.viewport(), &ui::Viewport::painted, &window, [&pictures] { ++pictures; });
  const auto begin = Clock::now();
  const double before = processorSeconds();
  {
    LoopWatch loop;
    c.doing == Doing::Orbit ? orbit(window.viewport(), duration)
                            : QTest::qWait(static_cast<int>(1e3 * duration));
    const double wall = seconds(Clock::now() - begin);
    std::printf("%-34s %6.1f %9.1f %9.1f %9.1f %8.1f\n", c.name, pictures / wall, loop.gap(0.5),
                loop.gap(0.99), loop.gap(1), 100 * (processorSeconds() - before) / wall);
    std::fflush(stdout);
  }
  window.session().transport().pause();
}

/// Without the 4 ms beat, which would itself be what a window at rest does.
void measureRest(const char* name, const std::string& scene, double from, double duration) {
  ui::MainWindow window(servicesOf({name, scene, from, Doing::Rest}), QSize(1600, 960), false);
  window.show();
  window.session().opener().open(QString::fromStdString(scene));
  waitUntil([&] { return window.session().isOpen(); });
  window.session().transport().runUntil(from);
  waitUntil([&] { return !window.session().run().status().playing; });
  QTest::qWait(2000);
  int pictures = 0;
  QObject::connect(&window.viewport(), &ui::Viewport::painted, &window, [&pictures] { ++pictures; });
  const auto begin = Clock::now();
  const double before = processorSeconds();
  QEventLoop loop;
  QTimer::singleShot(static_cast<int>(1e3 * duration), &loop, &QEventLoop::quit);
  loop.exec();
  const double wall = seconds(Clock::now() - begin);
  std::printf("%-34s %6.1f %9s %9s %9s %8.2f\n", name, pictures / wall, "", "", "",
              100 * (processorSeconds() - before) / wall);
}

}  // namespace
}  // namespace slipstick

int main(int argc, char** argv) {
  using namespace slipstick;
  ui::Viewport::requestOpenGl();
  QApplication app(argc, argv);
  ui::applyTheme(ui::Appearance::Dark);
  const double duration = argc > 1 ? std::atof(argv[1]) : 8;
  const std::string block = SLIPSTICK_SOURCE_DIR "/tests/benchmarks/scenes/soft_block_200k.yaml";
  std::printf("window of 1600 x 960, %.0f s each\n%-34s %6s %9s %9s %9s %8s\n", duration, "", "1/s",
              "gap p50", "p99 [ms]", "largest", "CPU [%]");
  for (const Case& c : {Case{"dough_rolling plays", "dough_rolling", 0.8, Doing::Play},
                        {"water_pouring plays (surface)", "water_pouring", 0.5, Doing::Play},
                        {"200,000 particles play", block, 0, Doing::Play},
                        {"steps of 1 s", "dough_rolling", 0, Doing::Play, 1},
                        {"dough_rolling paused, orbit", "dough_rolling", 0.8, Doing::Orbit},
                        {"200,000 particles paused, orbit", block, 0, Doing::Orbit}})
    measure(c, duration);
  measureRest("dough_rolling paused, untouched", "dough_rolling", 0.8, duration);
}

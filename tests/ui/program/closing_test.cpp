// The program ends when its window is closed, whatever it is in the middle of: what would take for ever is given up. Each
// test starts the program anew, for it ends it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <optional>
#include <thread>

#include "app/studio_services.h"
#include "tests/render/sample_walk.h"
#include "ui/companions.h"
#include "ui/export_jobs.h"
#include "ui/exports.h"
#include "ui/main_window.h"
#include "ui/scene_document.h"

namespace slipstick {
namespace {

/// What is slow takes longer than anybody waits [s]; a test fails by taking as long, too.
constexpr int kForEver = 60;

/// What the program says of itself on stderr, for the test that started it.
void say(const char* words) {
  std::fprintf(stderr, "%s\n", words);
}

ui::MainWindow* shownWindow() {
  for (QWidget* widget : QApplication::topLevelWidgets())
    if (auto* window = qobject_cast<ui::MainWindow*>(widget); window && window->isVisible()) return window;
  return nullptr;
}

/// What a person does once the window is shown.
void whenShown(const std::function<void(ui::MainWindow&)>& visit) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, qApp, [timer, visit] {
    if (!shownWindow()) return;
    timer->stop();
    visit(*shownWindow());
  });
  timer->start(10);
}

/// Answers what the window asks.
void answer(ui::MainWindow& window, const QString& button) {
  for (auto* box : window.findChildren<QMessageBox*>())
    for (QAbstractButton* one : box->buttons())
      if (box->isVisible() && one->text() == button) return QTest::mouseClick(one, Qt::LeftButton);
  say("it does not ask");
}

void eventually(const std::function<bool()>& condition) {
  while (!condition()) QTest::qWait(5);
}

/// Begins as the real one does, and takes for ever from some step on.
class EndlessStepper final : public Stepper {
 public:
  EndlessStepper(std::unique_ptr<Stepper> stepper, std::shared_ptr<std::atomic<bool>> isEndless)
      : stepper_(std::move(stepper)), isEndless_(std::move(isEndless)) {}
  std::string_view method() const override { return stepper_->method(); }
  std::string_view backendName() const override { return stepper_->backendName(); }
  std::string runsOn() const override { return stepper_->runsOn(); }
  StepReport step(std::span<const Command> commands, Snapshot& snapshot, Detail detail,
                  const std::stop_token&) override {
    if (*isEndless_) {
      say("a step began");
      *isInStep = true;
      std::this_thread::sleep_for(std::chrono::seconds(kForEver));
      say("it ended");
    }
    return stepper_->step(commands, snapshot, detail);
  }
  void observe(Snapshot& snapshot, Detail detail) override { stepper_->observe(snapshot, detail); }
  void save(State& state) const override { stepper_->save(state); }
  void restore(const State& state) override { stepper_->restore(state); }
  void takeBack() noexcept override { stepper_->takeBack(); }

  static inline std::shared_ptr<std::atomic<bool>> isInStep = std::make_shared<std::atomic<bool>>(false);

 private:
  std::unique_ptr<Stepper> stepper_;
  std::shared_ptr<std::atomic<bool>> isEndless_;
};

ui::StudioServices realServices() {
  app::SceneOptions options;
  options.scene = "pendulum";
  return app::studioServices(options);
}

ui::StudioServices endlessServices(const std::shared_ptr<std::atomic<bool>>& isEndless) {
  ui::StudioServices services = realServices();
  services.makeStepper = [make = services.makeStepper,
                          isEndless](std::shared_ptr<const Model> model) -> Result<std::unique_ptr<Stepper>> {
    Result<std::unique_ptr<Stepper>> stepper = make(std::move(model));
    if (!stepper) return stepper.error();
    return std::unique_ptr<Stepper>(std::make_unique<EndlessStepper>(std::move(*stepper), isEndless));
  };
  return services;
}

/// The program from its start to its end.
[[noreturn]] void runProgram(const ui::StudioServices& services,
                             const std::function<void(ui::MainWindow&)>& visit) {
  static std::function<void(ui::MainWindow&)> visitor;
  visitor = visit;
  qAddPreRoutine([] { whenShown(visitor); });
  // Nothing of a person's is read or written.
  qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString(::testing::TempDir() + "slipstick_closing"));
  ui::StudioOptions options;
  options.scene = "pendulum";
  options.width = 900;
  options.height = 560;
  int argc = 1;
  std::string name = "slipstick";
  std::array<char*, 2> words = {name.data(), nullptr};
  std::exit(ui::runStudio(argc, words.data(), services, options));
}

void closeDuringAStep() {
  auto isEndless = std::make_shared<std::atomic<bool>>(true);
  runProgram(endlessServices(isEndless), [](ui::MainWindow& window) {
    eventually([&] { return window.session().isOpen(); });
    window.session().transport().play();
    eventually([] { return EndlessStepper::isInStep->load(); });
    window.close();
  });
}

void closeDuringTheStepOfACompanion() {
  ui::StudioServices services = realServices();
  services.makeBesideStepper = endlessServices(std::make_shared<std::atomic<bool>>(true)).makeStepper;
  runProgram(services, [](ui::MainWindow& window) {
    eventually([&] { return window.session().isOpen(); });
    window.session().companions().add();
    window.session().transport().play();
    eventually([] { return EndlessStepper::isInStep->load(); });
    window.close();
  });
}

void closeDuringALoad() {
  ui::StudioServices services = realServices();
  auto isLoading = std::make_shared<std::atomic<bool>>(false);
  services.load = [isLoading, load = services.load](const std::string& name, LoadProgress& progress) {
    say("a load began");
    *isLoading = true;
    std::this_thread::sleep_for(std::chrono::seconds(kForEver));
    say("it ended");
    return load(name, progress);
  };
  runProgram(services, [isLoading](ui::MainWindow& window) {
    eventually([&] { return isLoading->load(); });
    window.close();
  });
}

void closeDuringAReplay() {
  auto isEndless = std::make_shared<std::atomic<bool>>(false);
  runProgram(endlessServices(isEndless), [isEndless](ui::MainWindow& window) {
    ui::Session& session = window.session();
    eventually([&] { return session.isOpen(); });
    session.transport().runUntil(20 * session.model()->time.dt);
    eventually([&] { return session.moment().newestTime() > 19 * session.model()->time.dt; });
    eventually([&] { return !session.run().status().playing; });
    *isEndless = true;
    session.moment().lookAtStep(10);
    session.transport().resumeFromHere();
    eventually([&] { return session.transport().isGoingBack() && EndlessStepper::isInStep->load(); });
    window.close();
  });
}

/// While a scene whose steps take for ever is left for another one.
void closeDuringTheStepOfASceneThatWasLeft() {
  auto isEndless = std::make_shared<std::atomic<bool>>(true);
  runProgram(endlessServices(isEndless), [](ui::MainWindow& window) {
    eventually([&] { return window.session().isOpen(); });
    window.session().transport().play();
    eventually([] { return EndlessStepper::isInStep->load(); });
    window.session().opener().open("chain");
    eventually([&] { return window.session().model()->name == "chain"; });
    window.close();
  });
}

void closeWhileAPictureIsDrawn() {
  runProgram(realServices(), [](ui::MainWindow& window) {
    window.resize(1900, 1100);
    eventually([&] { return window.session().isOpen() && window.viewport().picture(); });
    window.viewport().fit();  // another one is asked for
    say("a picture was begun");
    window.close();
  });
}

/// What is being saved is there when the program has ended.
void closeDuringASave(const QString& file) {
  ui::StudioServices services = realServices();
  services.save = [save = services.save](const Scene& scene, const auto& numbers, const std::string& to) {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    return save(scene, numbers, to);
  };
  runProgram(services, [file](ui::MainWindow& window) {
    eventually([&] { return window.session().isOpen(); });
    window.session().document().save(file);
    window.close();
    if (window.isVisible()) say("it waits");
  });
}

/// A run of which many steps are there, and an export of them that the window is closed over.
void closeDuringAnExport(const QString& file, bool givesUp) {
  runProgram(realServices(), [file, givesUp](ui::MainWindow& window) {
    eventually([&] { return window.session().isOpen(); });
    window.session().transport().runUntil(200 * window.session().model()->time.dt);
    eventually(
        [&] { return window.session().moment().newestTime() > 199 * window.session().model()->time.dt; });
    window.session().exports().begin("the one before", [](const std::stop_token& stop) -> Result<void> {
      for (int i = 0; i < 200 && !stop.stop_requested(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return {};
    });
    window.session().exports().begin("the second", [](const std::stop_token& stop) -> Result<void> {
      for (int i = 0; i < 20 && !stop.stop_requested(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return {};
    });
    window.exportObservables(file);
    window.close();
    if (window.isVisible()) say("it waits");
    answer(window, givesUp ? "Give up and quit" : "Quit when written");
  });
}

/// While a video is made that would take for ever.
void giveUpAVideo(const QString& file) {
  runProgram(realServices(), [file](ui::MainWindow& window) {
    eventually([&] { return window.session().isOpen(); });
    window.session().transport().runUntil(0.2);
    eventually([&] { return window.session().moment().newestTime() > 0.2 - 1e-9; });
    render::PictureRequest request;
    request.out = file.toStdString();
    request.width = 320;
    request.height = 180;
    request.fps = 1000;
    request.speed = 0.001;
    request.to = 0.2;
    request.cameras.emplace_back(window.viewport().camera());
    ui::beginPictures(window.session(), request);
    eventually([&] {
      const auto current = window.session().exports().current();
      return current && current->progress.fraction > 0;
    });
    window.close();
    if (window.isVisible()) say("it waits");
    answer(window, "Give up and quit");
  });
}

/// Told to end by the system, with an edit that is nowhere else.
void endBySignal(int signal) {
  const QByteArray home = QByteArray::fromStdString(::testing::TempDir() + "slipstick_ended");
  QDir(home).removeRecursively();
  QDir().mkpath(home);
  qputenv("HOME", home);
  runProgram(realServices(), [signal](ui::MainWindow& window) {
    eventually([&] { return window.session().isOpen(); });
    window.session().numbers().editParameter("gravity.z", {-1.25});
    QObject::connect(&window.session().messages(), &ui::Messages::told, [&window] {
      const QDir rescues(qEnvironmentVariable("HOME") + "/Documents/Slipstick/rescued");
      for (const QString& name : rescues.entryList({"pendulum-*.yaml"})) {
        QFile file(rescues.filePath(name));
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains("-1.25")) say("it is rescued");
      }
    });
    std::raise(signal);
  });
}

struct Closing : ::testing::Test {
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  /// Where a file is written. The program that the test starts comes by there, too, and writes where this one says.
  struct Place {
    static constexpr const char* kVariable = "SLIPSTICK_CLOSING_FILE";
    std::optional<QTemporaryDir> folder;
    QString file;
    Place() {
      if (!qEnvironmentVariableIsSet(kVariable))
        qputenv(kVariable, folder.emplace().filePath("written.yaml").toUtf8());
      file = qEnvironmentVariable(kVariable);
    }
    ~Place() { qunsetenv(kVariable); }
  };
  static auto saysOnly(const char* begun) {
    return ::testing::AllOf(::testing::HasSubstr(begun), ::testing::Not(::testing::HasSubstr("it ended")));
  }
};
using ClosingDeathTest = Closing;

TEST_F(ClosingDeathTest, DuringAStepDoesNotWaitForIt) {
  EXPECT_EXIT(closeDuringAStep(), ::testing::ExitedWithCode(0), saysOnly("a step began"));
}

TEST_F(ClosingDeathTest, DuringTheStepOfACompanionDoesNotWaitForIt) {
  EXPECT_EXIT(closeDuringTheStepOfACompanion(), ::testing::ExitedWithCode(0), saysOnly("a step began"));
}

TEST_F(ClosingDeathTest, DuringALoadDoesNotWaitForIt) {
  EXPECT_EXIT(closeDuringALoad(), ::testing::ExitedWithCode(0), saysOnly("a load began"));
}

TEST_F(ClosingDeathTest, DuringGoingBackDoesNotWaitForTheStep) {
  EXPECT_EXIT(closeDuringAReplay(), ::testing::ExitedWithCode(0), saysOnly("a step began"));
}

TEST_F(ClosingDeathTest, DuringTheStepOfASceneThatWasLeftDoesNotWaitForIt) {
  EXPECT_EXIT(closeDuringTheStepOfASceneThatWasLeft(), ::testing::ExitedWithCode(0),
              saysOnly("a step began"));
}

TEST_F(ClosingDeathTest, WhileAPictureIsDrawnEndsTheProgram) {
  EXPECT_EXIT(closeWhileAPictureIsDrawn(), ::testing::ExitedWithCode(0), saysOnly("a picture was begun"));
}

TEST_F(ClosingDeathTest, ByASignalRescuesEditsAndSaysWhichSignalItWas) {
  EXPECT_EXIT(endBySignal(SIGTERM), ::testing::ExitedWithCode(143), ::testing::HasSubstr("it is rescued"));
  EXPECT_EXIT(endBySignal(SIGINT), ::testing::ExitedWithCode(130), ::testing::HasSubstr("it is rescued"));
}

TEST_F(ClosingDeathTest, DuringASaveWaitsUntilTheFileIsThere) {
  const Place place;
  EXPECT_EXIT(closeDuringASave(place.file), ::testing::ExitedWithCode(0), ::testing::HasSubstr("it waits"));
  EXPECT_TRUE(QFile::exists(place.file));
}

TEST_F(ClosingDeathTest, DuringAnExportWaitsUntilTheFileIsThere) {
  const Place place;
  EXPECT_EXIT(closeDuringAnExport(place.file, false), ::testing::ExitedWithCode(0),
              ::testing::HasSubstr("it waits"));
  QFile file(place.file);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll().count('\n'), 202) << "a head, the start and 200 steps";
}

TEST_F(ClosingDeathTest, AnExportIsGivenUpWhereThePersonSaysSo) {
  const Place place;
  EXPECT_EXIT(closeDuringAnExport(place.file, true), ::testing::ExitedWithCode(0),
              ::testing::HasSubstr("it waits"));
  EXPECT_FALSE(QFile::exists(place.file));
}

TEST_F(ClosingDeathTest, AVideoThatIsGivenUpPlays) {
  const QTemporaryDir folder;
  constexpr const char* kVariable = "SLIPSTICK_CLOSING_VIDEO";
  if (!qEnvironmentVariableIsSet(kVariable)) qputenv(kVariable, folder.filePath("video.mp4").toUtf8());
  const QString file = qEnvironmentVariable(kVariable);
  EXPECT_EXIT(giveUpAVideo(file), ::testing::ExitedWithCode(0), ::testing::HasSubstr("it waits"));
  qunsetenv(kVariable);
  EXPECT_GT(render::probeVideo(folder.filePath("video-unfinished.mp4").toStdString()).frames, 0);
}

}  // namespace
}  // namespace slipstick

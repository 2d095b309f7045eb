// Tries at a task in the window with the real stepper: begun, driven, decided, kept and discarded, listed, exported.
#include <QDir>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <fstream>
#include <map>

#include "assets/recording/episode.h"
#include "assets/recording/recording_reader.h"
#include "tests/support/key_script.h"
#include "tests/support/long_runs.h"
#include "tests/support/python.h"
#include "tests/support/task_scripts.h"
#include "tests/support/test_paths.h"
#include "tests/ui/program/person.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/driving.h"
#include "ui/driving_panel.h"
#include "ui/episode_list.h"
#include "ui/episodes_panel.h"
#include "ui/export_card.h"
#include "ui/exports.h"
#include "ui/run_recording.h"
#include "ui/scene_document.h"
#include "ui/task_draws.h"

namespace slipstick::ui {
namespace {

/// A ball that falls from a place that is drawn, and an arm that could be driven.
constexpr const char* kFall = R"(title: a ball falls
time: {dt_ms: 10, duration: 60}
materials:
  gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}
bodies:
  ball: {base: free, mass: 1, position: [1, 0, 1], shapes: [{name: all, shape: sphere, radius: 0.05}]}
robots:
  arm: {urdf: arm7, joints: {joint_2: 0.5, joint_4: -1.2, joint_6: 1.2}, hold: true}
task:
  text: Let the ball fall by half a metre.
  time_limit: 10
  reset:
    - {name: ball, position: {x: [-0.2, 0.2], z: [0, 0.1]}}
  success:
    - {observable: ball.z, below: 0.5, for: 0.05}
)";

struct Tries : ::testing::Test {
  QTemporaryDir folder;
  QByteArray home = qgetenv("HOME");
  std::vector<Error> errors;
  std::unique_ptr<MainWindow> window;

  Tries() {
    qputenv("HOME", folder.path().toLocal8Bit());
    QDir().mkpath(folder.filePath(".local/share"));  // where the bin is
    std::ofstream(folder.filePath("fall.yaml").toStdString()) << kFall;
    window = std::make_unique<MainWindow>(app::studioServices(sceneOptions("fall")), QSize(1500, 900), false);
    QObject::connect(&session().messages(), &Messages::failed,
                     [this](const Error& error) { errors.push_back(error); });
    window->show();
  }
  ~Tries() override {
    window.reset();
    qputenv("HOME", home);
  }
  Session& session() { return window->session(); }
  Episodes& episodes() { return session().episodes(); }
  EpisodesPanel& panel() { return window->panel<EpisodesPanel>(); }
  Viewport& viewport() { return window->viewport(); }

  void open(const QString& scene) {
    bool opened = false;
    const auto connection =
        QObject::connect(&session().opener(), &SceneOpener::opened, [&] { opened = true; });
    session().opener().open(scene);
    ASSERT_TRUE(eventually([&] { return opened; }));
    QObject::disconnect(connection);
    QApplication::setActiveWindow(window.get());
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    viewport().setFocus();
  }
  void openFall() { open(folder.filePath("fall.yaml")); }
  void drive() {
    QTest::keyClick(&viewport(), Qt::Key_D, Qt::ControlModifier);
    ASSERT_TRUE(session().driving().isOn());
    ASSERT_TRUE(eventually([&] { return !session().driving().teleop().devices().empty(); }));
  }
  std::optional<std::uint64_t> seed() { return session().run().newestModel()->task->seed; }
  /// A try has begun.
  bool runs() {
    return episodes().isOn() && !session().transport().isGoingBack() && seed() == episodes().seed() &&
           session().model() == session().run().newestModel();
  }
  /// The try has ended, its file is closed, and the list knows.
  bool isListed(std::size_t count) {
    return !episodes().isOn() && !session().exports().isWriting() &&
           session().episodeList().list().size() == count;
  }
  EpisodeOutcome outcome(std::size_t i) { return session().episodeList().list()[i].outcome; }
};

TEST_F(Tries, AKeyBeginsOneThatEndsWithItsTaskAndIsListedWithPictures) {
  openFall();
  drive();
  EXPECT_TRUE(session().episodeList().list().empty());
  QTest::keyClick(&viewport(), Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return runs(); }));
  EXPECT_TRUE(panel().isVisible());
  EXPECT_TRUE(panel().hint().startsWith("Try with seed 1")) << panel().hint().toStdString();
  EXPECT_TRUE(session().run().status().playing);
  ASSERT_TRUE(eventually([&] { return isListed(1); }));
  EXPECT_FALSE(session().run().status().playing) << "it is looked at first";
  EXPECT_FALSE(window->findChild<ExportCard*>()->isVisible()) << "no card over the picture for each try";
  const EpisodeList::Episode& episode = session().episodeList().list()[0];
  EXPECT_EQ(episode.outcome, EpisodeOutcome::Success);
  EXPECT_EQ(episode.seed, 1u);
  EXPECT_EQ(episode.scene, "fall");
  EXPECT_NEAR(episode.length, 0.4, 0.2);
  ASSERT_EQ(panel().rows().size(), 1u);
  EpisodeRow& row = *panel().rows()[0];
  EXPECT_TRUE(row.title().startsWith("seed 1")) << row.title().toStdString();
  ASSERT_TRUE(eventually([&] { return row.strip().count() > 0; }));
  EXPECT_EQ(row.outcome().currentText(), "success");
  // The next one begins elsewhere.
  const VecX first = session().moment().shown()->q;
  QTest::keyClick(&viewport(), Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return isListed(2); }));
  EXPECT_EQ(session().episodeList().list()[1].seed, 2u);
  EXPECT_GT((session().moment().shown()->q - first).head<1>().norm(), 1e-6);
  EXPECT_TRUE(errors.empty()) << errors.front().message();
}

TEST_F(Tries, AreKeptDiscardedAndDrawnAnewByKeys) {
  openFall();
  drive();
  session().numbers().editParameter("gravity.z", {-0.05});  // time to decide
  QTest::keyClick(&viewport(), Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return runs() && session().moment().shown()->time > 0.05; }));
  QTest::keyClick(&viewport(), Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return isListed(1); }));
  EXPECT_EQ(outcome(0), EpisodeOutcome::Success) << "the person says so";
  QTest::keyClick(&viewport(), Qt::Key_Backspace);
  ASSERT_TRUE(eventually([&] { return outcome(0) == EpisodeOutcome::Discarded; })) << "after all";

  QTest::keyClick(&viewport(), Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return runs() && session().moment().shown()->time > 0.05; }));
  QTest::keyClick(&viewport(), Qt::Key_R);
  ASSERT_TRUE(eventually([&] { return runs() && episodes().seed() == 3; })) << "another draw, recorded too";
  QTest::keyClick(&viewport(), Qt::Key_Backspace);
  ASSERT_TRUE(eventually([&] { return isListed(3); }));
  EXPECT_EQ(outcome(1), EpisodeOutcome::Discarded);
  EXPECT_EQ(outcome(2), EpisodeOutcome::Discarded);
  EXPECT_EQ(session().numbers().parameter("gravity.z"), ParameterValue{-0.05})
      << "what was edited holds in every try";

  // Without a try it is a draw alone.
  QTest::keyClick(&viewport(), Qt::Key_R);
  ASSERT_TRUE(eventually([&] { return seed() == 4u && !session().transport().isGoingBack(); }));
  EXPECT_FALSE(session().recording().isOn());
  EXPECT_EQ(QDir(session().episodeList().folder()).entryList({"*.h5"}).size(), 3);
}

TEST_F(Tries, DrawsAreNoEditsAndEditsAreInEveryDraw) {
  openFall();
  EXPECT_FALSE(window->isWindowModified());
  episodes().drawAgain();
  ASSERT_TRUE(eventually([&] { return seed() == 1u; }));
  session().moment().goLive();
  EXPECT_FALSE(session().document().isEdited()) << "the scene is as its author has it";
  session().editor().addBody("crate", shape::Box{{0.1, 0.1, 0.1}});
  ASSERT_TRUE(eventually([&] { return session().run().newestModel()->findBody("crate") > 0; }));
  ASSERT_TRUE(eventually([&] { return session().document().isEdited(); }));
  episodes().drawAgain();
  ASSERT_TRUE(eventually([&] { return seed() == 2u; }));
  EXPECT_GT(session().run().newestModel()->findBody("crate"), 0);
  EXPECT_TRUE(session().document().isEdited());
  const std::shared_ptr<const Scene> authored = session().draws().authored();
  EXPECT_FALSE(authored->task->seed);
  EXPECT_EQ(authored->robots.size(), 3u);
  EXPECT_EQ(authored->robots[0].X_PB.p, Vec3(1, 0, 1)) << "not where a draw has put it";
}

TEST_F(Tries, TheListIsWorkedWith) {
  openFall();
  session().numbers().editParameter("gravity.z", {-1});  // a second: time for pictures
  for (std::size_t i = 1; i <= 2; ++i) {
    episodes().begin();
    ASSERT_TRUE(eventually([&] { return isListed(i); }));
  }
  ASSERT_EQ(panel().rows().size(), 2u);
  EpisodeRow& newest = *panel().rows()[0];
  // A note is text, and Return in it begins nothing, also while somebody drives.
  drive();
  newest.note().setFocus();
  QTest::keyClicks(&newest.note(), "good grip");
  QTest::keyClick(&newest.note(), Qt::Key_Return);
  // A key after it that does drive has come by; so would Return have.
  const std::optional<std::uint64_t> before = seed();
  QTest::keyClick(&viewport(), Qt::Key_R);
  ASSERT_TRUE(eventually([&] { return seed() != before && !session().transport().isGoingBack(); }));
  EXPECT_FALSE(episodes().isOn());
  ASSERT_TRUE(eventually([&] { return session().episodeList().list()[1].note == "good grip"; }));
  Q_EMIT newest.outcomeChosen(EpisodeOutcome::Failure);
  ASSERT_TRUE(eventually([&] { return outcome(1) == EpisodeOutcome::Failure; }));
  EXPECT_EQ(newest.outcome().currentText(), "failure");

  // The pointer along a picture goes through the try.
  viewport().setFocus();
  ASSERT_TRUE(eventually([&] { return newest.strip().count() > 1; }))
      << newest.strip().count() << " of " << assets::picturesIn(newest.episode().file)->size();
  const double end = newest.strip().time();
  testing::sendMouse(newest.strip(), QEvent::MouseMove, {1, 20}, Qt::NoButton, Qt::NoButton);
  EXPECT_LT(newest.strip().time(), end);

  // Others are added beside them, and none replaces another.
  session().episodeList().addFrom(session().episodeList().folder());
  ASSERT_TRUE(eventually([&] { return !session().exports().isWriting(); }));
  EXPECT_EQ(session().episodeList().list().size(), 2u) << "they were there";
  QDir().mkpath(folder.filePath("other"));
  for (const QString& name : QDir(session().episodeList().folder()).entryList({"*.h5"}))
    QFile::copy(session().episodeList().folder() + "/" + name, folder.filePath("other/" + name));
  std::ofstream(folder.filePath("other/text.h5").toStdString()) << "no recording";
  session().episodeList().addFrom(folder.filePath("other"));
  ASSERT_TRUE(eventually([&] { return isListed(4); }));

  QTest::mouseClick(&panel().rows()[0]->binButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return isListed(3); }));
  EXPECT_EQ(panel().rows().size(), 3u);

  // One is looked at as any recording.
  QTest::mouseClick(&panel().rows().back()->openButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return session().isOpen() && session().moment().showsStored(); }));
  EXPECT_FALSE(episodes().canTry());
  EXPECT_TRUE(errors.empty()) << errors.front().message();
  episodes().begin();
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_TRUE(errors[0].message().find("open the scene itself") != std::string::npos) << errors[0].message();
}

TEST_F(Tries, WhatEndsARecordingEndsTheTry) {
  openFall();
  session().numbers().editParameter("gravity.z", {-0.05});
  episodes().begin();
  ASSERT_TRUE(eventually([&] { return runs() && session().moment().shown()->time > 0.1; }));
  session().recording().stop();  // by its button
  ASSERT_TRUE(eventually([&] { return isListed(1); }));
  EXPECT_EQ(outcome(0), EpisodeOutcome::Open);

  // Gone on from elsewhere: no try from a start.
  episodes().begin();
  ASSERT_TRUE(eventually([&] { return runs() && session().moment().shown()->time > 0.1; }));
  session().transport().pause();
  session().moment().lookAtStep(2);
  session().transport().resumeFromHere();
  ASSERT_TRUE(eventually([&] { return !episodes().isOn() && !session().exports().isWriting(); }));

  episodes().begin();
  ASSERT_TRUE(eventually([&] {
    const auto painted = session().moment().presented();
    return runs() && painted->model == session().run().newestModel() && painted->time > 0.1;
  }));
  const QString tries = session().episodeList().folder();
  window->close();
  ASSERT_TRUE(eventually([&] { return !window->isVisible(); }));
  const auto list = assets::episodesIn(tries.toStdString());
  ASSERT_TRUE(list);
  EXPECT_EQ(list->back().outcome, EpisodeOutcome::Open);
  EXPECT_FALSE(list->back().broken);
  EXPECT_GT(list->back().steps, 10u);
  EXPECT_FALSE(assets::picturesIn(list->back().file)->empty());
}

TEST_F(Tries, WithoutATaskTheKeySaysSo) {
  open("box_lift");
  drive();
  QTest::keyClick(&viewport(), Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return errors.size() == 1; }));
  EXPECT_TRUE(errors[0].message().find("task") != std::string::npos) << errors[0].message();
  EXPECT_FALSE(episodes().isOn());
}

/// Presses and lets go of the keys that a script holds.
class Fingers {
 public:
  explicit Fingers(QWidget& on) : on_(on) {}
  ~Fingers() { hold({}); }
  void hold(const testing::Keys& keys) {
    for (const std::string& key : held_)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) QTest::keyRelease(&on_, codeOf(key));
    for (const std::string& key : keys)
      if (std::find(held_.begin(), held_.end(), key) == held_.end()) QTest::keyPress(&on_, codeOf(key));
    held_ = keys;
  }

 private:
  static Qt::Key codeOf(const std::string& key) {
    return key == "Shift" ? Qt::Key_Shift
                          : static_cast<Qt::Key>(key.at(0));  // Qt's codes of letters are theirs
  }
  QWidget& on_;
  testing::Keys held_;
};

/// Issue 18's first line: keys in the real window, to the task's success, to a file of demonstrations, and back.
TEST_F(Tries, FlattenDoughIsDrivenByKeysToSuccessExportedAndDrivenAgainBitForBit) {
  open("flatten_dough");
  drive();
  QTest::keyClick(&viewport(), Qt::Key_Return);
  ASSERT_TRUE(eventually([&] { return runs(); }));
  {
    testing::KeyScript script = testing::scriptOf("flatten_dough");
    Fingers fingers(viewport());
    ASSERT_TRUE(eventually([&] {
      if (episodes().isOn() && session().moment().shown()->model == session().run().newestModel())
        fingers.hold(script.keysAt(*session().moment().shown()));
      return isListed(1);
    })) << script.where();
  }
  ASSERT_EQ(outcome(0), EpisodeOutcome::Success);
  EXPECT_GT(session().episodeList().list()[0].length, 2);
  const QString demos = folder.filePath("d.hdf5");
  session().episodeList().exportTo(demos);
  ASSERT_TRUE(eventually([&] { return !session().exports().isWriting(); }));
  ASSERT_TRUE(errors.empty()) << errors.front().message();
  const std::string python = "/usr/bin/python3 '" +
                             (testing::sourceDir() / "tests/support/read_demos.py").string() + "' '" +
                             demos.toStdString() + "' 1 1 >/dev/null";
  EXPECT_EQ(std::system(python.c_str()), 0) << "h5py, by the rules of the layout";
  const std::string said = folder.filePath("said.txt").toStdString();
  const std::string again = "'" + testing::program().string() + "' run flatten_dough --actions '" +
                            demos.toStdString() + ":demo_0' >'" + said + "' 2>&1";
  EXPECT_EQ(std::system(again.c_str()), 0);
  std::ifstream text(said);
  const std::string words((std::istreambuf_iterator<char>(text)), {});
  EXPECT_NE(words.find("states are equal, bit for bit"), std::string::npos) << words;
  std::printf("%.2f s: %s", session().episodeList().list()[0].length, words.c_str());
}

/// Issue 18's second line: the same by a program in Python.
TEST_F(Tries, FullRunOfAPythonClientFlattensTheDoughInAThousandPosesAndIsKilledInTheNext) {
  SLIPSTICK_SKIP_UNLESS_LONG();
  app::NetworkOptions network;
  network.poses = "ipc://" + folder.filePath("poses").toStdString();
  network.state = "ipc://" + folder.filePath("states").toStdString();
  window = std::make_unique<MainWindow>(app::studioServices(sceneOptions("flatten_dough"), network),
                                        QSize(1500, 900), false);
  window->show();
  open("flatten_dough");
  drive();
  const std::filesystem::path script = testing::sourceDir() / "tests/app/devices/press_dough.py";
  const auto begin = [&] {
    QTest::keyClick(&viewport(), Qt::Key_Return);
    EXPECT_TRUE(eventually([&] { return runs(); }));
    const Vec3 dough = session().moment().shown()->deformables[0].center;
    return std::make_unique<testing::Python>(
        script, std::vector<std::string>{network.poses, network.state, std::to_string(dough.x()),
                                         std::to_string(dough.y())});
  };
  auto client = begin();
  ASSERT_TRUE(eventually([&] { return isListed(1); }));
  const std::string said = client->line();
  EXPECT_EQ(client->wait(), 0);
  EXPECT_EQ(outcome(0), EpisodeOutcome::Success);
  std::printf("%s\n", said.c_str());
  for (const char* fact : {"\"taken\": 1000", "\"refused\": 20", "\"in_order\": true"})
    EXPECT_NE(said.find(fact), std::string::npos) << fact;
  const std::string panel = session().driving().networkText().toStdString();
  EXPECT_NE(panel.find("1000 messages taken, 20 refused"), std::string::npos) << panel;
  // All of them are commands of the recording, in their order.
  const auto recording = assets::RecordingReader::open(session().episodeList().list()[0].file);
  ASSERT_TRUE(recording) << recording.error().message();
  std::vector<Vec3> goals;
  for (const StampedCommand& stamped : (*recording)->commands())
    if (const auto* goal = std::get_if<Goal>(&stamped.command)) goals.push_back(goal->p);
  ASSERT_EQ(goals.size(), 1000u);
  EXPECT_NEAR(goals.back().z(), 0.45, 1e-9);
  for (std::size_t i = 1; i < goals.size(); ++i)
    EXPECT_LT((goals[i] - goals[i - 1]).norm(), 0.01) << i << ": one is missing, or they are mixed up";

  client = begin();
  ASSERT_TRUE(eventually(
      [&] { return session().moment().shown()->time > 1 && !session().moment().shown()->goals.empty(); }));
  client->kill();
  const auto isLost = [&] {
    for (const Teleop::DeviceView& view : session().driving().teleop().devices())
      if (view.info.id == "network policy") return view.isLost;
    return false;
  };
  ASSERT_TRUE(eventually(isLost));
  ASSERT_TRUE(eventually([&] { return window->panel<DrivingPanel>().stateOf(0) == "at its goal"; }));
  const Pose held = session().moment().shown()->X_WB.back();
  const std::uint64_t later = session().moment().shown()->step + 20;
  ASSERT_TRUE(eventually([&] { return session().moment().shown()->step >= later; }));
  EXPECT_LT((session().moment().shown()->X_WB.back().p - held.p).norm(), 2e-3) << "the last pose is held";
  EXPECT_TRUE(episodes().isOn()) << "the person decides";
}

}  // namespace
}  // namespace slipstick::ui

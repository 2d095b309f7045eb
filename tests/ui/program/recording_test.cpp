// What goes on in the window is recorded by a click, and a recording is a run like any other.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "assets/recording/recorded_run.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/contacts_panel.h"
#include "ui/exports.h"
#include "ui/playback.h"
#include "ui/plots_panel.h"
#include "ui/run_recording.h"
#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

struct RecordingStudio : Studio {
  RecordingStudio() { qputenv("HOME", folder.path().toLocal8Bit()); }
  ~RecordingStudio() override { qputenv("HOME", home_); }

  void SetUp() override {
    Studio::SetUp();
    open("dough_rolling");
  }
  RunRecording& recording() { return session().recording(); }
  Timeline& timeline() { return window.timeline(); }
  void runTo(double time) {
    session().transport().runUntil(time);
    ASSERT_TRUE(eventually([&] {
      return !session().run().status().playing && session().run().status().lastStep > 0 &&
             session().moment().timeOf(session().run().status().lastStep) > time - 1e-9;
    }));
  }
  void waitForFiles() {
    ASSERT_TRUE(eventually([&] { return !session().exports().isWriting(); }));
  }
  void open(const QString& file) {
    bool opened = false;
    const auto connection =
        QObject::connect(&session().opener(), &SceneOpener::opened, [&] { opened = true; });
    session().opener().open(file);
    ASSERT_TRUE(eventually([&] { return opened; }));
    QObject::disconnect(connection);
  }
  std::uint64_t hashAt(std::uint64_t step) { return session().moment().source().mark(step)->stateHash; }

  QTemporaryDir folder;

 private:
  QByteArray home_ = qgetenv("HOME");
};

TEST_F(RecordingStudio, TheButtonRecordsWhatGoesOnAndTheFileIsARunLikeAnyOther) {
  runTo(0.1);
  FlatButton& button = timeline().recordButton();
  EXPECT_EQ(button.text(), QString());
  QTest::mouseClick(&button, Qt::LeftButton);
  ASSERT_TRUE(recording().isOn());
  session().numbers().editParameter("materials.dough.E", {4e4});
  runTo(0.4);
  ASSERT_TRUE(eventually([&] { return button.text().startsWith("0.3 s"); })) << button.text().toStdString();
  const std::uint64_t hash = hashAt(35);
  QTest::keySequence(&window, QKeySequence("Ctrl+Shift+R"));
  EXPECT_FALSE(recording().isOn());
  waitForFiles();
  EXPECT_EQ(button.text(), QString());
  const QDir recordings(folder.filePath("Documents/Slipstick"));
  ASSERT_EQ(recordings.entryList({"dough_rolling-*.h5"}).size(), 1);
  const QString file = recordings.filePath(recordings.entryList({"dough_rolling-*.h5"}).front());

  open(file);
  ASSERT_TRUE(session().moment().showsStored());
  EXPECT_EQ(session().moment().shown()->step, 10u);
  EXPECT_FALSE(window.isWindowModified());
  EXPECT_EQ(session().numbers().parameter("materials.dough.E"),
            session().document().parameterOfFile("materials.dough.E"));
  settle();
  EXPECT_FALSE(session().moment().shown()->contacts.empty());

  // It is played, looked at step by step and by time, and not simulated.
  session().transport().setSpeed(4);
  QTest::keyClick(&viewport(), Qt::Key_Space);
  ASSERT_TRUE(session().playback().isPlaying());
  ASSERT_TRUE(eventually([&] { return !session().playback().isPlaying(); }));
  EXPECT_EQ(session().moment().shown()->step, 40u);
  EXPECT_EQ(session().run().status().lastStep, 0u);
  session().moment().lookAtTime(0.35);
  EXPECT_NEAR(session().moment().shown()->time, 0.35, 0.5 / 30);
  EXPECT_EQ(session().numbers().parameter("materials.dough.E"), ParameterValue{4e4}) << "as it was then";
  EXPECT_EQ(hashAt(35), hash);
  settle();
  EXPECT_TRUE(eventually([&] { return session().moment().presented() == session().moment().shown(); }));
  session().marks().toggleGhost();
  ASSERT_TRUE(session().marks().ghost());
  EXPECT_EQ(
      session().moment().sharedBranch(session().marks().ghost()->branch)->at(session().marks().ghost()->step),
      session().moment().shown());
  EXPECT_TRUE(timeline().branchButton().text().startsWith("recording dough_rolling-"));

  // A simulation goes on from it.
  session().moment().lookAtStep(35);
  const std::uint64_t from = session().moment().shown()->step;
  const std::uint64_t wanted = hashAt(from), last = hashAt(40);
  QTest::mouseClick(&timeline().resumeButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] {
    return session().moment().isLive() && !session().transport().isGoingBack() &&
           session().moment().shown()->step == from;
  }));
  EXPECT_EQ(session().run().status().error, "");
  EXPECT_EQ(session().moment().shown()->stateHash, wanted);
  runTo(0.4);
  EXPECT_EQ(hashAt(40), last);
  EXPECT_EQ(session().numbers().parameter("materials.dough.E"), ParameterValue{4e4}) << "still in force";
  session().moment().lookAtBranch(StoredRun::kBranch);
  EXPECT_TRUE(session().moment().showsStored());
}

TEST_F(RecordingStudio, TheLastMinuteIsKeptAfterwards) {
  runTo(0.3);
  session().numbers().editParameter("contact.friction", {0.4});
  runTo(0.5);
  const std::uint64_t hash = hashAt(50);
  const QString file = folder.filePath("past.h5");
  recording().keepPast(file);
  waitForFiles();
  open(file);
  ASSERT_TRUE(session().moment().showsStored());
  EXPECT_EQ(session().moment().source().status().firstStored, 0u);
  EXPECT_EQ(hashAt(50), hash);
  session().moment().lookAtEnd();
  EXPECT_EQ(session().numbers().parameter("contact.friction"), ParameterValue{0.4});
}

TEST_F(RecordingStudio, ThatFailsSaysSoAndTheRunGoesOn) {
  std::vector<Error> errors;
  QObject::connect(&session().messages(), &Messages::failed,
                   [&](const Error& error) { errors.push_back(error); });
  recording().start("/proc/nowhere/r.h5");
  runTo(0.1);
  ASSERT_TRUE(eventually([&] { return !errors.empty(); }));
  EXPECT_EQ(errors[0].code, ErrorCode::FileUnwritable);
  EXPECT_FALSE(recording().isOn());
  EXPECT_TRUE(window.banner().isVisible());
  runTo(0.2);
  EXPECT_EQ(session().run().status().lastStep, 20u);
}

TEST_F(RecordingStudio, TheLastStepIsInTheFileWhenTheWindowIsClosed) {
  const QString file = folder.filePath("r.h5");
  recording().start(file);
  runTo(0.3);
  window.close();
  ASSERT_TRUE(eventually([&] { return !window.isVisible(); }));
  const auto recorded = assets::RecordedRun::open(file.toStdString());
  ASSERT_TRUE(recorded) << recorded.error().message();
  EXPECT_EQ((*recorded)->recording().lastStep(), 30u);
}

TEST_F(RecordingStudio, OpeningAnotherSceneEndsItWithAllThatWasSimulated) {
  const QString file = folder.filePath("r.h5");
  recording().start(file);
  runTo(0.2);
  open("stack");
  EXPECT_FALSE(recording().isOn());
  waitForFiles();
  const auto recorded = assets::RecordedRun::open(file.toStdString());
  ASSERT_TRUE(recorded) << recorded.error().message();
  EXPECT_EQ((*recorded)->recording().lastStep(), 20u);
}

TEST(RecordingWindow, WithoutASceneTheKeyOfTheButtonDoesNothing) {
  MainWindow window{app::studioServices({}), QSize(900, 600), false};
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  QApplication::setActiveWindow(&window);
  QTest::keySequence(&window, QKeySequence("Ctrl+Shift+R"));
  EXPECT_FALSE(window.session().recording().isOn());
  EXPECT_FALSE(window.timeline().recordButton().isEnabled());
}

TEST_F(RecordingStudio, WhatIsNoRecordingIsRefusedAndTheOldSceneStays) {
  const QString file = folder.filePath("broken.h5");
  QFile broken(file);
  ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
  broken.write("no recording");
  broken.close();
  std::vector<Error> errors;
  QObject::connect(&session().messages(), &Messages::failed,
                   [&](const Error& error) { errors.push_back(error); });
  session().opener().open(file);
  ASSERT_TRUE(eventually([&] { return !errors.empty(); }));
  EXPECT_NE(errors[0].message().find("broken.h5"), std::string::npos);
  EXPECT_EQ(session().model()->name, "dough_rolling");
  EXPECT_FALSE(session().run().stored());
}

}  // namespace
}  // namespace slipstick::ui

// What comes between a person and the end: files that are being written, edits made meanwhile, results that come late.
#include <csignal>

#include "tests/ui/program/window_with_files.h"
#include "ui/methods_dialog.h"

namespace slipstick::ui {
namespace {

TEST(Quitting, NeverHidesTheWindowBeforeAllIsAnswered) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  desk.exportWaits = true;
  std::atomic<bool> isGivenUp = false;
  desk.session().exports().begin("video.mp4", [&](const std::stop_token& stop) -> Result<void> {
    while (desk.exportWaits && !stop.stop_requested())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    isGivenUp = stop.stop_requested();
    return {};
  });
  for (int i = 0; i < 3; ++i) {
    desk.key(Qt::Key_Q, Qt::ControlModifier);
    ASSERT_NE(desk.question(), nullptr);
    EXPECT_EQ(desk.question()->text(), "Save the changes to mine.yaml?");
    EXPECT_TRUE(desk.window->isVisible());
  }
  desk.answer("Cancel");
  EXPECT_TRUE(desk.window->isVisible());
  EXPECT_TRUE(desk.session().exports().isWriting());
  desk.key(Qt::Key_Q, Qt::ControlModifier);
  desk.answer("Discard");
  ASSERT_NE(desk.question(), nullptr);
  EXPECT_EQ(desk.question()->text(), "video.mp4 is still being written.");
  EXPECT_TRUE(desk.window->isVisible());
  desk.answer("Cancel");
  EXPECT_TRUE(desk.document().isAtStake()) << "who stays has given up nothing";
  desk.key(Qt::Key_Q, Qt::ControlModifier);
  desk.answer("Discard");
  desk.answer("Give up and quit");
  ASSERT_TRUE(eventually([&] { return !desk.window->isVisible(); }));
  EXPECT_TRUE(isGivenUp);
  EXPECT_EQ(textOf(desk.mine), kFall);
}

TEST(Quitting, AsksNoMoreOfAnExportThatIsWrittenMeanwhileButOfNewEdits) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.exportWaits = true;
  desk.session().exports().begin("a.csv", [&](const std::stop_token&) -> Result<void> {
    while (desk.exportWaits) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return {};
  });
  desk.window->close();
  desk.answer("Quit when written");
  desk.session().numbers().editParameter("gravity.z", {kEdited});  // while it waits the person goes on
  desk.exportWaits = false;
  ASSERT_TRUE(eventually([&] { return desk.question() != nullptr; }));
  EXPECT_EQ(desk.question()->text(), "Save the changes to mine.yaml?");
  desk.answer("Cancel");
  EXPECT_TRUE(desk.window->isVisible());
  EXPECT_FALSE(desk.session().exports().isWriting()) << "not before";
  desk.document().waive();
  EXPECT_TRUE(desk.window->close());
}

/// Nothing of it is in a file yet.
TEST(Quitting, AsksOfMethodsThatAreBeingCompared) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.window->findChild<QAction*>("compare_methods")->trigger();
  MethodsDialog& dialog = *desk.window->methodsDialog();
  dialog.compareOrStop();
  ASSERT_TRUE(dialog.isRunning());
  const auto isAsked = [&] {
    ASSERT_NE(desk.question(), nullptr);
    EXPECT_EQ(desk.question()->text(), "Methods are still being compared.");
  };
  desk.window->close();
  isAsked();
  desk.answer("Cancel");
  EXPECT_TRUE(desk.window->isVisible());
  EXPECT_TRUE(dialog.isRunning());
  drop(desk, desk.other);
  isAsked();
  desk.answer("Give it up");
  ASSERT_TRUE(eventually([&] { return desk.document().file() == desk.other; }));
  EXPECT_EQ(desk.question(), nullptr) << "once";
  EXPECT_TRUE(eventually([&] { return desk.window->methodsDialog() == nullptr; }));
  EXPECT_TRUE(desk.window->close()) << "nothing is under way any more";
}

TEST(Saving, ASecondWishWhileOneIsWrittenHasItsTurn) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.savingWaits = true;
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  desk.key(Qt::Key_S, Qt::ControlModifier);
  desk.session().numbers().editParameter("gravity.z", {-7});
  desk.key(Qt::Key_S, Qt::ControlModifier);
  desk.savingWaits = false;
  ASSERT_TRUE(eventually([&] { return !desk.document().isSaving(); }));
  EXPECT_FALSE(desk.document().isEdited());
  EXPECT_NE(textOf(desk.mine).find("-7]"), std::string::npos) << textOf(desk.mine);
}

TEST(Saving, WaitsForAnEditThatIsUnderWay) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.addCrate();
  desk.key(Qt::Key_S, Qt::ControlModifier);
  EXPECT_TRUE(desk.document().isSavingWaiting());
  desk.editingWaits = false;
  ASSERT_TRUE(eventually([&] { return !desk.document().isSaving(); }));
  EXPECT_NE(textOf(desk.mine).find("crate"), std::string::npos) << textOf(desk.mine);
  EXPECT_FALSE(desk.document().isEdited());
}

bool has(const std::string& text, const char* what) {
  return text.find(what) != std::string::npos;
}

constexpr const char* kWaits = "aving waits for an edit that is under way";

TEST(Saving, SaysThatItWaitsForAnEditAndIsLeftByDiscard) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.addCrate();
  desk.key(Qt::Key_S, Qt::ControlModifier);
  desk.window->close();
  EXPECT_EQ(desk.question(), nullptr) << "it may come in a moment";
  ASSERT_TRUE(eventually([&] { return desk.question() != nullptr; }));
  EXPECT_EQ(desk.question()->text(), "Save the changes to mine.yaml?");
  EXPECT_TRUE(desk.question()->informativeText().contains(kWaits));
  EXPECT_EQ(logCount(*desk.window, kWaits), 1);
  desk.answer("Discard");
  EXPECT_FALSE(desk.window->isVisible());
  EXPECT_EQ(textOf(desk.mine), kFall);
}

TEST(Saving, ThatWaitsIsAskedAboutOnceMoreOnlyWhereThePersonLeavesOnceMore) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.addCrate();
  desk.window->close();
  desk.answer("Save");
  ASSERT_TRUE(eventually([&] { return logCount(*desk.window, kWaits) == 1; }));
  EXPECT_EQ(desk.question(), nullptr);
  desk.window->close();
  ASSERT_NE(desk.question(), nullptr);
  desk.answer("Save");
  EXPECT_EQ(desk.question(), nullptr);
  EXPECT_TRUE(desk.window->isVisible());
  desk.editingWaits = false;
  ASSERT_TRUE(eventually([&] { return !desk.window->isVisible(); }));
  EXPECT_TRUE(has(textOf(desk.mine), "crate")) << textOf(desk.mine);
}

TEST(Saving, ThatWaitsSeesWhatOthersWriteMeanwhile) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.addCrate();
  desk.key(Qt::Key_S, Qt::ControlModifier);
  const std::string theirs = std::string(kFall) + "# theirs\n";
  writeText(desk.mine, theirs);
  ASSERT_TRUE(eventually([&] { return desk.window->fileBanner().isVisible(); }));
  EXPECT_TRUE(desk.document().isSaving());
  desk.editingWaits = false;
  ASSERT_TRUE(eventually([&] { return desk.question() != nullptr; }));
  EXPECT_TRUE(desk.question()->text().startsWith("mine.yaml was changed by another program"));
  EXPECT_EQ(textOf(desk.mine), theirs);
}

TEST(Saving, DoesNotWaitForMeshesThatAreBeingSplitButQuittingAsksOfThem) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.splittingWaits = true;
  desk.session().editor().splitMeshes("ball");
  ASSERT_TRUE(desk.session().editor().isSplitting());
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  desk.key(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return !desk.document().isSaving(); }));
  EXPECT_TRUE(has(textOf(desk.mine), "-0.02]")) << textOf(desk.mine);
  EXPECT_TRUE(desk.session().editor().isSplitting());
  desk.window->close();
  ASSERT_NE(desk.question(), nullptr);
  EXPECT_EQ(desk.question()->text(), "Meshes are still being split.");
  desk.answer("Give it up");
  EXPECT_FALSE(desk.window->isVisible());
}

/// While the run goes back nothing is undone.
TEST(Saving, WaitsForWhatIsStillToBeUndone) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  Session& session = desk.session();
  const auto step = [&] {
    const std::uint64_t before = session.moment().shown()->step;
    session.transport().stepForward();
    ASSERT_TRUE(eventually([&] { return session.moment().shown()->step == before + 1; }));
  };
  for (const char* name : {"crate", "barrel"})
    session.editor().addBody(name, shape::Box{Vec3(0.1, 0.1, 0.1)});
  ASSERT_TRUE(eventually([&] { return session.undoStack().count() == 2; }));
  step();
  step();
  desk.editingWaits = true;
  desk.key(Qt::Key_Z, Qt::ControlModifier);
  desk.key(Qt::Key_Z, Qt::ControlModifier);
  session.moment().lookAtStep(1);
  desk.editingWaits = false;
  while (session.run().newestModel()->findBody("barrel") >= 0)  // the window does not hear of it yet
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  desk.editingWaits = true;
  session.transport().resumeFromHere();
  desk.key(Qt::Key_S, Qt::ControlModifier);
  QTest::qWait(300);
  ASSERT_TRUE(session.transport().isGoingBack());
  EXPECT_TRUE(desk.document().isSaving());
  EXPECT_EQ(textOf(desk.mine), kFall) << "not what is between";
  desk.editingWaits = false;
  ASSERT_TRUE(eventually([&] { return !desk.document().isSaving(); }));
  EXPECT_LT(session.run().newestModel()->findBody("crate"), 0);
  EXPECT_FALSE(has(textOf(desk.mine), "crate") || has(textOf(desk.mine), "barrel")) << textOf(desk.mine);
}

/// Without the window's gate, as other callers of a session have it: the scene is opened over a save that waits, or that is
/// being written.
class OverASave : public ::testing::TestWithParam<bool> {};

TEST_P(OverASave, TheNewSceneIsSavedAsWell) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.session().opener().setGate({});
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  if (GetParam()) desk.addCrate();
  desk.savingWaits = !GetParam();
  desk.key(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(desk.document().isSaving());
  QObject::connect(&desk.session().opener(), &SceneOpener::opened, desk.window.get(), [&] {
    desk.session().numbers().editParameter("gravity.z", {-3});
    desk.document().save(desk.other);
  });
  desk.open(desk.other);
  desk.savingWaits = false;
  EXPECT_TRUE(eventually([&] { return has(textOf(desk.other), "-3]"); })) << textOf(desk.other);
  ASSERT_TRUE(eventually([&] { return !desk.document().isSaving(); }));
  EXPECT_EQ(desk.document().file(), desk.other);
  EXPECT_FALSE(desk.document().isEdited());
  EXPECT_EQ(textOf(desk.mine) == kFall, GetParam()) << "what waits goes with its scene";
}

INSTANTIATE_TEST_SUITE_P(All, OverASave, ::testing::Bool(),
                         [](const auto& waits) { return waits.param ? "ThatWaits" : "ThatIsBeingWritten"; });

/// It is in the newest model a moment before: a rescue of that moment would be written once more after it.
TEST(Rescue, KnowsOfAnEditOnceItCanBeUndone) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.addCrate();
  desk.editingWaits = false;
  while (desk.session().run().newestModel()->findBody("crate") < 0)  // the window does not hear of it yet
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(desk.session().undoStack().count(), 0);
  EXPECT_FALSE(desk.document().isMadeAtStake());
  ASSERT_TRUE(eventually([&] { return desk.document().isMadeAtStake(); }));
  EXPECT_EQ(desk.session().undoStack().count(), 1);
}

/// What there is lies on the disk at once; an edit that does not come in time is not waited for.
TEST(Rescue, WaitsForNoEdit) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  desk.addCrate();
  desk.key(Qt::Key_S, Qt::ControlModifier);
  ASSERT_TRUE(desk.document().isSaving());
  std::raise(SIGTERM);
  ASSERT_TRUE(eventually([&] { return desk.rescues().size() == 1; }));
  EXPECT_TRUE(has(textOf(desk.rescued()), "-0.02]")) << textOf(desk.rescued());
  ASSERT_TRUE(eventually([&] { return !desk.window->isVisible(); }));
  EXPECT_TRUE(desk.session().editor().isEditing());
  EXPECT_EQ(desk.rescues().size(), 1);
  EXPECT_FALSE(has(textOf(desk.rescued()), "crate"));
  EXPECT_EQ(textOf(desk.mine), kFall);
}

TEST(Rescue, OfWhatIsThereAndOfWhatComesMeanwhileAreTwoFiles) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  desk.addCrate();
  std::raise(SIGHUP);
  ASSERT_TRUE(eventually([&] { return desk.rescues().size() == 1; }));
  EXPECT_FALSE(has(textOf(desk.rescued()), "crate")) << textOf(desk.rescued());
  desk.editingWaits = false;
  ASSERT_TRUE(eventually([&] { return !desk.window->isVisible(); }));
  ASSERT_EQ(desk.rescues().size(), 2);
  const std::string second = textOf(desk.rescues()[1]);
  EXPECT_TRUE(has(second, "crate") && has(second, "-0.02]")) << second;
}

TEST(Rescue, OfAnEditThatIsStillUnderWayIsOneFile) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.addCrate();
  std::raise(SIGTERM);
  QTest::qWait(200);
  EXPECT_TRUE(desk.rescues().empty()) << "there is nothing yet that is not in the scene's own file";
  desk.editingWaits = false;
  ASSERT_TRUE(eventually([&] { return !desk.window->isVisible(); }));
  ASSERT_EQ(desk.rescues().size(), 1);
  EXPECT_TRUE(has(textOf(desk.rescued()), "crate")) << textOf(desk.rescued());
}

/// Without the window's gate, as other callers of a session have it.
TEST(Saving, AResultThatComesLateBelongsToTheSceneThatItWasOf) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.session().opener().setGate({});
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  desk.savingWaits = true;
  desk.key(Qt::Key_S, Qt::ControlModifier);
  desk.open(desk.other);
  desk.savingWaits = false;
  ASSERT_TRUE(eventually([&] { return !desk.document().isSaving(); }));
  EXPECT_NE(textOf(desk.mine).find("-0.02]"), std::string::npos);
  EXPECT_EQ(desk.document().file(), desk.other);
  EXPECT_FALSE(desk.document().isEdited());
  desk.session().numbers().editParameter("gravity.z", {-3});
  EXPECT_TRUE(desk.document().isEdited());
  desk.document().waive();
}

TEST(Opening, AsksAgainOfWhatIsEditedWhileItLoads) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  drop(desk, desk.other);
  ASSERT_TRUE(desk.session().opener().isLoading()) << "nothing was edited: not asked";
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  ASSERT_TRUE(eventually([&] { return desk.question() != nullptr; }));
  desk.answer("Cancel");
  EXPECT_EQ(desk.document().file(), desk.mine);
  EXPECT_TRUE(desk.document().isEdited());
  drop(desk, desk.other);
  desk.answer("Discard");
  desk.session().numbers().editParameter("gravity.z", {-4});  // more than was given up
  ASSERT_TRUE(eventually([&] { return desk.question() != nullptr; }));
  desk.answer("Save");
  ASSERT_TRUE(eventually([&] { return desk.document().file() == desk.other; }));
  EXPECT_NE(textOf(desk.mine).find("-4]"), std::string::npos);
}

TEST(Opening, WhatCannotBeOpenedGivesUpNothing) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  writeText(desk.folder.filePath("broken.yaml"), "bodies: [");
  drop(desk, desk.folder.filePath("broken.yaml"));
  desk.answer("Discard");
  ASSERT_TRUE(eventually([&] { return desk.errors.size() == 1; }));
  EXPECT_TRUE(desk.document().isAtStake());
  desk.window->close();
  ASSERT_NE(desk.question(), nullptr);
  desk.answer("Discard");
  EXPECT_FALSE(desk.window->isVisible());
}

/// The dialog asks where the scene goes that was open when it was asked for.
TEST(Opening, WaitsForADialogThatAsksForTheNameOfTheOldScene) {
  WindowWithFiles desk;
  desk.open(desk.mine);
  desk.session().numbers().editParameter("gravity.z", {kEdited});
  desk.document().waive();
  desk.session().opener().open(desk.other);
  const QString copy = desk.folder.filePath("copy.yaml");
  QTimer::singleShot(0, desk.window.get(), [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    SIM_REQUIRE(dialog != nullptr);
    SIM_REQUIRE(eventually([&] { return !desk.session().opener().isLoading(); }));
    EXPECT_EQ(desk.document().file(), desk.mine) << "it is ready, and waits";
    dialog->findChild<QLineEdit*>()->setText(copy);
    QMetaObject::invokeMethod(dialog, "accept", Qt::DirectConnection);
  });
  desk.key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_TRUE(eventually([&] { return desk.document().file() == desk.other; }));
  EXPECT_NE(textOf(copy).find("-0.02]"), std::string::npos);
  EXPECT_EQ(textOf(desk.mine), kFall);
  EXPECT_EQ(textOf(desk.other), kFall);
}

}  // namespace
}  // namespace slipstick::ui

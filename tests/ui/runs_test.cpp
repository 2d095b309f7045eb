// Branches, going back, observables and edits of the scene, with the window's real widgets.
#include <gtest/gtest.h>

#include <QFile>
#include <QInputDialog>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/sample_studio.h"
#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

QAction* actionNamed(QMenu* menu, const QString& part) {
  for (QAction* action : menu->actions())
    if (action->text().contains(part)) return action;
  return nullptr;
}

/// Runs to 0.3 s, then goes on from step 12 to 0.2 s as branch 1.
void makeBranch(SampleWindow& window) {
  window.runTo(0.3);
  window.session().moment().lookAtStep(12);
  window.session().transport().resumeFromHere();
  SIM_REQUIRE(eventually([&] { return window.session().moment().isLive(); }));
  window.runTo(0.2);
}

TEST(Branches, AnotherBranchIsLookedAtScrubbedAndContinued) {
  SampleWindow window;
  makeBranch(window);
  EXPECT_TRUE(window->timeline().branchButton().text().contains("2 branches"));
  QMenu* menu = window->timeline().branchMenu();
  QAction* first = actionNamed(menu, "branch 1");
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(first->isChecked());
  QAction* main = actionNamed(menu, "main");
  ASSERT_NE(main, nullptr);
  main->trigger();
  EXPECT_EQ(window.session().moment().shownBranch(), 0u);
  EXPECT_EQ(window.session().moment().shown()->step, 30u);
  EXPECT_FALSE(window.session().moment().isLive());
  EXPECT_NEAR(window.session().moment().newestTime(), 0.3, 1e-12);
  QTest::keyClick(&*window, Qt::Key_Left);
  EXPECT_EQ(window.session().moment().shown()->step, 29u);
  QTest::keyClick(&*window, Qt::Key_Right);
  QTest::keyClick(&*window, Qt::Key_Right);  // its end: nothing is computed
  EXPECT_EQ(window.session().moment().shown()->step, 30u);
  EXPECT_EQ(window.session().run().status().lastStep, 20u);
  EXPECT_EQ(window.session().run().status().branch, 1u);

  window.session().moment().lookAtStep(25);
  QTest::mouseClick(&window->timeline().resumeButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return window.session().moment().isLive(); }));
  EXPECT_EQ(window.session().run().status().branch, 2u);
  EXPECT_EQ(window.session().moment().shown()->step, 25u);
  window.runTo(0.4);
  EXPECT_EQ(window.session().moment().branches().size(), 3u);
}

TEST(Branches, AreShownAsATreeRenamedAndDeletedFromTheirMenu) {
  SampleWindow window;
  makeBranch(window);
  Timeline& timeline = window->timeline();
  QAction* child = actionNamed(timeline.branchMenu(), "branch 1");
  ASSERT_NE(child, nullptr);
  EXPECT_TRUE(child->text().startsWith(QString::fromUtf8("└ branch 1, 0.120 s to 0.200 s")))
      << child->text().toStdString();
  EXPECT_FALSE(actionNamed(timeline.branchMenu(), "main")->text().startsWith(QString::fromUtf8("└")));

  const auto rename = [&](const QString& from, const QString& to) {
    actionNamed(actionNamed(timeline.branchMenu(), "Rename")->menu(), from)->trigger();
    auto* dialog = timeline.findChild<QInputDialog*>();
    SIM_REQUIRE(dialog != nullptr);
    EXPECT_EQ(dialog->textValue(), from);
    dialog->setTextValue(to);
    dialog->accept();
    SIM_REQUIRE(eventually([&] { return timeline.findChild<QInputDialog*>() == nullptr; }));
  };
  rename("branch 1", "stiff & slow");
  EXPECT_EQ(window.session().moment().branches().at(1).name, "stiff & slow");
  EXPECT_TRUE(timeline.branchButton().text().contains("stiff & slow"));
  EXPECT_FALSE(window->banner().isVisible());
  rename("main", "stiff & slow ");
  EXPECT_EQ(window.session().moment().branches().at(0).name, "main");
  ASSERT_TRUE(eventually([&] { return window->banner().isVisible(); }));
  EXPECT_TRUE(window->banner().text().contains("another branch is called"));

  window.session().moment().lookAtBranch(0);
  window.session().moment().lookAtStep(25);
  window.session().transport().resumeFromHere();  // branch 2, from main
  ASSERT_TRUE(eventually([&] { return window.session().moment().isLive(); }));
  window.runTo(0.4);
  window.session().moment().lookAtBranch(1);
  window.session().moment().lookAtStep(17);
  QMenu* remove = actionNamed(timeline.branchMenu(), "Delete")->menu();
  EXPECT_EQ(remove->actions().size(), 2) << "not the one that new steps go to";
  const auto confirm = [&](bool yes) {
    auto* box = timeline.findChild<QMessageBox*>();
    SIM_REQUIRE(box != nullptr);
    for (QAbstractButton* button : box->buttons())
      if ((box->buttonRole(button) == QMessageBox::DestructiveRole) == yes) button->click();
    SIM_REQUIRE(eventually([&] { return timeline.findChild<QMessageBox*>() == nullptr; }));
  };
  remove->actions().at(0)->trigger();  // main, from which both others grow
  confirm(true);
  EXPECT_EQ(window.session().moment().branches().size(), 3u);
  ASSERT_TRUE(eventually([&] { return window->banner().text().contains("other branches grow"); }));
  EXPECT_EQ(window.session().moment().shown()->step, 17u);

  actionNamed(remove, "stiff")->trigger();
  EXPECT_TRUE(timeline.findChild<QMessageBox*>()->text().contains("\"stiff & slow\""));
  confirm(false);
  EXPECT_EQ(window.session().moment().branches().size(), 3u) << "asked, and not meant";
  actionNamed(remove, "stiff")->trigger();
  confirm(true);
  EXPECT_EQ(window.session().moment().branches().size(), 2u);
  EXPECT_TRUE(window.session().moment().isLive());
  EXPECT_EQ(window.session().moment().shownBranch(), 2u);
  EXPECT_EQ(window.session().moment().shown()->step, 40u);
  window.session().transport().stepBack();
  EXPECT_EQ(window.session().moment().shown()->step, 39u);
}

TEST(GoingBack, ShowsItsProgressAndEscCancelsIt) {
  SampleWindow window;
  window.runTo(0.3);
  window.session().moment().lookAtStep(12);
  window.control().stepSleep_ms = 700;
  const int before = window.control().stepsBegun;
  window.session().transport().resumeFromHere();
  ASSERT_TRUE(eventually([&] { return window.control().stepsBegun > before; }));
  ASSERT_TRUE(eventually([&] { return window->statusLine().health().contains("going back to 0.120 s"); }));
  QTest::keyClick(&*window, Qt::Key_Escape);
  EXPECT_FALSE(window.session().transport().isGoingBack());
  window.control().stepSleep_ms = 0;
  window.session().moment().goLive();
  EXPECT_EQ(window.session().moment().shown()->step, 30u);
  window.runTo(0.31);
  EXPECT_EQ(window.session().run().status().branch, 0u);
  EXPECT_EQ(window.session().run().status().lastStep, 31u);
  EXPECT_EQ(window.session().moment().branches().size(), 1u);
}

TEST(Observables, AreExportedForEveryStepOfTheBranchLookedAt) {
  SampleWindow window;
  makeBranch(window);
  QTemporaryDir folder;
  const QString file = folder.filePath("run.csv");
  window->exportObservables(file);
  const auto& list = window->panel<LogPanel>().list();
  ASSERT_TRUE(eventually([&] { return list.item(list.count() - 1)->text().contains("run.csv"); }));
  QFile in(file);
  ASSERT_TRUE(in.open(QIODevice::ReadOnly));
  const QList<QByteArray> rows = in.readAll().trimmed().split('\n');
  ASSERT_EQ(rows.size(), 1 + 21);
  EXPECT_TRUE(rows[0].startsWith("time [s],"));
  const auto columns = rows[0].count(',');
  EXPECT_GT(columns, 50);
  for (int step = 0; step <= 20; ++step) {
    EXPECT_EQ(rows[step + 1].count(','), columns);
    EXPECT_NEAR(rows[step + 1].split(',')[0].toDouble(), 0.01 * step, 1e-9);
  }
  window->exportObservables("/no/such/folder/run.csv");
  ASSERT_TRUE(eventually([&] { return window->banner().isVisible(); }));
  EXPECT_TRUE(window->banner().text().contains("/no/such/folder"));
}

TEST(SceneEdits, ABodyIsAddedFallsIsRemovedAndUndoneByGoingBack) {
  SampleWindow window(QSize(900, 560), "editable");
  window.runTo(0.1);
  const std::uint64_t hash = window.session().moment().shown()->stateHash;
  ScenePanel& panel = window->panel<ScenePanel>();
  QAction* addBall = actionNamed(panel.addMenu(), "ball");
  ASSERT_NE(addBall, nullptr);
  addBall->trigger();
  ASSERT_TRUE(eventually([&] { return window.session().model()->findBody("ball") > 0; }));
  EXPECT_EQ(panel.tree().findItems("ball", Qt::MatchExactly | Qt::MatchRecursive).size(), 1);
  const int ball = window.session().model()->findBody("ball");
  const double start = window.session().moment().shown()->X_WB[static_cast<std::size_t>(ball)].p.z();
  window.runTo(0.2);
  EXPECT_LT(window.session().moment().shown()->X_WB[static_cast<std::size_t>(ball)].p.z(), start - 0.02);
  ASSERT_TRUE(eventually([&] { return window->viewport().paintedStep() == 20u; }));

  // Before it was there, the window shows the scene without it.
  window.session().moment().lookAtStep(5);
  EXPECT_EQ(window.session().model()->findBody("ball"), -1);
  EXPECT_TRUE(panel.tree().findItems("ball", Qt::MatchExactly | Qt::MatchRecursive).empty());
  ASSERT_TRUE(eventually([&] { return window->viewport().paintedStep() == 5u; }));
  window.session().moment().goLive();

  const auto items = panel.tree().findItems("ball", Qt::MatchExactly | Qt::MatchRecursive);
  ASSERT_EQ(items.size(), 1);
  QMenu* menu = panel.itemMenu(items[0]);
  ASSERT_NE(menu, nullptr);
  QAction* remove = actionNamed(menu, "Remove");
  ASSERT_NE(remove, nullptr);
  remove->trigger();
  ASSERT_TRUE(eventually([&] { return window.session().model()->findBody("ball") < 0; }));

  window.session().moment().lookAtStep(10);
  window.session().transport().resumeFromHere();
  ASSERT_TRUE(eventually(
      [&] { return window.session().moment().isLive() && !window.session().transport().isGoingBack(); }));
  EXPECT_EQ(window.session().moment().shown()->stateHash, hash);
  EXPECT_EQ(window.session().model()->findBody("ball"), -1);
  EXPECT_FALSE(window->banner().isVisible());
}

TEST(SceneEdits, TwoBoxesAddedAtOnceGetNamesOfTheirOwn) {
  SampleWindow window(QSize(900, 560), "editable");
  QAction* addBox = actionNamed(window->panel<ScenePanel>().addMenu(), "box");
  ASSERT_NE(addBox, nullptr);
  addBox->trigger();
  addBox->trigger();
  ASSERT_TRUE(eventually([&] { return window.session().model()->findBody("box_2") > 0; }));
  EXPECT_GT(window.session().model()->findBody("box"), 0);
  EXPECT_FALSE(window->banner().isVisible());
}

TEST(SceneEdits, WhatWasAddedAtTheNewestStepSurvivesALookAtTheStepBefore) {
  SampleWindow window(QSize(900, 560), "editable");
  window.runTo(0.1);
  actionNamed(window->panel<ScenePanel>().addMenu(), "ball")->trigger();
  ASSERT_TRUE(eventually([&] { return window.session().model()->findBody("ball") > 0; }));
  window.session().transport().stepBack();
  EXPECT_LT(window.session().model()->findBody("ball"), 0);
  window.session().transport().stepForward();
  EXPECT_GT(window.session().model()->findBody("ball"), 0);
  EXPECT_FALSE(window.session().transport().canResume()) << "it is where the run goes on anyway";
  window.runTo(0.12);
  EXPECT_GT(window.session().model()->findBody("ball"), 0);
}

TEST(SceneEdits, AThingOfTheNameOfOneThatWasRemovedStartsWithItsOwnNumbers) {
  SampleWindow window(QSize(900, 560), "editable");
  QAction* addBall = actionNamed(window->panel<ScenePanel>().addMenu(), "ball");
  Session& session = window.session();
  const auto hasBall = [&] { return session.model()->findBody("ball") > 0; };
  addBall->trigger();
  ASSERT_TRUE(eventually(hasBall));
  std::string friction;
  for (const Parameter& p : session.model()->parameters)
    if (p.path.find("ball") != std::string::npos && p.path.ends_with("friction")) friction = p.path;
  ASSERT_NE(friction, "");
  const ParameterValue own = session.numbers().parameter(friction);
  session.numbers().editParameter(friction, {0.05});
  EXPECT_EQ(session.numbers().parameter(friction), ParameterValue{0.05});
  session.editor().edit(Remove{"ball"}, "remove");
  ASSERT_TRUE(eventually([&] { return !hasBall(); }));
  addBall->trigger();
  ASSERT_TRUE(eventually(hasBall));
  EXPECT_EQ(session.numbers().parameter(friction), own);
}

TEST(SceneEdits, WhatComesAndGoesIsUndoneByItsKeyInTheOrderInWhichItWasDone) {
  SampleWindow window(QSize(900, 560), "editable");
  Session& session = window.session();
  SceneDocument& document = session.document();
  const auto has = [&](const char* name) { return session.run().newestModel()->findBody(name) > 0; };
  const auto key = [&](Qt::KeyboardModifiers modifiers) { QTest::keyClick(&*window, Qt::Key_Z, modifiers); };
  const Qt::KeyboardModifiers undo = Qt::ControlModifier, redo = Qt::ControlModifier | Qt::ShiftModifier;
  actionNamed(window->panel<ScenePanel>().addMenu(), "ball")->trigger();
  ASSERT_TRUE(eventually([&] { return session.undoStack().count() == 1; }));
  EXPECT_EQ(session.undoStack().undoText(), "add ball");
  EXPECT_TRUE(document.isEdited());
  key(undo);
  ASSERT_TRUE(eventually([&] { return !has("ball"); }));
  ASSERT_TRUE(eventually([&] { return !document.isEdited(); })) << "undone: as in the file";
  key(redo);
  ASSERT_TRUE(eventually([&] { return has("ball"); }));
  ASSERT_TRUE(eventually([&] { return document.isEdited(); }));

  // A number of what is removed after it: both come back, however fast the keys are.
  std::string friction;
  for (const Parameter& p : session.run().newestModel()->parameters)
    if (p.path.find("crate") != std::string::npos && p.path.ends_with("friction")) friction = p.path;
  ASSERT_NE(friction, "");
  ASSERT_TRUE(eventually([&] { return session.model() == session.run().newestModel(); }));
  const ParameterValue own = session.numbers().parameter(friction);
  session.numbers().editParameter(friction, {0.05});
  window.runTo(0.1);
  const Vec3 fallen =
      session.moment().shown()->X_WB[static_cast<std::size_t>(session.model()->findBody("crate"))].p;
  EXPECT_LT(fallen.z(), 0.19);
  session.editor().edit(Remove{"crate"}, "remove crate");
  ASSERT_TRUE(eventually([&] { return session.undoStack().undoText() == "remove crate"; }));
  ASSERT_FALSE(has("crate"));
  key(undo);
  key(undo);
  ASSERT_TRUE(eventually([&] { return has("crate") && !session.editor().isEditing(); }));
  ASSERT_TRUE(eventually([&] { return session.numbers().parameter(friction) == own; }));
  session.transport().stepForward();
  ASSERT_TRUE(eventually([&] {
    const int crate = session.moment().shown()->model->findBody("crate");
    return crate > 0 &&
           (session.moment().shown()->X_WB[static_cast<std::size_t>(crate)].p - fallen).norm() < 5e-3;
  })) << "where it was when it went";
  EXPECT_FALSE(window->banner().isVisible()) << window->banner().text().toStdString();
  key(undo);
  ASSERT_TRUE(eventually([&] { return !has("ball") && !session.editor().isEditing(); }));
  EXPECT_TRUE(has("crate"));
  EXPECT_FALSE(session.undoStack().canUndo());
  for (int i = 0; i < 3; ++i) key(redo);
  ASSERT_TRUE(eventually([&] { return has("ball") && !has("crate") && !session.editor().isEditing(); }));
  EXPECT_FALSE(window->banner().isVisible()) << window->banner().text().toStdString();
}

TEST(SceneEdits, ASceneThatCannotBeEditedSaysSo) {
  SampleWindow window;
  window.session().editor().edit(Remove{"nothing"}, "remove");
  ASSERT_TRUE(eventually([&] { return window->banner().isVisible(); }));
  EXPECT_TRUE(window->banner().text().contains("no scene that could be edited"));
}

}  // namespace
}  // namespace slipstick::ui

// What drifts, over time: it is plotted, looked at again, gone on from, recorded, edited, and stepped by other methods.
#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QTableWidget>

#include "tests/ui/drifting/window.h"
#include "ui/exports.h"
#include "ui/methods_dialog.h"
#include "ui/plot_list.h"
#include "ui/plots_panel.h"
#include "ui/run_recording.h"
#include "ui/scene_editor.h"

namespace slipstick::ui {
namespace {

using DriftingRun = DriftingWindow;

TEST_F(DriftingRun, ItsObservableIsPlotted) {
  runToStep(20);
  session().plots().add({plotOf("solver.drifting.nearest", "mm")});
  auto& strips = window.panel<PlotsPanel>().strips();
  ASSERT_TRUE(eventually([&] { return strips.size() == 1; }));
  window.panel<PlotsPanel>().showWholeRun();
  const auto values = [&]() -> const PlotSeries* {
    const std::vector<PlotLine>& lines = strips[0]->data().lines;
    return lines.empty() ? nullptr : lines.front().values.get();
  };
  ASSERT_TRUE(eventually([&] { return values() && values()->endStep() == 21; }));
  EXPECT_EQ(values()->value(20), shown().ownObservables.at(0));
  EXPECT_GT(values()->value(1), values()->value(20)) << "they come near";
}

TEST_F(DriftingRun, ItsNumbersChangeWhileItRunsAndItsFlagIsRaised) {
  session().numbers().editParameter("materials.gel.E", {1});
  session().numbers().editParameter("solver.drifting.reach", {0.3});
  runToStep(25);
  EXPECT_LT(shown().ownObservables.at(0), 150);
  EXPECT_TRUE(has(shown().report.health, drifting::kCrowded));
}

TEST_F(DriftingRun, EarlierStepsAreLookedAtAndGoneOnFromBitForBit) {
  runToStep(40);
  const std::uint64_t hash = hashAt(10), last = hashAt(40);
  session().moment().lookAtStep(10);
  ASSERT_TRUE(eventually([&] { return shown().step == 10; }));
  settle();
  EXPECT_LT((ball().p - Vec3(0.4, 0.5 * 0.05, 0.3)).norm(), 1e-9);
  EXPECT_EQ(soft().meshes.size(), 2u);
  session().transport().resumeFromHere();
  ASSERT_TRUE(eventually([&] { return session().moment().isLive() && shown().step == 10; }));
  EXPECT_EQ(shown().stateHash, hash);
  EXPECT_EQ(session().moment().branches().size(), 2u);
  runToStep(40);
  EXPECT_EQ(hashAt(40), last);
}

TEST_F(DriftingRun, ARecordingIsShownAndGoneOnFrom) {
  const QString file = folder.filePath("r.h5");
  session().recording().start(file);
  runToStep(40);
  const std::uint64_t last = hashAt(40);
  session().recording().stop();
  ASSERT_TRUE(eventually([&] { return !session().exports().isWriting(); }));
  open("r.h5");
  ASSERT_TRUE(session().moment().showsStored());
  EXPECT_EQ(session().model()->nodeCount(), 8u);
  EXPECT_EQ(hashAt(40), last);
  session().moment().lookAtStep(20);
  settle();
  const std::uint64_t from = shown().step, hash = hashAt(from);
  EXPECT_LT((ball().p - Vec3(0.4, 0.5 * shown().time, 0.3)).norm(), 1e-6);
  session().transport().resumeFromHere();
  ASSERT_TRUE(eventually([&] {
    return session().moment().isLive() && !session().transport().isGoingBack() && shown().step == from;
  }));
  EXPECT_EQ(session().run().status().error, "");
  EXPECT_EQ(shown().stateHash, hash);
  runToStep(40);
  EXPECT_EQ(hashAt(40), last);
}

TEST_F(DriftingRun, AnEditLeavesEverythingWhereItHasDriftedTo) {
  runToStep(20);
  const Vec3 there = ball().p;
  const auto particles = shown().particles;
  session().editor().addBody("crate", shape::Box{Vec3(0.1, 0.1, 0.1)});
  ASSERT_TRUE(eventually([&] { return session().model()->findBody("crate") > 0; }));
  EXPECT_EQ(ball().p, there);
  EXPECT_EQ(shown().particles, particles);
  runToStep(30);
  EXPECT_LT((ball().p - Vec3(0.4, 0.5 * 0.15, 0.3)).norm(), 1e-9);
}

TEST_F(DriftingRun, OtherMethodsStepTheSceneWithNodesOfTheirOwn) {
  session().methods().choose("async");
  ASSERT_TRUE(eventually([&] { return session().model()->solver.method == "async" && shown().step == 0; }));
  EXPECT_EQ(session().model()->nodeCount(), 16u);
  EXPECT_TRUE(eventually([&] { return fact("method") == "async"; }));
  session().methods().choose(std::string(drifting::kName));
  ASSERT_TRUE(eventually([&] { return session().model()->nodeCount() == 8; }));
  runToStep(10);
  EXPECT_NEAR(ball().p.y(), 0.5 * 0.05, 1e-9);
}

TEST_F(DriftingRun, WhatItCannotStepIsSaidInTheMenuOfMethods) {
  open("heavy.yaml", "bodies: {ball: {base: free, mass: 1, shapes: [{shape: sphere, radius: 0.1}]}}\n");
  Q_EMIT window.findChild<QMenu*>("methods")->aboutToShow();
  QAction& action = *window.findChild<QAction*>("method_drifting");
  EXPECT_FALSE(action.isEnabled());
  EXPECT_TRUE(action.toolTip().contains("write gravity: [0, 0, 0]"));
  session().methods().choose(std::string(drifting::kName));
  EXPECT_EQ(session().methods().method(), "async");
  EXPECT_EQ(logCount(window, "what drifts has no weight"), 1);
}

TEST_F(DriftingRun, IsComparedWithTheOthersInTheWindow) {
  window.findChild<QAction*>("compare_methods")->trigger();
  MethodsDialog& dialog = *window.methodsDialog();
  ASSERT_EQ(dialog.rows().size(), 4u);
  dialog.duration().setFocus();
  dialog.duration().selectAll();
  QTest::keyClicks(&dialog.duration(), "0.02");
  QTest::keyClick(&dialog.duration(), Qt::Key_Tab);
  QTest::mouseClick(&dialog.exportButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return dialog.comparison()->isDone(); }));
  EXPECT_TRUE(dialog.comparison()->errors().empty());
  EXPECT_EQ(dialog.table().columnCount(), 5);
  EXPECT_TRUE(dialog.comparison()->figure());
}

}  // namespace
}  // namespace slipstick::ui

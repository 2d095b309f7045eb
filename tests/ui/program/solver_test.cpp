// Health in the window with the real solver: a solve that stops at its cap is told, counted, drawn and found again.
#include <algorithm>

#include "tests/ui/program/studio_fixture.h"
#include "ui/log_panel.h"
#include "ui/solver_panel.h"

namespace slipstick::ui {
namespace {

struct Solver : Studio {
  SolverPanel& panel() { return window.panel<SolverPanel>(); }
  void runTo(double time) {
    session().transport().runUntil(time);
    ASSERT_TRUE(eventually([&] { return !session().run().status().playing; }));
    session().moment().goLive();
    settlePanel();
  }
  void settlePanel() {
    ASSERT_TRUE(eventually(
        [&] { return panel().isSettled() && session().moment().presented() == session().moment().shown(); }));
  }
  QStringList log() {
    QStringList lines;
    QListWidget& list = window.panel<LogPanel>().list();
    for (int i = 0; i < list.count(); ++i) lines << list.item(i)->text();
    return lines;
  }
  QStringList logOf(const QString& words) { return log().filter(words); }
};

TEST_F(Solver, TellsCountsAndDrawsASolveThatStoppedAtItsCap) {
  EXPECT_FALSE(panel().isVisible());
  QTest::mouseClick(window.findChild<StatusLine*>(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return panel().isVisible(); })) << "the line at the bottom leads to it";
  runTo(0.02);
  ASSERT_TRUE(panel().contactResidual().solve());
  EXPECT_TRUE(panel().contactResidual().solve()->trace.converged());
  EXPECT_LT(panel().contactResidual().solve()->trace.points().back().residual,
            panel().contactResidual().solve()->trace.tolerance());
  EXPECT_NEAR(panel().contactResidual().solve()->trace.tolerance(),
              session().model()->tuning.solver.relativeTolerance, 1e-6);
  EXPECT_EQ(panel().health().line(0), "") << "no step of the run was unwell";

  session().numbers().editParameter("solver.relative_tolerance", {1e-6});
  session().numbers().editParameter("solver.max_iterations", {2});
  runTo(0.022);
  session().numbers().editParameter("solver.max_iterations", {500});
  session().numbers().editParameter("solver.relative_tolerance", {0.05});
  runTo(0.04);
  const auto marks = session().moment().source().marks();
  std::vector<std::uint64_t> steps;
  for (const TimelineMark& mark : marks)
    if (has(mark.health, Health::NotConverged)) steps.push_back(mark.step);
  ASSERT_GT(steps.size(), 1u);
  EXPECT_EQ(panel().health().line(0), QString("Not converged: %1 steps").arg(steps.size()));
  EXPECT_EQ(panel().health().remedy(0), "") << "this step is well";

  // To the last one by a click: its curve, its words, what to do.
  QTest::mouseClick(&panel().health().before(0), Qt::LeftButton);
  EXPECT_EQ(session().moment().shown()->step, steps.back());
  settlePanel();
  ASSERT_TRUE(panel().contactResidual().solve());
  EXPECT_FALSE(panel().contactResidual().solve()->trace.converged());
  EXPECT_GT(panel().contactResidual().solve()->trace.points().back().residual, 1e-6);
  EXPECT_TRUE(panel().health().remedy(0).contains("did not converge"));
  EXPECT_TRUE(panel().health().remedy(0).contains("aise solver.max_iterations"));
  EXPECT_FALSE(panel().health().after(0).isEnabled());
  QTest::mouseClick(&panel().health().before(0), Qt::LeftButton);
  EXPECT_EQ(session().moment().shown()->step, steps[steps.size() - 2]);

  // One line when it begins, not one per step.
  const QStringList told = logOf("did not converge (");
  ASSERT_EQ(told.size(), 1) << log().join("\n").toStdString();
  EXPECT_TRUE(
      told[0].startsWith(QString::number(static_cast<double>(steps[0]) * session().model()->time.dt, 'f', 3)))
      << told[0].toStdString();
}

TEST_F(Solver, TellsWhichJointsSaturateOnceEach) {
  session().opener().open("dough_rolling");
  ASSERT_TRUE(eventually([&] { return session().model()->name == "dough_rolling"; }));
  runTo(0.03);
  EXPECT_TRUE(logOf("effort limit").empty()) << log().join("\n").toStdString();
  session().numbers().editParameter("gravity.z", {-90});  // more than the motors carry
  runTo(0.08);
  const Snapshot& shown = *session().moment().shown();
  const auto saturated = [](const TimelineMark& mark) { return has(mark.health, Health::ActuatorSaturated); };
  const auto marks = session().moment().source().marks();
  ASSERT_GT(std::count_if(marks.begin(), marks.end(), saturated), 1) << "in more than one step";
  const QStringList told = logOf("runs at its effort limit of");
  ASSERT_FALSE(told.empty()) << log().join("\n").toStdString();
  QStringList joints;
  for (const QString& line : told) joints << line.section(' ', 2, 2);
  EXPECT_EQ(joints.removeDuplicates(), 0) << told.join("\n").toStdString();
  EXPECT_TRUE(told[0].contains("N m") && told[0].contains("raise the joint's effort limit"));
  for (const std::int32_t joint : shown.saturatedJoints)
    EXPECT_TRUE(joints.contains(
        QString::fromStdString(shown.model->tree.joints[static_cast<std::size_t>(joint)].name)));
}

TEST_F(Solver, SaysOnOpeningWhichPairsWillNotMeet) {
  EXPECT_TRUE(logOf("will not meet").empty()) << "each panel has one body";
  session().opener().open("dough_rolling");
  ASSERT_TRUE(eventually([&] { return session().model()->name == "dough_rolling"; }));
  EXPECT_FALSE(logOf("will not meet").empty()) << log().join("\n").toStdString();
}

}  // namespace
}  // namespace slipstick::ui

// The solver panel: its numbers are those of the columns and of the step looked at, and its plots scrub.
#include "ui/solver_panel.h"

#include <gtest/gtest.h>

#include <QTest>
#include <algorithm>
#include <cmath>

#include "tests/ui/sample_studio.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

SolverPanel& shownPanel(SampleWindow& window) {
  auto& panel = window->panel<SolverPanel>();
  panel.show();
  panel.raise();
  EXPECT_TRUE(eventually([&] { return panel.isVisible() && panel.isSettled(); }));
  return panel;
}

/// Once what is painted is of what the session shows.
void settle(SampleWindow& window, SolverPanel& panel) {
  ASSERT_TRUE(eventually([&] {
    const auto shown = window.session().moment().shown();
    return panel.isSettled() && window.session().moment().presented() == shown &&
           panel.timePlot().window().cursor == shown->time;
  }));
}

TEST(SolverPanel, PlotsTheColumnsOfEveryStep) {
  SampleWindow window(QSize(1200, 800));
  SolverPanel& panel = shownPanel(window);
  window.runTo(1.5);
  settle(window, panel);
  const RunColumns columns = window.session().moment().source().columns();
  const PlotData& time = panel.timePlot().data();
  ASSERT_TRUE(time.stacked);
  const std::uint64_t end = columns.endStep();
  ASSERT_GT(end, 100u);
  std::vector<double> sums(end);
  std::size_t layers = 0;
  for (const PhaseInfo& phase : kPhaseInfo) {
    const std::vector<double> values = columns.values("solver.time." + std::string(phase.name), 0, end);
    for (std::uint64_t step = 0; step < end; ++step) sums[step] += values[step];
    if (*std::max_element(values.begin(), values.end()) == 0) continue;
    const PlotSeries& layer = *time.lines.at(layers++).values;
    for (std::uint64_t step = 0; step < end; ++step) ASSERT_EQ(layer.value(step), values[step]) << phase.name;
  }
  ASSERT_EQ(time.lines.size(), layers + 1) << "and all of them together";
  const double dt_ms = 1e3 * window.session().model()->time.dt;
  for (std::uint64_t step = 1; step < end; ++step) {
    ASSERT_NEAR(time.lines.back().values->value(step), sums[step], 1e-12);
    ASSERT_NEAR(panel.ratePlot().data().lines.at(0).values->value(step), dt_ms / sums[step], 1e-12);
  }
  const PlotData& iterations = panel.iterationPlot().data();
  ASSERT_EQ(iterations.lines.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    const char* const names[] = {"solver.iterations_max", "solver.iterations_mean",
                                 "solver.rigid_iterations"};
    EXPECT_EQ(iterations.lines[i].values->value(end - 1), columns.values(names[i], end - 1, end)[0])
        << names[i];
  }
  EXPECT_EQ(panel.nodePlot().data().lines[0].values->value(end - 1), 1840);
  EXPECT_EQ(panel.errorPlot().data().lines[0].values->value(end - 1), 3e-7);
}

TEST(SolverPanel, SaysWhatTheStepLookedAtCost) {
  SampleWindow window(QSize(1200, 800));
  SolverPanel& panel = shownPanel(window);
  window.runTo(0.5);
  settle(window, panel);
  const StepReport& report = window.session().moment().shown()->report;
  const QStringList lines = panel.legend().lines();
  EXPECT_TRUE(lines.contains("particles ↔ grid 3.40 ms 52 %")) << lines.join("; ").toStdString();
  EXPECT_TRUE(panel.card().headline().startsWith("6.60 ms for a step of "))
      << panel.card().headline().toStdString();
  EXPECT_TRUE(panel.card().reason().startsWith("Particles ↔ grid: 52 % of the step."));
  const auto& facts = panel.card().facts();
  for (const StepCard::Fact& fact :
       {StepCard::Fact("active nodes", "1,840"), {"substeps", QString::number(report.substeps)}})
    EXPECT_NE(std::find(facts.begin(), facts.end(), fact), facts.end()) << fact.first.toStdString();
}

TEST(SolverPanel, PlotsScrubZoomAndFollowTheTimeline) {
  SampleWindow window(QSize(1200, 800));
  SolverPanel& panel = shownPanel(window);
  window.runTo(1.5);
  settle(window, panel);
  PlotStrip& plot = panel.timePlot();
  panel.scrollArea().ensureWidgetVisible(&plot);
  QTest::mouseClick(&plot, Qt::LeftButton, {}, QPoint(static_cast<int>(plot.xOf(0.6)), plot.height() / 2));
  EXPECT_NEAR(window.session().moment().shown()->time, 0.6,
              2 * window.session().model()->time.dt + 1.5 / plot.width());
  EXPECT_FALSE(window.session().moment().isLive());
  settle(window, panel);
  const double before = plot.window().to - plot.window().from;
  plot.zoomed(2, 0.6);
  EXPECT_NEAR(plot.window().to - plot.window().from, before / 2, 1e-9);
  EXPECT_EQ(panel.errorPlot().window(), plot.window()) << "all of them";
  QTest::mouseClick(&panel.rangeButton(), Qt::LeftButton);
  EXPECT_GT(plot.window().to - plot.window().from, before / 2);
  QTest::keyClick(&plot, Qt::Key_Delete);
  EXPECT_TRUE(plot.isVisible()) << "it is no plot of the person's";
}

TEST(SolverPanel, DrawsTheResidualOfARigidSolveDownToItsTolerance) {
  SampleWindow window(QSize(1200, 800), "editable");
  SolverPanel& panel = shownPanel(window);
  window.runTo(0.4);  // the crate has landed
  settle(window, panel);
  const ResidualChart& chart = panel.rigidResidual();
  ASSERT_TRUE(chart.solve());
  const auto& points = chart.solve()->trace.points();
  ASSERT_GT(points.size(), 1u);
  EXPECT_EQ(chart.solve()->trace.iterations(), window.session().moment().shown()->report.rigidIterations);
  EXPECT_GT(chart.pointAt(points.size() - 1).y(), chart.toleranceY()) << "lower is further down";
  EXPECT_LT(chart.pointAt(0).y(), chart.toleranceY());
  EXPECT_TRUE(chart.words().startsWith("converged in ")) << chart.words().toStdString();
  EXPECT_FALSE(panel.contactResidual().isVisible()) << "there are no particles";
  // A stored step keeps its own.
  const int iterations = chart.solve()->trace.iterations();
  window.session().moment().lookAtTime(0.05);
  settle(window, panel);
  ASSERT_TRUE(panel.rigidResidual().solve());
  EXPECT_EQ(panel.rigidResidual().solve()->trace.iterations(),
            window.session().moment().shown()->report.rigidIterations);
  window.session().moment().goLive();
  settle(window, panel);
  EXPECT_EQ(panel.rigidResidual().solve()->trace.iterations(), iterations);
}

TEST(SolverPanel, SaysWhyThereIsNoCurve) {
  SampleWindow window(QSize(1200, 800));
  SolverPanel& panel = shownPanel(window);
  EXPECT_EQ(panel.contactResidual().words(), "not computed");
  EXPECT_FALSE(panel.contactResidual().solve());
}

TEST(PlotSeries, HasTheMeanOfAnyStretch) {
  PlotSeries series(3);
  std::vector<double> values;
  for (int i = 0; i < 9000; ++i) values.push_back(std::sin(0.1 * i) + (i % 7 == 0 ? 5 : 0));
  series.append(values);
  for (const auto& [from, to] :
       {std::pair<std::uint64_t, std::uint64_t>{3, 9003}, {500, 501}, {17, 4099}, {4000, 8999}}) {
    double sum = 0;
    for (std::uint64_t step = from; step < to; ++step) sum += values[step - 3];
    EXPECT_NEAR(series.extremes(from, to).mean(), sum / static_cast<double>(to - from), 1e-10);
    EXPECT_EQ(series.extremes(from, to).count, to - from);
  }
}

}  // namespace
}  // namespace slipstick::ui

// Plots of the columns: every value that goes in comes out, in the picture, the numbers and the files.
#include <gtest/gtest.h>

#include <QDropEvent>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/ui/sample_studio.h"
#include "ui/observable_chooser.h"
#include "ui/plot_list.h"
#include "ui/spectrum.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(PlotSeries, ExtremesOfAnyStretchAreThoseOfItsValues) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> values(5000);
  for (double& value : values) value = random() % 50 == 0 ? kNaN : normal(random);
  PlotSeries series(10);
  series.append(std::span(values).first(1234));
  series.append(std::span(values).subspan(1234));
  ASSERT_EQ(series.endStep(), 5010u);
  for (int i = 0; i < 500; ++i) {
    std::uint64_t from = random() % 5100, to = random() % 5100;
    if (from > to) std::swap(from, to);
    PlotSeries::Extremes expected;
    for (std::uint64_t step = std::max<std::uint64_t>(from, 10); step < std::min<std::uint64_t>(to, 5010);
         ++step)
      expected.include(values[step - 10]);
    const PlotSeries::Extremes found = series.extremes(from, to);
    EXPECT_EQ(found.lowest, expected.lowest) << from << " " << to;
    EXPECT_EQ(found.highest, expected.highest) << from << " " << to;
  }
  EXPECT_TRUE(std::isnan(series.value(9)) && std::isnan(series.value(5010)));
}

TEST(Spectrum, OfASineStandsAtItsFrequencyWithItsAmplitude) {
  constexpr double kDt = 0.01, kAmplitude = 2.5;
  for (const double frequency : {3.0, 7.77, 21.4}) {
    std::vector<double> values;
    for (int i = 0; i < 300; ++i)
      values.push_back(12 + kAmplitude * std::sin(2 * std::numbers::pi * frequency * i * kDt + 0.4));
    const Spectrum s = spectrumOf(values, kDt);
    EXPECT_NEAR(s.frequency.back(), 0.5 / kDt, 1e-9);
    EXPECT_NEAR(s.frequency[s.peak()], frequency, 0.05);
    EXPECT_NEAR(s.amplitude[s.peak()], kAmplitude, 0.01 * kAmplitude);
  }
  EXPECT_TRUE(spectrumOf(std::vector<double>(7, 1.0), kDt).frequency.empty());
  EXPECT_TRUE(spectrumOf(std::vector<double>{1, 2, 3, kNaN, 5, 6, 7, 8, 9}, kDt).frequency.empty());
}

TEST(Plots, JoinUpToTwoUnitsAndSurviveTheClipboard) {
  const Plot force = plotOfLength("a.contact.f", "a", "contact force", "N"),
             place = plotOfVector("b.", "b", "m");
  const std::optional<Plot> both = joined(force, place);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->units(), (std::vector<QString>{"N", "m"}));
  EXPECT_EQ(both->curves[1].label, "b x");
  EXPECT_FALSE(joined(*both, plotOf("c.q", "rad")));
  const std::unique_ptr<QMimeData> mime(mimeOf({*both, force}));
  const std::vector<Plot> back = plotsIn(*mime);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].curves, both->curves);
  EXPECT_EQ(back[1].title, "a");
  QMimeData broken;
  broken.setData(kPlotMime, mime->data(kPlotMime).left(30));
  EXPECT_TRUE(plotsIn(broken).empty());
}

struct PlottedRun : ::testing::Test {
  SampleWindow window{QSize(1300, 860), "editable"};
  void SetUp() override { window.runTo(0.6); }
  PlotsPanel& plots() { return window->panel<PlotsPanel>(); }
  PlotList& list() { return window.session().plots(); }
  PlotStrip& strip(std::size_t i = 0) { return *plots().strips().at(i); }
  bool isFilled() {
    for (const PlotStrip* s : plots().strips())
      for (const PlotLine& line : s->data().lines)
        if (!line.values || line.values->endStep() != window.session().moment().shown()->step + 1)
          return false;
    return plots().isComplete() && !plots().strips().empty();
  }
  void drop(QWidget& onto, const std::vector<Plot>& dropped) {
    const std::unique_ptr<QMimeData> mime(mimeOf(dropped));
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, mime.get(), Qt::LeftButton, {});
    QApplication::sendEvent(&onto, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent event(QPointF(40, 40), Qt::CopyAction, mime.get(), Qt::LeftButton, {});
    QApplication::sendEvent(&onto, &event);
  }
};

TEST_F(PlottedRun, EveryObservableHasTheNumbersOfTheCsv) {
  for (const RunColumns::Name& name : window.session().moment().source().columns().names())
    list().add({plotOf(name.name, QString::fromStdString(name.unit))});
  ASSERT_GT(plots().strips().size(), 40u);
  QTemporaryDir folder;
  const QString file = folder.filePath("plots.csv");
  plots().showWholeRun();
  plots().exportCsv(file);
  ASSERT_TRUE(eventually([&] { return QFile::exists(file); }));
  QFile csv(file);
  ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
  const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
  const QList<QByteArray> header = lines[0].split(',');
  const std::uint64_t steps = window.session().moment().shown()->step + 1;
  ASSERT_EQ(lines.size(), static_cast<qsizetype>(steps + 1));
  // Each one is scrolled into sight, for what cannot be seen is not read.
  for (std::size_t i = 0; i < plots().strips().size(); ++i) {
    plots().scrollArea().ensureWidgetVisible(&strip(i), 0, 0);
    const PlotLine& line = strip(i).data().lines.at(0);
    ASSERT_TRUE(line.values) << i;
    ASSERT_EQ(line.values->endStep(), steps) << line.name.toStdString();
    const auto column =
        header.indexOf((line.unit.isEmpty() ? line.name : line.name + " [" + line.unit + "]").toUtf8());
    ASSERT_GE(column, 0) << line.name.toStdString();
    for (std::uint64_t step = 0; step < steps; ++step)
      ASSERT_EQ(lines[static_cast<qsizetype>(step + 1)].split(',')[column].toDouble(),
                line.values->value(step))
          << line.name.toStdString() << " at step " << step;
  }
}

TEST_F(PlottedRun, AreDroppedJoinedZoomedAndClosed) {
  const std::string body = window.session().model()->tree.bodies.back().name;
  drop(plots(), {plotOfLength(body + ".contact.f", "crate", "contact force", "N")});
  ASSERT_EQ(plots().strips().size(), 1u);
  ASSERT_TRUE(eventually([&] { return isFilled() && plots().isVisible(); }));
  drop(strip(), {plotOfVector(body + ".", "crate", "m")});  // a second axis
  ASSERT_EQ(plots().strips().size(), 1u);
  EXPECT_EQ(strip().data().lines.size(), 4u);
  drop(strip(), {plotOf("solver.rigid_iterations", {})});  // no third one
  ASSERT_EQ(plots().strips().size(), 2u);

  PlotStrip& first = strip();
  const double at = first.timeAt(first.width() / 2);
  QWheelEvent wheel(QPointF(first.width() / 2.0, 40), first.mapToGlobal(QPointF(first.width() / 2.0, 40)), {},
                    QPoint(0, 480), Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(&first, &wheel);
  EXPECT_NEAR(first.window().to - first.window().from, 0.6 / std::pow(1.25, 4), 0.02);
  EXPECT_NEAR(first.timeAt(first.width() / 2), at, 0.01);  // what is under the pointer stays there
  QTest::mouseDClick(&first, Qt::LeftButton, {}, QPoint(first.width() / 2, 40));
  EXPECT_NEAR(first.window().to, 0.6, 1e-9);
  first.setFocus();
  QTest::keyClick(&first, Qt::Key_Delete);
  EXPECT_EQ(plots().strips().size(), 1u);
}

TEST_F(PlottedRun, ARangeIsSelectedWithShiftAndHasASpectrum) {
  const std::string body = window.session().model()->tree.bodies.back().name;
  list().add({plotOf(body + ".vz", "m/s")});
  ASSERT_TRUE(eventually([&] { return isFilled() && strip().width() > 200; }));
  plots().showWholeRun();
  const double shown = window.session().moment().shown()->time;
  const auto x = [&](double time) { return QPoint(static_cast<int>(std::round(strip().xOf(time))), 50); };
  QTest::mousePress(&strip(), Qt::LeftButton, Qt::ShiftModifier, x(0.1));
  QMouseEvent move(QEvent::MouseMove, x(0.4), strip().mapToGlobal(QPointF(x(0.4))), Qt::NoButton,
                   Qt::LeftButton, Qt::ShiftModifier);
  QApplication::sendEvent(&strip(), &move);
  QTest::mouseRelease(&strip(), Qt::LeftButton, Qt::ShiftModifier, x(0.4));
  ASSERT_TRUE(window.session().marks().range());
  EXPECT_NEAR(window.session().marks().range()->from, 0.1, 0.01);
  EXPECT_NEAR(window.session().marks().range()->to, 0.4, 0.01);
  EXPECT_EQ(window.session().moment().shown()->time, shown);  // it does not scrub
  EXPECT_TRUE(strip().spectrumReading().startsWith("peak ")) << strip().spectrumReading().toStdString();
  plots().spectraButton().click();
  EXPECT_LT(strip().xOf(0.6), 0.7 * strip().width());  // the spectrum stands beside the curve
}

TEST_F(PlottedRun, AreChosenFromAListByTyping) {
  auto* chooser = qobject_cast<ObservableChooser*>(plots().openChooser());
  ASSERT_TRUE(chooser);
  QTest::keyClicks(&chooser->filter(), "kinetic energy total");
  QTest::keyClick(&chooser->filter(), Qt::Key_Return);
  ASSERT_EQ(list().plots().size(), 1u);
  EXPECT_EQ(list().plots()[0].curves[0].name, "total.kinetic_energy");
  EXPECT_EQ(list().plots()[0].curves[0].unit, "J");
}

TEST_F(PlottedRun, BecomeFiguresOnWhite) {
  list().add(plotsOfScene(*window.session().model()));
  QTemporaryDir folder;
  for (const char* name : {"plots.svg", "plots.pdf"}) {
    plots().exportFigure(folder.filePath(name));
    QFile file(folder.filePath(name));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << name;
    const QByteArray bytes = file.readAll();
    EXPECT_GT(bytes.size(), 2000) << name;
    if (QString(name).endsWith("svg")) {
      EXPECT_TRUE(bytes.contains("kinetic")) << bytes.left(400).toStdString();
    }
  }
  std::string said;
  QObject::connect(&window.session().messages(), &Messages::failed,
                   [&](const Error& error) { said = error.message(); });
  plots().exportFigure(folder.filePath("plots.jpg"));
  EXPECT_NE(said.find(".svg or .pdf"), std::string::npos) << said;
}

}  // namespace
}  // namespace slipstick::ui

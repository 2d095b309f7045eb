// What is plotted, what the window exports and what `slipstick run --csv` writes are the same numbers, bit for bit.
#include <QFile>
#include <QScrollBar>
#include <QTemporaryDir>
#include <bit>
#include <map>

#include "tests/support/test_paths.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/plot_list.h"
#include "ui/plots_panel.h"

namespace slipstick::ui {
namespace {

using Table = std::map<std::string, std::vector<double>>;  ///< by "name [unit]", a value per step

/// Names of the scene "hold" need no quotes.
Table tableOf(const QString& path) {
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << path.toStdString();
  const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
  const QList<QByteArray> names = lines.front().split(',');
  Table table;
  for (qsizetype i = 1; i < lines.size(); ++i) {
    const QList<QByteArray> cells = lines[i].split(',');
    EXPECT_EQ(cells.size(), names.size()) << "line " << i + 1;
    for (qsizetype c = 0; c < cells.size(); ++c)
      table[names[c].toStdString()].push_back(std::strtod(cells[c].constData(), nullptr));
  }
  return table;
}

struct PlottedNumbers : Studio {
  QTemporaryDir folder;
  PlotsPanel& panel() { return window.panel<PlotsPanel>(); }

  void plotEverything() {
    std::vector<Plot> plots;
    for (const RunColumns::Name& name : session().moment().source().columns().names())
      plots.push_back(plotOf(name.name, QString::fromStdString(name.unit)));
    session().plots().add(plots);
    ASSERT_TRUE(eventually([&] { return panel().isVisible() && panel().strips().size() == plots.size(); }));
    panel().showWholeRun();
  }
  /// What a plot draws. It reads what can be seen: the panel is scrolled there.
  const PlotSeries& plotted(PlotStrip& strip) {
    panel().scrollArea().ensureWidgetVisible(&strip);
    const auto isRead = [&] {
      const std::vector<PlotLine>& lines = strip.data().lines;
      return !lines.empty() && lines.front().values && !lines.front().values->isEmpty();
    };
    EXPECT_TRUE(eventually(isRead));
    return *strip.data().lines.front().values;
  }
  /// What a plot draws of a column, against a table's.
  static void expectSame(const PlotSeries& series, const std::vector<double>& column,
                         const std::string& name) {
    ASSERT_EQ(series.firstStep(), 0u) << name;
    ASSERT_EQ(series.endStep(), column.size()) << name;
    for (std::size_t step = 0; step < column.size(); ++step)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(series.value(step)), std::bit_cast<std::uint64_t>(column[step]))
          << name << " at step " << step << ": " << series.value(step) << " and " << column[step];
  }
  QString exported(void (*write)(PlottedNumbers&, const QString&), const char* name) {
    const QString file = folder.filePath(name);
    write(*this, file);
    EXPECT_TRUE(eventually([&] { return QFile::exists(file); }));
    return file;
  }
};

TEST_F(PlottedNumbers, AreThoseOfEveryFile) {
  const double dt = session().model()->time.dt, until = 60 * dt;
  session().transport().runUntil(until);
  ASSERT_TRUE(eventually(
      [&] { return !session().run().status().playing && session().moment().shown()->step == 60; }));
  plotEverything();
  const Table ofWindow =
      tableOf(exported([](auto& t, const QString& f) { t.window.exportObservables(f); }, "window.csv"));
  const Table ofPlots =
      tableOf(exported([](auto& t, const QString& f) { t.panel().exportCsv(f); }, "plots.csv"));
  const QString file = folder.filePath("run.csv");
  const std::string command = "'" + testing::program().string() + "' run hold --quiet --duration " +
                              QString::number(until, 'g', 17).toStdString() + " --csv '" +
                              file.toStdString() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const Table ofRun = tableOf(file);

  const std::vector<RunColumns::Name> names = session().moment().source().columns().names();
  EXPECT_EQ(ofWindow.size(), names.size());
  EXPECT_EQ(ofPlots.size(), names.size());
  EXPECT_GT(ofRun.size(), 50u);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string column = names[i].column();
    const PlotSeries& series = plotted(*panel().strips()[i]);
    expectSame(series, ofWindow.at(column), column);
    expectSame(series, ofPlots.at(column), column);
    // Wall times are each run's own, and pairs are the window's.
    const auto inRun = ofRun.find(column);
    if (inRun == ofRun.end()) continue;
    expectSame(series, inRun->second, column);
    ++compared;
  }
  EXPECT_EQ(compared, ofRun.size()) << "every column of the run is plotted";
}

}  // namespace
}  // namespace slipstick::ui

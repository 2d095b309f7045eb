// The choice of a method in the window, with the real solvers.
#include <QAction>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QMenu>
#include <cmath>

#include "tests/ui/program/studio_fixture.h"
#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

struct Method : Studio {
  QAction& action(const char* name) { return *window.findChild<QAction*>(QString("method_") + name); }
  void openMenu() { Q_EMIT window.findChild<QMenu*>("methods")->aboutToShow(); }
  void runTo(double time) {
    session().transport().runUntil(time);
    ASSERT_TRUE(eventually([&] { return !session().run().status().playing; }));
    session().moment().goLive();
  }
};

TEST_F(Method, IsShownAndChosenAndItsRunLiesOverTheOneBefore) {
  openMenu();
  EXPECT_TRUE(action("async").isChecked());
  EXPECT_TRUE(action("implicit").isEnabled());
  EXPECT_EQ(fact("method"), "async");
  runTo(0.01);
  const std::uint64_t before = session().moment().shown()->stateHash;
  action("strong").trigger();
  ASSERT_TRUE(eventually(
      [&] { return session().run().status().branch == 1u && session().moment().shown()->step == 0; }));
  EXPECT_EQ(session().methods().method(), "strong");
  runTo(0.01);
  ASSERT_TRUE(eventually([&] { return fact("method") == "strong"; }));
  EXPECT_NE(session().moment().shown()->stateHash, before) << "another method, other bits";
  const std::vector<BranchFacts> branches = session().moment().branches();
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[1].name, "strong");

  // What was simulated under the other one is still there, says what it is, and goes on as what it is.
  session().moment().lookAtBranch(0);
  ASSERT_TRUE(eventually([&] { return fact("method") == "async"; }));
  EXPECT_EQ(session().moment().shown()->stateHash, before);
  session().transport().resumeFromHere();
  ASSERT_TRUE(eventually([&] { return session().moment().isLive(); }));
  EXPECT_EQ(session().methods().method(), "async");
  openMenu();
  EXPECT_TRUE(action("async").isChecked());
  EXPECT_FALSE(session().document().isEdited())
      << "the file names no method, and none is in force but the first";
}

const char* const kSliding = R"(title: what the implicit method cannot step
time: {dt_ms: 5, duration: 1}
grid: {spacing: 0.05}
materials: {gel: {model: neo_hookean, E: 1e4, nu: 0.3, density: 300}}
deformables: {cube: {material: gel, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 0.05]}}
boundaries: {floor: {kind: slip, friction: 0.3, shape: box, size: [1, 1, 0.2], position: [0, 0, -0.1]}}
)";

TEST_F(Method, ThatCannotStepTheSceneSaysWhy) {
  const QString file = QDir(QString::fromStdString(::testing::TempDir())).filePath("sliding.yaml");
  QFile scene(file);
  ASSERT_TRUE(scene.open(QIODevice::WriteOnly) && scene.write(kSliding) > 0);
  scene.close();
  session().opener().open(file);
  ASSERT_TRUE(eventually([&] { return session().isOpen() && session().model()->name == "sliding"; }));
  openMenu();
  EXPECT_FALSE(action("implicit").isEnabled());
  EXPECT_TRUE(action("implicit").toolTip().contains("boundary 'floor'"));
  EXPECT_TRUE(action("strong").isEnabled());
  session().methods().choose("implicit");
  EXPECT_EQ(session().methods().method(), "async");
  EXPECT_EQ(logCount(window, "boundary 'floor'"), 1);

  window.findChild<QAction*>("compare_methods")->trigger();
  const MethodsDialog::Row& implicit = window.methodsDialog()->rows().at(2);
  EXPECT_FALSE(implicit.isWanted->isEnabled());
  EXPECT_TRUE(implicit.obstacle.contains("boundary 'floor'"));
}

/// A block on a pad of gel, which E changes from soft to what no body of its mass may be frozen against.
const char* const kBlock = R"(title: a block on gel
time: {dt_ms: 5, duration: 1}
grid: {spacing: 0.05}
%1
materials: {gel: {model: neo_hookean, E: 1e4, nu: 0.3, density: 300}}
deformables: {pad: {material: gel, shape: box, size: [0.2, 0.2, 0.1], position: [0, 0, 0.05]}}
bodies:
  floor: {shapes: [{shape: plane}]}
  block: {base: free, density: %2, position: [0, 0, 0.2], shapes: [{shape: box, size: [0.2, 0.2, 0.2]}]}
)";

struct LightBody : Method {
  void open(const QString& name, const char* solver, const char* density) {
    const QString file = QDir(QString::fromStdString(::testing::TempDir())).filePath(name + ".yaml");
    QFile scene(file);
    ASSERT_TRUE(scene.open(QIODevice::WriteOnly) &&
                scene.write(QString(kBlock).arg(solver, density).toUtf8()) > 0);
    scene.close();
    session().opener().open(file);
    ASSERT_TRUE(
        eventually([&] { return session().isOpen() && session().model()->name == name.toStdString(); }));
  }
};

TEST_F(LightBody, DecidesTheMethodOfASceneThatNamesNone) {
  open("light_block", "", "10");
  EXPECT_EQ(session().methods().method(), "strong");
  EXPECT_EQ(fact("method"), "strong (auto)");
  EXPECT_EQ(logCount(window, "stepped by strong, as block (80 g) is too light for async at 5 ms"), 1);
  EXPECT_FALSE(window.banner().isVisible());
}

/// The entry "auto" says what it comes to, before it is chosen and after.
TEST_F(LightBody, ShowsInTheMenuWhatAutoComesTo) {
  open("light_block_by_auto", "", "10");
  openMenu();
  EXPECT_TRUE(action("auto").isChecked());
  EXPECT_FALSE(action("strong").isChecked());
  EXPECT_TRUE(action("auto").text().startsWith("auto (strong)")) << action("auto").text().toStdString();
  EXPECT_TRUE(action("auto").toolTip().startsWith("strong, as block (80 g) is too light for async at 5 ms"));
  open("heavy_block_by_name", "solver: {method: strong}", "1000");
  openMenu();
  EXPECT_FALSE(action("auto").isChecked());
  EXPECT_TRUE(action("strong").isChecked());
  EXPECT_TRUE(action("auto").text().startsWith("auto (async)")) << action("auto").text().toStdString();
  action("auto").trigger();
  ASSERT_TRUE(eventually(
      [&] { return session().run().status().branch == 1u && session().moment().shown()->step == 0; }));
  EXPECT_EQ(session().methods().method(), "async");
  EXPECT_TRUE(eventually([&] { return fact("method") == "async (auto)"; }));
  openMenu();
  EXPECT_TRUE(action("auto").isChecked());
  action("auto").trigger();
  EXPECT_EQ(session().moment().branches().size(), 2u) << "it is in force: nothing starts over";
}

/// What steps the scene already is not what the scene says.
TEST_F(LightBody, IsSteppedByTheMethodThatAutoCameToOnceThatIsNamed) {
  open("light_block_named", "", "10");
  ASSERT_EQ(fact("method"), "strong (auto)");
  openMenu();
  action("strong").trigger();
  ASSERT_TRUE(eventually(
      [&] { return session().run().status().branch == 1u && session().moment().shown()->step == 0; }));
  EXPECT_EQ(session().run().newestModel()->scene->solver.method, "strong");
  EXPECT_TRUE(session().document().isEdited());
  EXPECT_TRUE(eventually([&] { return fact("method") == "strong"; })) << fact("method");
  openMenu();
  EXPECT_TRUE(action("strong").isChecked());
  EXPECT_FALSE(action("auto").isChecked());
  action("strong").trigger();
  EXPECT_EQ(session().moment().branches().size(), 2u) << "it is in force: nothing starts over";

  const QString file = QDir(QString::fromStdString(::testing::TempDir())).filePath("named.yaml");
  session().document().save(file);
  ASSERT_TRUE(eventually([&] { return !session().document().isSaving(); }));
  QFile saved(file);
  ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
  EXPECT_TRUE(saved.readAll().contains("method: strong"));
}

TEST_F(LightBody, IsNamedWhereTheSceneHasItFrozenAndOneClickChangesThat) {
  open("frozen_block", "solver: {method: async}", "10");
  const QString words = "block (80 g) is too light for async at 5 ms: forces may be wrong; use strong";
  ASSERT_TRUE(eventually([&] { return window.banner().isVisible(); }));
  EXPECT_EQ(window.banner().text(), words);
  EXPECT_EQ(session().methods().warning(), words);
  EXPECT_EQ(logCount(window, words), 1);
  EXPECT_EQ(window.banner().action().text(), "Use strong");
  QTest::mouseClick(&window.banner().action(), Qt::LeftButton);
  ASSERT_TRUE(eventually(
      [&] { return session().methods().method() == "strong" && session().methods().warning().isEmpty(); }));
  EXPECT_FALSE(window.banner().isVisible());
}

/// A run is not switched to another method when a number makes its bodies too light: that is offered, and goes away with it.
TEST_F(LightBody, OfAChangedNumberHasAnotherMethodOffered) {
  open("heavy_block", "", "1000");
  EXPECT_EQ(fact("method"), "async (auto)");
  EXPECT_FALSE(window.banner().isVisible());
  session().numbers().editParameter("materials.gel.E", {1e7});
  ASSERT_TRUE(eventually([&] { return window.banner().isVisible(); }));
  EXPECT_TRUE(window.banner().text().startsWith("block (8 kg) is too light for async at 5 ms"));
  runTo(0.01);
  EXPECT_EQ(session().methods().method(), "async");
  session().undoStack().undo();
  EXPECT_TRUE(eventually([&] { return !window.banner().isVisible(); }));
  EXPECT_TRUE(session().methods().warning().isEmpty());
}

struct Comparison : Method {
  MethodsDialog& dialog() {
    if (!window.methodsDialog()) window.findChild<QAction*>("compare_methods")->trigger();
    return *window.methodsDialog();
  }
  void type(QLineEdit& field, const QString& text) {
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Tab);
  }
  bool isDone() {
    return eventually([&] { return dialog().comparison()->isDone(); });
  }
  QString cell(const QString& row, int column) {
    QTableWidget& table = dialog().table();
    for (int r = 0; r < table.rowCount(); ++r)
      if (table.item(r, 0)->text() == row) return table.item(r, column)->text();
    return "no such row";
  }
};

TEST_F(Comparison, TabulatesAndDrawsTheOpenSceneUnderEveryMethod) {
  type(dialog().duration(), "0.04");
  type(dialog().from(), "0.02");
  type(dialog().to(), "0.04");
  type(*dialog().rows().at(2).dt, "10");
  EXPECT_TRUE(dialog().summary().contains("3 methods")) << dialog().summary().toStdString();
  QTest::mouseClick(&dialog().exportButton(), Qt::LeftButton);
  EXPECT_EQ(dialog().exportButton().text(), "Stop");
  ASSERT_TRUE(isDone());
  EXPECT_TRUE(dialog().comparison()->errors().empty());
  EXPECT_EQ(dialog().exportButton().text(), "Compare");
  ASSERT_EQ(dialog().table().columnCount(), 4);
  EXPECT_EQ(dialog().table().horizontalHeaderItem(3)->text(), "implicit");
  EXPECT_EQ(cell("step [ms]", 1), "0.1");
  EXPECT_EQ(cell("step [ms]", 3), "10");
  EXPECT_EQ(cell("simulated [s]", 2), "0.04");
  // It holds still from the first step on: each panel presses with 10 N and carries half of the weight.
  for (int column = 1; column <= 3; ++column)
    EXPECT_NEAR(cell("|mean force| on left.panel [N]", column).toDouble(), std::hypot(10, 1.962), 0.5)
        << column;
  EXPECT_GT(dialog().picture().width(), 600);

  const QDir folder(QString::fromStdString(::testing::TempDir()));
  const auto saved = [&](const char* name) {
    dialog().saveAs(folder.filePath(name));
    QFile file(folder.filePath(name));
    EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name;
    return file.readAll();
  };
  EXPECT_FALSE(QImage::fromData(saved("methods.png")).isNull());
  EXPECT_TRUE(saved("methods.csv").startsWith("run,time [s]"));
  EXPECT_TRUE(saved("methods.json").contains("\"momentum_error\""));
  dialog().saveAs("/nowhere/methods.csv");
  EXPECT_EQ(logCount(window, "/nowhere/methods.csv"), 1);
}

TEST_F(Comparison, IsStoppedAndSaysWhatCannotBe) {
  type(dialog().duration(), "100");
  QTest::mouseClick(&dialog().exportButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return dialog().comparison()->progress().time > 0; }));
  EXPECT_TRUE(dialog().summary().contains("async")) << dialog().summary().toStdString();
  QTest::mouseClick(&dialog().exportButton(), Qt::LeftButton);
  ASSERT_TRUE(isDone());
  EXPECT_EQ(dialog().comparison()->runs().size(), 1u);
  EXPECT_FALSE(dialog().comparison()->figure());
  EXPECT_FALSE(dialog().hasError()) << "it was stopped, that is all";
  type(dialog().moments(), "0.01, x");
  EXPECT_TRUE(dialog().hasError());
  EXPECT_TRUE(dialog().summary().contains("pictures at x"));
  type(dialog().moments(), "");
  for (MethodsDialog::Row& row : dialog().rows()) row.isWanted->setChecked(false);
  EXPECT_TRUE(dialog().summary().contains("choose at least one"));
  // Closed while it runs: the window goes on.
  dialog().rows().front().isWanted->setChecked(true);
  QTest::mouseClick(&dialog().exportButton(), Qt::LeftButton);
  dialog().reject();
  ASSERT_TRUE(eventually([&] { return window.methodsDialog() == nullptr; }));
}

}  // namespace
}  // namespace slipstick::ui

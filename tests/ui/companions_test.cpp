// Companions in the window, with its real widgets: a crate that falls, and the same with other gravity beside it.
#include <gtest/gtest.h>

#include <QAction>
#include <QTest>
#include <algorithm>

#include "tests/ui/sample_studio.h"
#include "ui/companion_numbers.h"
#include "ui/companions.h"
#include "ui/companions_panel.h"
#include "ui/plot_list.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

struct WindowCompanions : ::testing::Test {
  SampleWindow window{QSize(1100, 700), "editable"};
  Session& session = window.session();

  CompanionsPanel& panel() { return window->panel<CompanionsPanel>(); }
  const Companions::Entry& entry(std::size_t i = 0) { return session.companions().all().at(i); }
  void add() { window->findChild<QAction*>("add_companion")->trigger(); }
  void write(Field& field, const QString& text) {
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
  }
  /// A companion that is drawn sideways.
  void addSideways() {
    add();
    write(panel().rows().back()->numbers(), "gravity.x = 2");
  }
  void runTo(double time) {
    window.runTo(time);
    const std::uint64_t step = session.run().status().lastStep;
    for (std::size_t i = 0; i < session.companions().all().size(); ++i)
      ASSERT_TRUE(eventually([&] { return entry(i).status.step == step; })) << entry(i).status.error;
  }
  /// Of a step, along the branch that is looked at.
  double crateX(const Snapshot& snapshot) {
    return snapshot.X_WB[static_cast<std::size_t>(snapshot.model->findBody("crate"))].p.x();
  }
  std::shared_ptr<const Snapshot> stepOf(std::size_t i, std::uint64_t step) {
    return entry(i).run->along(session.moment().shownBranch())->at(step);
  }
  std::vector<render::Ghost> ghosts() {
    const Picture* picture = window->viewport().picture();
    return picture ? picture->request.frame->ghosts : std::vector<render::Ghost>();
  }
  bool showsGhostAt(double x) {
    const auto crate = static_cast<std::size_t>(session.model()->findBody("crate"));
    const std::vector<render::Ghost> drawn = ghosts();
    return drawn.size() == 1 && std::abs(drawn[0].X_WB.at(crate).p.x() - x) < 1e-9;
  }
};

TEST_F(WindowCompanions, AreAddedAndScrubbedWithTheRun) {
  EXPECT_TRUE(panel().isHidden());
  addSideways();
  ASSERT_EQ(panel().rows().size(), 1u);
  EXPECT_FALSE(panel().isHidden()) << "it comes with the first one";
  EXPECT_EQ(entry().settings.numbers.at(0).path, "gravity.x");
  runTo(0.2);
  EXPECT_NEAR(crateX(*session.moment().shown()), 0, 1e-6);
  const double end = crateX(*stepOf(0, 20)), middle = crateX(*stepOf(0, 10));
  EXPECT_GT(end, middle + 1e-3);
  EXPECT_TRUE(eventually([&] { return showsGhostAt(end); }));
  session.moment().lookAtStep(10);
  EXPECT_TRUE(eventually([&] { return showsGhostAt(middle); }));
  EXPECT_EQ(window->viewport().facts().besideWords(), std::vector<std::string>{entry().name.toStdString()});
  EXPECT_TRUE(panel().rows()[0]->state().contains("level with the run"))
      << panel().rows()[0]->state().toStdString();
  EXPECT_TRUE(panel().rows()[0]->state().contains("ms per step"));
}

TEST_F(WindowCompanions, HaveCurvesOfTheirOwnWithTheirNames) {
  const auto isOfCrate = [](const RunColumns::Name& name) {
    return name.name.find("crate") != std::string::npos;
  };
  const std::vector<RunColumns::Name> names = session.moment().source().columns().names();
  const RunColumns::Name name = *std::find_if(names.begin(), names.end(), isOfCrate);
  session.plots().add({plotOf(name.name, QString::fromStdString(name.unit))});
  addSideways();
  write(panel().rows()[0]->name(), "tilted");
  runTo(0.1);
  PlotsPanel& plots = window->panel<PlotsPanel>();
  const auto besides = [&] { return plots.strips().at(0)->data().lines.at(0).besides; };
  ASSERT_TRUE(eventually([&] { return besides().size() == 1 && besides()[0].values->endStep() == 11; }));
  EXPECT_EQ(besides()[0].name, "tilted");
  const std::vector<double> own =
      entry().run->along(session.moment().shownBranch())->columns().values(name.name, 0, 11);
  for (std::uint64_t step = 0; step <= 10; ++step) EXPECT_EQ(besides()[0].values->value(step), own[step]);
  EXPECT_TRUE(eventually([&] { return plots.strips().at(0)->reading().contains("tilted "); }));
}

TEST_F(WindowCompanions, IsTakenOverAsTheRunAndTheOldOneStaysABranch) {
  addSideways();
  runTo(0.2);
  const std::uint64_t own = stepOf(0, 20)->stateHash, before = session.moment().shown()->stateHash;
  QTest::mouseClick(&panel().rows()[0]->takeOverButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return session.run().status().branch == 1u && session.moment().isLive(); }));
  ASSERT_TRUE(eventually([&] { return session.moment().shown()->stateHash == own; }));
  EXPECT_EQ(session.run().simulation().branch(0)->latest()->stateHash, before);
  EXPECT_EQ(session.numbers().parameter("gravity.x"), ParameterValue{2})
      << "the inspector shows what is in force";
  EXPECT_TRUE(panel().rows()[0]->state().contains("taken over at step 20"));
  EXPECT_FALSE(panel().rows()[0]->takeOverButton().isEnabled());
  window.runTo(0.3);
  EXPECT_EQ(session.moment().shown()->step, 30u);
  EXPECT_EQ(stepOf(0, 20)->stateHash, own) << "its steps stay";
  EXPECT_FALSE(window->banner().isVisible()) << window->banner().text().toStdString();
}

TEST_F(WindowCompanions, GoesBackWithTheRun) {
  addSideways();
  runTo(0.2);
  const std::uint64_t hash = stepOf(0, 10)->stateHash;
  session.moment().lookAtStep(10);
  session.transport().resumeFromHere();
  ASSERT_TRUE(eventually([&] { return session.moment().isLive() && entry().status.step == 10; }));
  runTo(0.15);
  EXPECT_EQ(stepOf(0, 10)->stateHash, hash);
  EXPECT_EQ(entry().status.error, "");
}

TEST_F(WindowCompanions, IsRemovedAndGoesWithItsScene) {
  addSideways();
  add();
  EXPECT_NE(entry(0).hue, entry(1).hue);
  EXPECT_NE(entry(0).name, entry(1).name);
  runTo(0.1);
  ASSERT_TRUE(eventually([&] { return ghosts().size() == 2; }));
  QTest::mouseClick(&panel().rows()[0]->removeButton(), Qt::LeftButton);
  EXPECT_EQ(panel().rows().size(), 1u);
  EXPECT_TRUE(eventually([&] { return ghosts().size() == 1; }));
  session.opener().open("crates");
  ASSERT_TRUE(eventually([&] { return session.model()->name != "editable"; }));
  EXPECT_TRUE(panel().rows().empty());
  EXPECT_TRUE(eventually([&] { return ghosts().empty(); }));
}

TEST_F(WindowCompanions, AreFourAtMost) {
  for (int i = 0; i < 6; ++i) session.companions().add();
  EXPECT_EQ(panel().rows().size(), Companions::kMost);
  EXPECT_FALSE(panel().addButton().isEnabled());
}

TEST_F(WindowCompanions, NumbersThatTheSceneHasNotAreRefused) {
  addSideways();
  write(panel().rows()[0]->numbers(), "gravty.x = 3");
  ASSERT_TRUE(eventually([&] { return window->banner().isVisible(); }));
  EXPECT_TRUE(window->banner().text().contains("gravty.x")) << window->banner().text().toStdString();
  EXPECT_EQ(panel().rows()[0]->numbers().text(), "gravty.x = 3") << "to be mended";
  EXPECT_EQ(entry().settings.numbers.at(0).value, std::vector<double>{2}) << "it goes on as it was";
}

TEST(CompanionNumbers, AreReadAsSetTakesThem) {
  const auto numbers = numbersIn(" contact.friction = 0.3, gravity=[0, 0, -1.6] ,");
  ASSERT_TRUE(numbers) << numbers.error().message();
  ASSERT_EQ(numbers->size(), 2u);
  EXPECT_EQ(numbers->at(0).path, "contact.friction");
  EXPECT_EQ(numbers->at(0).value, std::vector<double>{0.3});
  EXPECT_EQ(numbers->at(1).path, "gravity");
  EXPECT_EQ(numbers->at(1).value, (std::vector<double>{0, 0, -1.6}));
  EXPECT_TRUE(numbersIn("  ")->empty());
  for (const char* wrong : {"friction", "= 3", "friction =", "friction = much", "gravity = [0, x, 1]"})
    EXPECT_FALSE(numbersIn(wrong)) << wrong;
}

}  // namespace
}  // namespace slipstick::ui

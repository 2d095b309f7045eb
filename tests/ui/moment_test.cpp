// What the window says beside the moment: why a pair slips, ghosts, trails, pins and their plots.
#include <gtest/gtest.h>

#include <QTest>
#include <cmath>

#include "render/hud_why.h"
#include "tests/ui/sample_studio.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

MomentFacts& factsOf(SampleWindow& window) {
  return window->viewport().facts();
}

bool hasWhy(SampleWindow& window) {
  const auto facts = factsOf(window).whyFacts();
  return facts && facts->step == window.session().moment().shown()->step;
}

/// Where the middle of a button of the picture is; none where the picture has it not.
std::optional<QPoint> buttonAt(SampleWindow& window, std::string_view name) {
  const Picture* picture = window->viewport().picture();
  if (!picture) return std::nullopt;
  for (const render::HudButton& button : picture->buttons)
    if (button.name == name)
      return QPointF(button.rect.x + button.rect.w / 2, button.rect.y + button.rect.h / 2).toPoint();
  return std::nullopt;
}

bool clickButton(SampleWindow& window, std::string_view name) {
  std::optional<QPoint> at;
  if (!eventually([&] { return (at = buttonAt(window, name)).has_value(); })) return false;
  QTest::mouseClick(&window->viewport(), Qt::LeftButton, {}, *at);
  return true;
}

render::ContactPair pairOfContact(SampleWindow& window, std::size_t contact) {
  return render::pairOf(*window.session().model(), window.session().moment().shown()->contacts[contact]);
}

render::Selection selectionOf(const render::ContactPair& pair) {
  return pair;
}

TEST(WhyCard, YOpensItForTheLargestPairAndEscapeClosesItBeforeItLetsGo) {
  SampleWindow window(QSize(1100, 700), "crates");
  window.runTo(1.0);
  const int lower = testing::rigidWorld().lower;
  const render::Selection selection = render::SelectedBody{lower};
  window.session().focus().select(selection);
  QTest::keyClick(&*window, Qt::Key_Y);
  ASSERT_TRUE(eventually([&] { return hasWhy(window); }));
  const auto facts = factsOf(window).whyFacts();
  EXPECT_TRUE(facts->force.pair.hasBody(lower));
  ASSERT_TRUE(eventually([&] { return buttonAt(window, render::kCloseWhyButton).has_value(); }));
  QTest::keyClick(&*window, Qt::Key_Escape);
  EXPECT_FALSE(factsOf(window).isWhyOpen());
  EXPECT_EQ(window.session().focus().selection(), selection);
  EXPECT_TRUE(eventually([&] { return !buttonAt(window, render::kCloseWhyButton).has_value(); }));
  QTest::keyClick(&*window, Qt::Key_Escape);
  EXPECT_EQ(window.session().focus().selection(), render::Selection{});
}

TEST(WhyCard, OpensByTheWordInTheCallOutFollowsTheSelectionAndClosesByItsCross) {
  SampleWindow window(QSize(1100, 700), "crates");
  window.runTo(1.0);
  const render::ContactPair ball = pairOfContact(window, 12), crates = pairOfContact(window, 4);
  window.session().focus().select(selectionOf(ball));
  ASSERT_TRUE(clickButton(window, render::kWhyButton));
  ASSERT_TRUE(eventually([&] { return hasWhy(window); }));
  EXPECT_EQ(factsOf(window).whyFacts()->force.pair, ball);
  EXPECT_EQ(render::slipStateOf(*factsOf(window).whyFacts()), render::SlipState::Slips);
  window.session().focus().select(selectionOf(crates));
  ASSERT_TRUE(eventually([&] { return factsOf(window).whyFacts()->force.pair == crates; }));
  window.session().transport().stepBack();
  EXPECT_TRUE(eventually([&] { return hasWhy(window); }));
  ASSERT_TRUE(clickButton(window, render::kCloseWhyButton));
  EXPECT_FALSE(factsOf(window).isWhyOpen());
}

TEST(WhyCard, SaysOfTheRealCrateThatItHoldsWithWhatItUses) {
  SampleWindow window(QSize(1100, 700), "editable");
  window.runTo(0.8);
  ASSERT_FALSE(window.session().moment().shown()->contacts.empty());
  factsOf(window).setWhy(true);
  ASSERT_TRUE(eventually([&] { return hasWhy(window); }));
  const auto facts = factsOf(window).whyFacts();
  EXPECT_EQ(render::slipStateOf(*facts), render::SlipState::Sticks);
  EXPECT_NEAR(facts->force.normalSum, 500 * 0.2 * 0.2 * 0.2 * 9.81, 0.5);  // it rests
  EXPECT_GT(facts->past.size(), 20u);
  EXPECT_TRUE(facts->holding.holdingFriction.has_value()) << facts->holding.why;
}

TEST(RunReading, AnotherSceneMayOpenInTheMiddleOfIt) {
  SampleWindow window(QSize(900, 560), "editable");
  for (const char* const next : {"crates", "editable", "crates"}) {
    window.runTo(0.6);
    factsOf(window).setWhy(true);
    window.session().marks().toggleGhost();
    window.session().focus().select(render::SelectedBody{1});
    window.session().pinBoard().togglePin(*window.session().pinBoard().selectionAsPin());
    const auto before = window.session().model();
    window.session().transport().play();
    window.session().opener().open(next);
    ASSERT_TRUE(eventually([&] { return window.session().model() != before; }));
    EXPECT_FALSE(factsOf(window).isWhyOpen());
    EXPECT_FALSE(window.session().marks().ghost().has_value());
    EXPECT_EQ(factsOf(window).ghost(), nullptr);
    EXPECT_TRUE(window.session().pinBoard().pins().empty());
  }
  // And it still answers.
  window.runTo(0.3);
  factsOf(window).setWhy(true);
  EXPECT_TRUE(eventually([&] { return hasWhy(window); }));
}

/// The ghosts of the frame in the picture.
std::vector<render::Ghost> drawnGhosts(SampleWindow& window) {
  const Picture* picture = window->viewport().picture();
  return picture ? picture->request.frame->ghosts : std::vector<render::Ghost>{};
}

TEST(Ghosts, GKeepsTheMomentInThePictureWhileTheRunGoesOn) {
  SampleWindow window(QSize(900, 560), "editable");
  window.runTo(0.05);
  const auto then = window.session().moment().shown();
  QTest::keyClick(&*window, Qt::Key_G);
  ASSERT_TRUE(window.session().marks().ghost().has_value());
  EXPECT_EQ(window.session().marks().ghost()->step, then->step);
  window.runTo(0.5);
  ASSERT_TRUE(eventually([&] {
    return drawnGhosts(window).size() == 1 &&
           window->viewport().paintedStep() == window.session().moment().shown()->step;
  }));
  const render::Ghost ghost = drawnGhosts(window)[0];
  ASSERT_EQ(ghost.X_WB.size(), then->X_WB.size());
  EXPECT_EQ(ghost.X_WB.back().p, then->X_WB.back().p);
  EXPECT_GT(ghost.X_WB.back().p.z(), window.session().moment().shown()->X_WB.back().p.z() + 0.05);  // it fell
  EXPECT_EQ(factsOf(window).ghostWords(), "ghost: " + number(then->time, 3) + " s, main");
  EXPECT_EQ(window->viewport().picture()->request.hud.ghosts.size(), 1u);
  QTest::keyClick(&*window, Qt::Key_G);
  EXPECT_TRUE(eventually([&] { return drawnGhosts(window).empty(); }));
}

TEST(Ghosts, OfTheEndOfAnotherBranchComeFromTheViewMenu) {
  SampleWindow window(QSize(900, 560), "sample");
  window.runTo(0.3);
  const auto end = window.session().moment().shown();
  window.session().moment().lookAtStep(12);
  window.session().transport().resumeFromHere();
  ASSERT_TRUE(eventually([&] { return window.session().moment().isLive(); }));
  QMenu* ends = nullptr;
  for (QMenu* menu : window->findChildren<QMenu*>())
    if (menu->title().startsWith("Ghost of the end")) ends = menu;
  ASSERT_NE(ends, nullptr);
  Q_EMIT ends->aboutToShow();
  ASSERT_GE(ends->actions().size(), 1);
  EXPECT_TRUE(ends->actions().first()->text().startsWith("main, 0.300 s"));
  ends->actions().first()->trigger();
  ASSERT_TRUE(eventually([&] { return factsOf(window).ghost() != nullptr; }));
  EXPECT_EQ(factsOf(window).ghost()->step, end->step);
  EXPECT_EQ(factsOf(window).ghost()->branch, 0u);
}

TEST(Trails, LeadToTheSelectedBody) {
  SampleWindow window(QSize(900, 560), "editable");
  window.runTo(0.15);
  QTest::keyClick(&*window, Qt::Key_R);
  ASSERT_TRUE(window.session().focus().view().trails);
  const auto drawn = [&] {
    const Picture* picture = window->viewport().picture();
    return picture ? picture->request.frame->trails : std::vector<render::Trail>{};
  };
  ASSERT_TRUE(eventually([&] { return drawn().size() == 1; }));
  const Eigen::Vector3f crate = window.session().moment().shown()->X_WB.back().p.cast<float>();
  ASSERT_TRUE(
      eventually([&] { return !drawn().empty() && (drawn()[0].points.back() - crate).norm() < 1e-4f; }));
  EXPECT_GT(drawn()[0].points.front().z(), crate.z() + 0.05f);  // it fell
  QTest::keyClick(&*window, Qt::Key_R);
  EXPECT_TRUE(eventually([&] { return drawn().empty(); }));
}

struct PinnedCrate : ::testing::Test {
  SampleWindow window{QSize(1300, 860), "editable"};
  void SetUp() override {
    int body = window.session().model()->findBody("crate.base");
    if (body < 0) body = static_cast<int>(window.session().model()->tree.bodies.size()) - 1;
    window.session().focus().select(render::SelectedBody{body});
    QTest::keyClick(&*window, Qt::Key_N);
    ASSERT_EQ(window.session().pinBoard().pins().size(), 1u);
  }
  PlotsPanel& plots() { return window->panel<PlotsPanel>(); }
  const PlotLine& line(std::size_t strip, std::size_t line = 0) {
    return plots().strips().at(strip)->data().lines.at(line);
  }
  const PlotSeries& values(std::size_t strip, std::size_t ofLine = 0) { return *line(strip, ofLine).values; }
  /// Whether the plots hold every step up to the one shown.
  bool isFilled() {
    return plots().isComplete() && line(0).values &&
           values(0).endStep() == window.session().moment().shown()->step + 1;
  }
};

TEST_F(PinnedCrate, StaysOnTopOfTheTableWithDashesWhileItFalls) {
  ContactTable& table = window->panel<ContactsPanel>().table();
  ASSERT_EQ(table.rowCount(), 1);
  EXPECT_TRUE(table.row(0).isPinned);
  EXPECT_EQ(table.data(table.index(0, ContactTable::NormalForce), Qt::DisplayRole).toString(),
            QString(QChar(0x2013)));
  window.runTo(0.8);
  ASSERT_TRUE(eventually([&] { return table.rowCount() > 1; }));
  table.refresh();
  EXPECT_TRUE(table.row(0).isPinned);
  double normal = 0;
  for (const Contact& contact : window.session().moment().shown()->contacts) normal += contact.normalForce();
  EXPECT_NEAR(table.row(0).normalForce, normal, 1e-9 * normal);
  EXPECT_FALSE(table.row(1).isPinned);

  // The pin at the end of its name lets go of it.
  QTableView& view = window->panel<ContactsPanel>().view();
  const QRect cell = view.visualRect(table.index(0, 0));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(cell.right() - 8, cell.center().y()));
  EXPECT_TRUE(window.session().pinBoard().pins().empty());
  EXPECT_FALSE(table.row(0).isPinned);
}

TEST_F(PinnedCrate, IsPlottedStepByStepAndTheStripScrubs) {
  ASSERT_TRUE(plots().isVisible());
  ASSERT_EQ(plots().strips().size(), 2u);  // force and moment
  window.runTo(0.8);
  ASSERT_TRUE(eventually([&] { return isFilled(); }));
  const auto shown = window.session().moment().shown();
  EXPECT_NEAR(values(0).value(shown->step), shown->contactWrench.back().force.norm(), 1e-9);
  EXPECT_NEAR(values(0).value(0), 0, 1e-12);  // it fell
  PlotStrip& strip = *plots().strips()[0];
  EXPECT_TRUE(strip.reading().startsWith("contact force ")) << strip.reading().toStdString();
  QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(static_cast<int>(strip.xOf(0.3)), 50));
  EXPECT_NEAR(window.session().moment().shown()->time, 0.3, 0.02);
  EXPECT_FALSE(window.session().moment().isLive());
}

TEST_F(PinnedCrate, AGhostOfTheSameRunLiesUnderTheCursorWithTheDifference) {
  window.runTo(0.8);
  window.session().moment().lookAtTime(0.6);
  const std::uint64_t step = window.session().moment().shown()->step;
  window.session().marks().toggleGhost();
  ASSERT_TRUE(window.session().marks().ghost() && window.session().marks().ghost()->step == step);
  window.session().moment().lookAtTime(0.1);
  ASSERT_TRUE(eventually([&] { return plots().isComplete() && line(0).ghost; }));
  const double now = window.session().moment().shown()->time;
  ASSERT_TRUE(eventually([&] { return window.session().moment().presented()->time == now; }));
  const auto then = window.session().moment().source().at(step);
  EXPECT_NEAR(line(0).ghost->value(step), then->contactWrench.back().force.norm(), 1e-6);
  EXPECT_TRUE(plots().strips()[0]->reading().contains("(")) << plots().strips()[0]->reading().toStdString();
}

TEST_F(PinnedCrate, PairsComeFromTheColumnsColouredByState) {
  window.runTo(0.8);
  const auto shown = window.session().moment().shown();
  ASSERT_FALSE(shown->contacts.empty());
  window.session().focus().select(selectionOf(pairOfContact(window, 0)));
  QTest::keyClick(&*window, Qt::Key_N);
  ASSERT_EQ(plots().strips().size(), 3u);
  ASSERT_TRUE(eventually([&] { return isFilled() && line(2).values; }));
  EXPECT_EQ(line(2, 1).role, PlotRole::Normal);
  double sum = 0;
  for (const Contact& contact : shown->contacts) sum += contact.normalForce();
  EXPECT_NEAR(values(2, 1).value(shown->step), sum, 1e-9 * sum);
  EXPECT_EQ(values(2, 1).value(0), 0);
  ASSERT_TRUE(line(2, 2).slipping);
  EXPECT_LT(line(2, 2).slipping->value(shown->step), 0.5);
}

TEST_F(PinnedCrate, StaysPinnedWhenTheSceneIsEdited) {
  window.runTo(0.3);
  const auto before = window.session().model();
  window.session().editor().addBody("ball", shape::Sphere{0.03});
  ASSERT_TRUE(eventually([&] { return window.session().model() != before; }));
  ASSERT_EQ(window.session().pinBoard().pins().size(), 1u);
  const auto& bodies = window.session().model()->tree.bodies;
  EXPECT_EQ(bodies[static_cast<std::size_t>(window.session().pinBoard().pins()[0].index)].name,
            before->tree.bodies.back().name);
  window.runTo(0.5);
  ASSERT_TRUE(eventually([&] { return isFilled(); }));
  EXPECT_TRUE(std::isfinite(values(0).value(1)));  // bodies have one name in both models: the curve goes on
}

}  // namespace
}  // namespace slipstick::ui

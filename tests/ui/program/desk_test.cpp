// An hour at the desk in one go, as a person's hands do it, with the real stepper and the real window: plots, live edits,
// pulls, branches, loops.
#include <QScrollArea>
#include <QTableView>
#include <QTreeWidget>

#include "tests/ui/program/person.h"
#include "ui/contacts_panel.h"
#include "ui/playback.h"
#include "ui/plot_list.h"
#include "ui/plots_panel.h"
#include "ui/scene_panel.h"

namespace slipstick::ui {
namespace {

using testing::chooseFromMenu;
using testing::dragOver;
using testing::sendMouse;

struct Desk : Studio {
  TimelineBar& bar() { return window.timeline().bar(); }

  /// Plays and pauses by the space bar.
  void playTo(double time) {
    QTest::keyClick(&window, Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return session().moment().newestTime() >= time; }));
    QTest::keyClick(&window, Qt::Key_Space);
    ASSERT_TRUE(eventually([&] { return !session().run().status().playing && session().moment().isLive(); }));
    ASSERT_TRUE(
        eventually([&] { return session().moment().shown()->time == session().moment().newestTime(); }));
  }
  void clickContacts(const QString& pair) {
    auto& panel = window.panel<ContactsPanel>();
    ASSERT_TRUE(eventually([&] { return panel.table().rowCount() > 0; }));
    for (int row = 0; row < panel.table().rowCount(); ++row) {
      const QModelIndex index = panel.table().index(row, ContactTable::Pair);
      if (!panel.table().row(row).isSum || !panel.table().pairName(panel.table().row(row)).contains(pair))
        continue;
      panel.view().scrollTo(index);
      const QPoint at = panel.view().visualRect(index).center();
      return QTest::mouseClick(panel.view().viewport(), Qt::LeftButton, {}, at);
    }
    FAIL() << "no contacts of " << pair.toStdString();
  }
  void clickInTree(const std::string& body) {
    QTreeWidget& tree = window.panel<ScenePanel>().tree();
    const QString name = QString::fromStdString(body).section('.', -1),
                  robot = QString::fromStdString(body).section('.', 0, 0);
    for (QTreeWidgetItem* item : tree.findItems(name, Qt::MatchExactly | Qt::MatchRecursive)) {
      if (!item->parent() || item->parent()->text(0) != robot) continue;
      tree.scrollToItem(item);
      return QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualItemRect(item).center());
    }
    FAIL() << "the tree has no " << body;
  }
  void dragFactToPlots(const char* label) {
    QWidget* fact = window.panel<Inspector>().factWidget(label);
    ASSERT_NE(fact, nullptr) << label;
    for (QWidget* parent = fact->parentWidget(); parent; parent = parent->parentWidget())
      if (auto* area = qobject_cast<QScrollArea*>(parent)) area->ensureWidgetVisible(fact);
    auto& plots = window.panel<PlotsPanel>();
    testing::dragAndDrop(*fact, fact->rect().center(), plots, QPoint(plots.width() / 2, 14));  // not into one
  }
  void type(NumberField& field, const char* text) {
    QTest::mouseDClick(&field, Qt::LeftButton);
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
  }
  /// Of a plotted curve over the whole run.
  std::vector<double> plotted(const std::string& name) {
    const RunColumns run = session().moment().source().columns();
    return run.values(name, run.firstStep(), run.endStep());
  }
  QPointF onBar(double time) { return {bar().xOf(time), 20}; }

  /// With the hand at a point of the picture, upwards or sideways, while the simulation plays a little.
  /// @return what the pull was [N]
  Vec3 pull(const Eigen::Vector3f& at, const QPointF& by, const std::function<bool()>& isGripped) {
    settle();
    const QPointF from = pixelOf(at);
    sendMouse(viewport(), QEvent::MouseButtonPress, from, Qt::RightButton, Qt::RightButton,
              Qt::ControlModifier);
    EXPECT_TRUE(eventually(isGripped)) << "the hand finds it";
    sendMouse(viewport(), QEvent::MouseMove, from + by, Qt::NoButton, Qt::RightButton, Qt::ControlModifier);
    playTo(session().moment().newestTime() + 0.002);
    const Vec3 force = session().moment().shown()->pullForce;
    sendMouse(viewport(), QEvent::MouseButtonRelease, from + by, Qt::RightButton, Qt::NoButton,
              Qt::ControlModifier);
    return force;
  }
  /// The end of a branch. The step that was under way when the run was paused came after it.
  bool isShown(BranchId branch, double end) {
    return session().moment().shownBranch() == branch &&
           std::abs(session().moment().shown()->time - end) < 5e-4;
  }
  void openBranchMenu() {
    QTest::mouseClick(&window.timeline().branchButton(), Qt::LeftButton);
    ASSERT_TRUE(eventually([] { return QApplication::activePopupWidget() != nullptr; }));
  }
};

TEST_F(Desk, EditsSlipPlotsHandsAndBranches) {
  playTo(0.1);  // until what swings after the first touch has come to rest
  // Pin a pair: its plots come.
  clickContacts("left.panel");
  ASSERT_TRUE(std::holds_alternative<ContactPair>(session().focus().selection()));
  const std::string sides = sidesOf(std::get<ContactPair>(session().focus().selection()), *session().model());
  QTest::keyClick(&window, Qt::Key_N);
  auto& plots = window.panel<PlotsPanel>();
  ASSERT_TRUE(eventually([&] { return plots.isVisible() && !plots.strips().empty(); }));
  // A joint's force is dragged in from the inspector.
  clickInTree("left.panel");
  const int panel = session().model()->findJoint("left.slide") + 1;
  ASSERT_EQ(session().focus().selection(), render::Selection(render::SelectedBody{panel}));
  const std::size_t before = plots.strips().size();
  dragFactToPlots("actuator");
  ASSERT_EQ(plots.strips().size(), before + 1);
  EXPECT_EQ(session().plots().plots().back().curves.front().name, "left.slide.tau");

  // Less friction: slip begins where it was edited.
  const std::size_t edited = plotted(sides + ".slipping").size();
  EXPECT_EQ(plotted(sides + ".slipping").back(), 0) << "it holds";
  QTest::keyClick(&window, Qt::Key_Escape);
  NumberField* friction = window.panel<Inspector>().parameterField("contact.friction");
  ASSERT_NE(friction, nullptr);
  type(*friction, "0.05");
  playTo(0.14);
  const std::vector<double> slipping = plotted(sides + ".slipping");
  const auto at = slipping.begin() + static_cast<std::ptrdiff_t>(edited);
  EXPECT_GT(*std::max_element(at, slipping.end()), 0.5) << "it slips";
  EXPECT_EQ(*std::max_element(at - 100, at), 0) << "and did not before";
  EXPECT_TRUE(window.timeline().eventsText(0.1, session().moment().newestTime()).contains("slips"));
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(session().numbers().parameter("contact.friction"), ParameterValue{0.8});

  // A hand at the front of the cube, which is soft, then at the panel that stands before it to the right.
  const DeformableFacts& cube = session().moment().shown()->deformables[0];
  const Vec3 front(cube.center.x() - 0.02, cube.lower.y(), cube.center.z() + 0.03);
  EXPECT_GT(
      pull(front.cast<float>(), {0, -80},
           [&] { return std::holds_alternative<render::SelectedDeformable>(session().focus().selection()); })
          .z(),
      0);
  const int right = session().model()->findJoint("right.slide") + 1;
  const Eigen::Vector3f back =
      session().moment().shown()->X_WB[static_cast<std::size_t>(right)].p.cast<float>();
  EXPECT_GT(
      pull(back, {80, 0},
           [&] { return session().focus().selection() == render::Selection(render::SelectedBody{right}); })
          .x(),
      0);
  const double end = session().moment().newestTime();

  // Going on from the past makes a branch, which gets a name; both can be looked at.
  QTest::mouseClick(&bar(), Qt::LeftButton, {}, onBar(0.03).toPoint());
  EXPECT_FALSE(session().moment().isLive());
  QTest::mouseClick(&window.timeline().resumeButton(), Qt::LeftButton);
  ASSERT_TRUE(
      eventually([&] { return session().moment().isLive() && !session().transport().isGoingBack(); }));
  ASSERT_EQ(session().moment().branches().size(), 2u);
  playTo(0.04);
  const double branchEnd = session().moment().newestTime();
  openBranchMenu();
  ASSERT_TRUE(chooseFromMenu(
      {"Rename", QString::fromStdString(session().moment().branches()[1].name) + QChar(0x2026)}));
  ASSERT_TRUE(testing::enterName("with grip"));
  ASSERT_TRUE(eventually([&] { return session().moment().branches()[1].name == "with grip"; }));
  openBranchMenu();
  ASSERT_TRUE(chooseFromMenu({"main,"}));
  ASSERT_TRUE(eventually([&] { return isShown(0, end); }));
  openBranchMenu();
  ASSERT_TRUE(chooseFromMenu({"with grip,"}));
  ASSERT_TRUE(eventually([&] { return isShown(1, branchEnd); }));

  // A range loops.
  dragOver(bar(), onBar(0.01), onBar(0.02), Qt::LeftButton, Qt::ShiftModifier);
  ASSERT_TRUE(session().marks().range());
  EXPECT_NEAR(session().marks().range()->from, 0.01, 2e-3);
  EXPECT_NEAR(session().marks().range()->to, 0.02, 2e-3);
  QTest::mouseClick(&window.timeline().loopButton(), Qt::LeftButton);
  for (int slower = 0; slower < 3; ++slower) QTest::keyClick(&window, Qt::Key_Minus);  // 0.1 s a round
  int rounds = 0;
  double shown = session().moment().shown()->time;
  QObject::connect(&session().moment(), &ShownMoment::shownChanged, &window, [&] {
    if (session().moment().shown()->time < shown) ++rounds;
    shown = session().moment().shown()->time;
  });
  QTest::keyClick(&window, Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return rounds > 2; }));
  EXPECT_LE(shown, session().marks().range()->to + 1e-9);
  QTest::keyClick(&window, Qt::Key_Space);
  EXPECT_FALSE(session().playback().isPlaying());
  EXPECT_EQ(session().moment().branches().size(), 2u);
  EXPECT_FALSE(window.banner().isVisible());
}

}  // namespace
}  // namespace slipstick::ui

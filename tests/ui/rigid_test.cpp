// Contacts between rigid bodies in the window: table, inspector, tree, toggle, CSV.
#include <gtest/gtest.h>

#include <QTest>

#include "render/selected_bodies.h"
#include "tests/render/frame_input.h"
#include "tests/ui/sample_studio.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

struct RigidWindow : ::testing::Test {
  testing::RigidWorld world = testing::rigidWorld();
  SampleWindow window{QSize(1300, 800), "crates"};

  void SetUp() override {
    window.runTo(1.0);
    ASSERT_TRUE(eventually([this] { return table().rowCount() > 0; }));
    table().refresh();
  }
  ContactTable& table() { return window->panel<ContactsPanel>().table(); }
  const Snapshot& shown() { return *window.session().moment().shown(); }
  QStringList pairsOfSums() {
    QStringList pairs;
    for (int i = 0; i < table().rowCount() && table().row(i).isSum; ++i)
      pairs << table().pairName(table().row(i));
    return pairs;
  }
  void select(std::size_t contact) { window.session().focus().select(shown().contacts[contact].key()); }
  QString fact(const QString& label) { return window->panel<Inspector>().factText(label); }
};

TEST_F(RigidWindow, TableSumsPerPairOfBodies) {
  const QString arrow = QString(" ") + QChar(0x2194) + " ";
  const QStringList pairs = pairsOfSums();
  EXPECT_EQ(pairs.size(), 4);
  EXPECT_TRUE(pairs.contains("lower" + arrow + "ground"));
  EXPECT_TRUE(pairs.contains("upper" + arrow + "lower"));
  EXPECT_TRUE(pairs.contains("ball" + arrow + "ground"));
  EXPECT_EQ(table().contacts(), 13);
  EXPECT_EQ(table().slipping(), 1);
  double load = 0;
  for (int i = 0; i < 4; ++i) load += shown().contacts[static_cast<std::size_t>(i)].normalForce();
  const auto row = static_cast<int>(pairs.indexOf("lower" + arrow + "ground"));
  EXPECT_NEAR(table().row(row).normalForce, load, 1e-9 * load);
  EXPECT_EQ(table().row(row).count, 4);
}

TEST_F(RigidWindow, AClickedRowIsTheContactInViewportInspectorAndTree) {
  QTableView& view = window->panel<ContactsPanel>().view();
  const int row = table().find(shown().contacts[6].key());
  ASSERT_GE(row, 4);
  view.scrollTo(table().index(row, 0));
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(table().index(row, 0)).center());
  const Contact* contact = window.session().focus().selectedContact();
  ASSERT_NE(contact, nullptr);
  EXPECT_EQ(contact->key(), shown().contacts[6].key());
  EXPECT_EQ(fact("state"), "sticks");
  ASSERT_NE(window->panel<ScenePanel>().tree().currentItem(), nullptr);
  EXPECT_EQ(window->panel<ScenePanel>().tree().currentItem()->text(0), "upper");
}

TEST_F(RigidWindow, InspectorSaysWhyARigidContactSticksAndHowItCreeps) {
  select(0);
  EXPECT_EQ(fact("friction used"), "40.0");
  EXPECT_EQ(fact("friction μ"), "0.500");
  const double creep_mm = 1e3 * window.session().model()->rigidSolver.stictionSpeed * 0.4 / std::sqrt(0.84);
  EXPECT_EQ(fact("creep"), QString::fromUtf8("≤ ") + significant(creep_mm));
  EXPECT_EQ(fact("area"), "144");
  EXPECT_EQ(fact("representation"), "compliant");
  EXPECT_EQ(fact("modulus"), "20.0");
  select(12);
  EXPECT_EQ(fact("state"), "slips");
  EXPECT_EQ(fact("slip speed"), "100");
  EXPECT_EQ(fact("creep"), QString(QChar(0x2013)));
  EXPECT_EQ(fact("area"), "");  // a point has none
  EXPECT_EQ(fact("representation"), "points");
}

TEST_F(RigidWindow, BodiesListTheirSurfaceTheirLoopsAndTheContactsOfBothSides) {
  const render::Selection upper = render::SelectedBody{world.upper};
  window.session().focus().select(upper);
  EXPECT_EQ(fact("stick"), "4");  // it is the other side of all four
  EXPECT_EQ(window.session().numbers().friction(world.geometryOf(world.upper)), 0.5);
  window.session().numbers().editParameter(frictionPath(*world.model, world.geometryOf(world.upper)), {0.2});
  EXPECT_EQ(window.session().numbers().friction(world.geometryOf(world.upper)), 0.2);
  EXPECT_EQ(fact("held to"), "ball");
  const auto at = [&](int body) { return shown().X_WB[static_cast<std::size_t>(body)].p; };
  const double gap_mm = 1e3 * std::abs((at(world.upper) - at(world.ball)).norm() - 0.2);
  EXPECT_EQ(fact("gap"), significant(gap_mm));
}

TEST_F(RigidWindow, TreeListsLoopsAndAClickSelectsOne) {
  QTreeWidget& tree = window->panel<ScenePanel>().tree();
  const auto items = tree.findItems("tether", Qt::MatchExactly | Qt::MatchRecursive);
  ASSERT_EQ(items.size(), 1);
  QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.visualItemRect(items[0]).center());
  EXPECT_EQ(window.session().focus().selection(), render::Selection(render::SelectedLoop{0}));
  EXPECT_EQ(fact("holds"), window.session().names().bodyLabels()[static_cast<std::size_t>(world.upper)]);
  EXPECT_EQ(fact("to"), "ball");
  EXPECT_FALSE(fact("gap").isEmpty());
  EXPECT_EQ(tree.currentItem(), items[0]);
  const std::vector<bool> outlined =
      render::selectedBodies(*world.model, window.session().focus().selection());
  EXPECT_TRUE(outlined[static_cast<std::size_t>(world.upper)]);
}

TEST_F(RigidWindow, TheSelectedRowStaysInSightWhenTheTreeShrinks) {
  QTreeWidget& tree = window->panel<ScenePanel>().tree();
  const QList<QTreeWidgetItem*> loops = tree.findItems("tether", Qt::MatchExactly | Qt::MatchRecursive);
  ASSERT_EQ(loops.size(), 1);
  tree.setCurrentItem(loops[0]);
  const int row = tree.visualItemRect(loops[0]).height();
  ASSERT_GT(tree.viewport()->height(), 3 * row);
  tree.resize(tree.width(), 2 * row);
  EXPECT_TRUE(tree.viewport()->rect().contains(tree.visualItemRect(loops[0])));
}

TEST_F(RigidWindow, TheContactKeyChangesWhatIsDrawnOfContact) {
  Viewport& viewport = window->viewport();
  const auto picture = [&] {
    EXPECT_TRUE(eventually([&] { return viewport.isSettled() && viewport.paintedStep() == shown().step; }));
    return viewport.picture()->image.copy();
  };
  const QImage with = picture();
  ASSERT_EQ(window.session().focus().view().contactView, render::ContactView::Automatic);
  QTest::keyClick(&*window, Qt::Key_C);
  EXPECT_EQ(window.session().focus().view().contactView, render::ContactView::Pairs);
  const QImage without = picture();
  int different = 0;
  for (int y = 0; y < with.height(); y += 2)
    for (int x = 0; x < with.width(); x += 2) different += with.pixel(x, y) != without.pixel(x, y);
  EXPECT_GT(different, 500);
}

TEST_F(RigidWindow, AClickOnAnArrowSelectsWhatItSums) {
  Viewport& viewport = window->viewport();
  ASSERT_TRUE(eventually([&] { return viewport.isSettled() && viewport.paintedStep() == shown().step; }));
  const std::vector<render::Arrow>& arrows = viewport.picture()->request.frame->contact->arrows;
  const auto arrow = std::find_if(arrows.begin(), arrows.end(), [&](const render::Arrow& a) {
    return a.body == world.lower && a.vector.z() > 0.01f && std::holds_alternative<ContactPair>(a.selects);
  });
  ASSERT_NE(arrow, arrows.end());
  const ContactPair pair = std::get<ContactPair>(arrow->selects);
  const Eigen::Vector3f p = arrow->from + 0.6f * arrow->vector;
  const auto& camera = viewport.camera();
  const Eigen::Vector4f clip = camera.projection(static_cast<double>(viewport.width()) / viewport.height()) *
                               camera.view() * p.homogeneous();
  const QPoint pixel(static_cast<int>((clip.x() / clip.w() + 1) / 2 * static_cast<float>(viewport.width())),
                     static_cast<int>((1 - clip.y() / clip.w()) / 2 * static_cast<float>(viewport.height())));
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, pixel);
  ASSERT_TRUE(eventually([&] { return window.session().focus().selection() == render::Selection(pair); }));
  EXPECT_GT(fact("normal").toDouble(), 0);
}

TEST(RigidContactsCsv, NamesBothSidesAndTheSurface) {
  const auto world = testing::rigidWorld();
  const auto snapshot = testing::rigidSnapshot(world, 1);
  const auto lines = contactsAsCsv(*world.model, *snapshot).trimmed().split('\n');
  ASSERT_EQ(lines.size(), 14);
  const auto names = lines[0].split(',');
  const auto value = [&](int line, const char* name) {
    const auto row = lines[line].split(',');
    EXPECT_EQ(row.size(), names.size());
    return row[names.indexOf(name)];
  };
  EXPECT_EQ(value(1, "geometry"), "ground");
  EXPECT_EQ(value(1, "other_body"), "lower.lower");
  EXPECT_EQ(value(1, "other_geometry"), "lower");
  EXPECT_EQ(value(1, "particle"), "");
  EXPECT_EQ(value(3, "point"), "2");
  EXPECT_NEAR(value(1, "patch_area [m^2]").toDouble(), 0.0144, 1e-8);
  EXPECT_EQ(value(5, "patch"), "1");
  EXPECT_EQ(value(13, "patch"), "");
  EXPECT_EQ(value(13, "patch_mean_pressure [Pa]"), "");
  EXPECT_EQ(value(13, "mode"), "slip");
}

}  // namespace
}  // namespace slipstick::ui

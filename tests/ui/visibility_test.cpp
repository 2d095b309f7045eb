// Things are hidden, shown and coloured: by the eye in the tree, by keys, in the inspector; undone, and marked.
#include <gtest/gtest.h>

#include <QTest>

#include "tests/ui/sample_studio.h"
#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

struct VisibleWindow : ::testing::Test {
  SampleWindow window{QSize(1100, 900)};
  Session& session = window.session();
  SceneDocument& document = session.document();
  ScenePanel& panel = window->panel<ScenePanel>();
  Inspector& inspector = window->panel<Inspector>();
  const int roller = testing::sampleWorld().roller;

  void selectRoller() { session.focus().select(render::SelectedBody{roller}); }
  bool isShown(int body) const { return document.looks()->body(body).visible; }
  QTreeWidgetItem* row(const QString& name) {
    const auto found = panel.tree().findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? nullptr : found.first();
  }
  void clickEye(const QString& name) {
    QTreeWidgetItem* item = row(name);
    ASSERT_NE(item, nullptr) << name.toStdString();
    panel.tree().scrollToItem(item);
    ASSERT_FALSE(panel.eyeOf(item).isEmpty()) << name.toStdString();
    QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, {}, panel.eyeOf(item).center());
  }
  /// What the viewport draws next.
  std::shared_ptr<const Looks> drawn() {
    EXPECT_TRUE(eventually([&] { return window->viewport().isSettled(); }));
    return window->viewport().picture()->request.frame->looks;
  }
};

TEST_F(VisibleWindow, AKeyHidesTheSelectionAndUndoShowsItAgain) {
  std::vector<QString> told;
  QObject::connect(&session.messages(), &Messages::told,
                   [&](LogLevel, const QString& text) { told.push_back(text); });
  selectRoller();
  QTest::keyClick(&*window, Qt::Key_H);
  EXPECT_FALSE(isShown(roller));
  EXPECT_FALSE(drawn()->body(roller).visible) << "the picture follows";
  EXPECT_TRUE(document.isEdited());
  EXPECT_TRUE(window->isWindowModified());
  EXPECT_TRUE(std::any_of(told.begin(), told.end(), [](const QString& text) {
    return text.contains("its contacts stay in the tables");
  }));
  EXPECT_FALSE(session.moment().shown()->contacts.empty());
  QTest::keyClick(&*window, Qt::Key_H);
  EXPECT_TRUE(isShown(roller));
  EXPECT_FALSE(document.isEdited()) << "as in the file";
  QTest::keyClick(&*window, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_FALSE(isShown(roller));
  QTest::keyClick(&*window, Qt::Key_H, Qt::ShiftModifier);
  EXPECT_TRUE(isShown(roller));
}

TEST_F(VisibleWindow, HidesAllButTheSelectionAndShowsEverything) {
  selectRoller();
  QTest::keyClick(&*window, Qt::Key_H, Qt::ControlModifier);
  const std::shared_ptr<const Looks> looks = document.looks();
  for (int body = 1; body < static_cast<int>(looks->bodies.size()); ++body)
    EXPECT_EQ(looks->body(body).visible, body == roller) << body;
  for (const LookSpec& look : looks->deformables) EXPECT_FALSE(look.visible);
  QTest::keyClick(&*window, Qt::Key_H, Qt::ShiftModifier);
  for (const LookSpec& look : document.looks()->bodies) EXPECT_TRUE(look.visible);
  session.undoStack().undo();
  session.undoStack().undo();
  EXPECT_FALSE(document.isEdited()) << "each is one step of undo";
  session.focus().select({});
  QTest::keyClick(&*window, Qt::Key_H);
  EXPECT_FALSE(document.isEdited()) << "nothing is meant";
}

TEST_F(VisibleWindow, TheEyeOfARowHidesItAndARobotTakesItsLinksAlong) {
  const Model& model = *session.model();
  const auto robot = std::find_if(model.robots.begin(), model.robots.end(),
                                  [](const Robot& r) { return r.endBody - r.firstBody > 1; });
  ASSERT_NE(robot, model.robots.end());
  const QString name = QString::fromStdString(robot->name);
  clickEye(name);
  for (int body = robot->firstBody; body < robot->endBody; ++body) EXPECT_FALSE(isShown(body));
  EXPECT_FALSE(std::holds_alternative<render::SelectedRobot>(session.focus().selection()))
      << "the eye does not select";
  clickEye(name);
  EXPECT_TRUE(isShown(robot->firstBody));
  row(name)->setExpanded(true);
  const int link = robot->endBody - 1;
  const QString own = QString::fromStdString(model.tree.bodies[static_cast<std::size_t>(link)].name);
  QTreeWidgetItem* item = row(name)->child(row(name)->childCount() - 1);
  ASSERT_EQ(item->text(0), own.section('.', -1));
  panel.tree().scrollToItem(item);
  QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, {}, panel.eyeOf(item).center());
  EXPECT_FALSE(isShown(link));
  EXPECT_TRUE(isShown(robot->firstBody));
}

TEST_F(VisibleWindow, TheInspectorSwitchesAndColoursAndGoesBackToTheFile) {
  selectRoller();
  LookFields* look = inspector.lookFields();
  ASSERT_NE(look, nullptr);
  EXPECT_TRUE(look->visible()->isChecked());
  EXPECT_FALSE(look->color()->color().isValid()) << "its shapes have their own";
  EXPECT_FALSE(look->visibleReset()->isVisible());
  look->visible()->setFocus();
  QTest::keyClick(look->visible(), Qt::Key_Return);
  EXPECT_FALSE(isShown(roller));
  EXPECT_TRUE(look->visibleReset()->isVisible());
  QTest::mouseClick(look->visibleReset(), Qt::LeftButton);
  EXPECT_TRUE(isShown(roller));

  look->setColor(QColor("#3366CC"), 77);
  look->setColor(QColor("#CC3333"), 77);
  EXPECT_EQ(look->color()->color(), QColor("#CC3333"));
  ASSERT_TRUE(document.looks()->body(roller).color);
  EXPECT_TRUE(look->colorReset()->isVisible());
  session.undoStack().undo();
  EXPECT_FALSE(document.looks()->body(roller).color) << "one gesture, one undo";
  session.undoStack().redo();
  QTest::mouseClick(look->colorReset(), Qt::LeftButton);
  EXPECT_FALSE(document.looks()->body(roller).color);
  session.focus().select({});
  EXPECT_EQ(inspector.lookFields(), nullptr) << "a scene has no look";
}

TEST(VisibleThings, DeformablesAndBoundariesHaveTheirOwn) {
  SampleWindow window(QSize(1000, 700), "soft");
  Session& session = window.session();
  const Model& model = *session.model();
  ASSERT_FALSE(model.boundaries.empty());
  session.focus().select(render::SelectedBoundary{0});
  QTest::keyClick(&*window, Qt::Key_H);
  EXPECT_FALSE(session.document().looks()->boundary(0).visible);
  session.focus().select(render::SelectedDeformable{1});
  LookFields* look = window->panel<Inspector>().lookFields();
  ASSERT_NE(look, nullptr);
  EXPECT_TRUE(look->color()->color().isValid()) << "a deformable has a colour";
  QTest::keyClick(&*window, Qt::Key_H);
  EXPECT_FALSE(session.document().looks()->deformable(1).visible);
  EXPECT_TRUE(session.document().looks()->deformable(0).visible);
}

}  // namespace
}  // namespace slipstick::ui

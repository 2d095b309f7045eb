// A robot file that is opened alone: it stands still, and a slider moves each joint.
#include "tests/support/test_paths.h"
#include "tests/ui/program/studio_fixture.h"
#include "ui/joints_panel.h"

namespace slipstick::ui {
namespace {

TEST_F(Studio, ARobotAloneStandsStillAndEachSliderMovesItsJoint) {
  session().opener().open(
      QString::fromStdString((testing::sourceDir() / "assets/robots/arm7.urdf").string()));
  ASSERT_TRUE(eventually([&] { return session().moment().isRobotViewer(); }));
  auto& panel = window.panel<JointsPanel>();
  ASSERT_TRUE(eventually([&] { return panel.isVisible(); }));
  EXPECT_EQ(session().focus().selection(), render::Selection(render::SelectedRobot{0}));
  EXPECT_EQ(fact("degrees of freedom"), "7");
  session().transport().runUntil(0.5);
  ASSERT_TRUE(eventually(
      [&] { return !session().run().status().playing && session().moment().shown()->time > 0.49; }));
  EXPECT_LT((session().moment().shown()->q - session().model()->initialQ).cwiseAbs().maxCoeff(), 1e-4);

  // Paused: moving a slider lets time go on until the joint has arrived.
  const multibody::Tree& tree = session().model()->tree;
  for (int joint = 0; joint < static_cast<int>(tree.joints.size()); ++joint) {
    Slider* slider = panel.slider(joint);
    if (!slider) continue;
    const double before = slider->number();
    slider->setFocus();
    for (int press = 0; press < 5; ++press) QTest::keyClick(slider, Qt::Key_Right);
    const double goal = slider->number();
    EXPECT_GT(goal, before);
    const int q = tree.joints[static_cast<std::size_t>(joint)].qStart;
    ASSERT_TRUE(eventually([&] {
      return !session().run().status().playing && session().moment().shown()->driven.size() == 7 &&
             std::abs(session().moment().shown()->q[q] - goal) < 1e-3;
    })) << tree.joints[static_cast<std::size_t>(joint)].name
        << " stands at " << session().moment().shown()->q[q];
    EXPECT_TRUE(eventually([&] { return std::abs(slider->number() - goal) < 1e-3; }))
        << "the panel follows a moment later";
  }
  session().moment().lookAtTime(0.2);
  QTest::keyClick(panel.slider(1), Qt::Key_Left);
  EXPECT_FALSE(session().run().status().playing) << "the past stands still";
}

}  // namespace
}  // namespace slipstick::ui

// The choice of a method in the window, with the real solvers.
#include <QAction>
#include <QMenu>

#include "tests/ui/program/studio_fixture.h"
#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

struct Method : Studio {
  QAction& action(const char* name) { return *window.findChild<QAction*>(QString("method_") + name); }
  void openMenu() { Q_EMIT window.findChild<QMenu*>("methods")->aboutToShow(); }
  void runTo(double time) {
    session().runUntil(time);
    ASSERT_TRUE(eventually([&] { return !session().status().playing; }));
    session().goLive();
  }
};

TEST_F(Method, IsShownAndChosenAndItsRunLiesOverTheOneBefore) {
  openMenu();
  EXPECT_TRUE(action("async").isChecked());
  EXPECT_TRUE(action("implicit").isEnabled());
  EXPECT_EQ(fact("method"), "async");
  runTo(0.01);
  const std::uint64_t before = session().shown()->stateHash;
  action("strong").trigger();
  ASSERT_TRUE(eventually([&] { return session().status().branch == 1u && session().shown()->step == 0; }));
  EXPECT_EQ(session().method(), "strong");
  runTo(0.01);
  ASSERT_TRUE(eventually([&] { return fact("method") == "strong"; }));
  EXPECT_NE(session().shown()->stateHash, before) << "another method, other bits";
  const std::vector<BranchFacts> branches = session().branches();
  ASSERT_EQ(branches.size(), 2u);
  EXPECT_EQ(branches[1].name, "strong");

  // What was simulated under the other one is still there, says what it is, and goes on as what it is.
  session().lookAtBranch(0);
  ASSERT_TRUE(eventually([&] { return fact("method") == "async"; }));
  EXPECT_EQ(session().shown()->stateHash, before);
  session().resumeFromHere();
  ASSERT_TRUE(eventually([&] { return session().isLive(); }));
  EXPECT_EQ(session().method(), "async");
  openMenu();
  EXPECT_TRUE(action("async").isChecked());
  EXPECT_FALSE(session().document().isEdited())
      << "the file names no method, and none is in force but the first";
}

TEST_F(Method, ThatCannotStepTheSceneSaysWhy) {
  session().open("laundry");
  ASSERT_TRUE(eventually([&] { return session().isOpen() && session().model()->name == "laundry"; }));
  openMenu();
  EXPECT_FALSE(action("implicit").isEnabled());
  EXPECT_TRUE(action("implicit").toolTip().contains("cloth"));
  EXPECT_TRUE(action("strong").isEnabled());
  session().chooseMethod("implicit");
  EXPECT_EQ(session().method(), "async");
  EXPECT_EQ(logCount(window, "cloth"), 1);
}

}  // namespace
}  // namespace slipstick::ui

// Companions of shipped scenes under the real methods.
#include <QAction>

#include "tests/ui/program/studio_fixture.h"
#include "ui/companions.h"
#include "ui/companions_panel.h"

namespace slipstick::ui {
namespace {

struct RealCompanions : Studio {
  CompanionsPanel& panel() { return window.panel<CompanionsPanel>(); }
  const std::vector<Companions::Entry>& all() { return session().companions().all(); }
  void open(const QString& scene) {
    session().opener().open(scene);
    ASSERT_TRUE(
        eventually([&] { return session().isOpen() && session().model()->name == scene.toStdString(); }));
  }
  std::size_t ghosts() {
    const auto picture = viewport().picture();
    return picture ? picture->request.frame->ghosts.size() : 0;
  }
  void addThree() {
    for (int i = 0; i < 3; ++i) window.findChild<QAction*>("add_companion")->trigger();
    ASSERT_EQ(all().size(), 3u);
  }
  void runTo(double time) {
    session().transport().runUntil(time);
    ASSERT_TRUE(eventually([&] { return !session().run().status().playing; }));
    session().moment().goLive();
    const std::uint64_t step = session().run().status().lastStep;
    for (std::size_t i = 0; i < all().size(); ++i)
      ASSERT_TRUE(eventually([&] { return all()[i].status.step == step || all()[i].status.isOver; }))
          << all()[i].status.error;
  }
  /// They are beside the run, live and scrubbed, and one goes on as the run.
  void expectToFollowAndTakeOver() {
    addThree();
    const double dt = session().model()->time.dt;
    runTo(4 * dt);
    ASSERT_TRUE(eventually([&] { return ghosts() == 3; }));
    session().moment().lookAtStep(2);
    ASSERT_TRUE(eventually([&] { return viewport().paintedStep() == 2u && ghosts() == 3; }));
    for (const Companions::Entry& entry : all())
      EXPECT_EQ(entry.run->along(session().moment().shownBranch())->at(2)->step, 2u) << entry.settings.method;
    const std::string method = all()[0].settings.method;
    const std::uint64_t hash = all()[0].run->along(0)->latest()->stateHash;
    QTest::mouseClick(&panel().rows()[0]->takeOverButton(), Qt::LeftButton);
    ASSERT_TRUE(
        eventually([&] { return session().run().status().branch == 1u && session().moment().isLive(); }));
    EXPECT_EQ(session().run().simulation().latest()->stateHash, hash);
    EXPECT_EQ(session().methods().method().toStdString(), method);
    runTo(6 * dt);
    EXPECT_EQ(session().run().status().error, "");
    EXPECT_EQ(all()[1].status.step, 6u);
    EXPECT_EQ(all()[1].status.notice, "") << "it goes on from its own state";
  }
};

TEST_F(RealCompanions, OfHold) {
  expectToFollowAndTakeOver();
}

TEST_F(RealCompanions, OfStack) {
  open("stack");
  expectToFollowAndTakeOver();
}

TEST_F(RealCompanions, UnderAnotherMethodAreDrawnInTheSameScene) {
  addThree();
  const std::string method = all()[0].settings.method;
  EXPECT_NE(method, session().methods().method().toStdString());
  session().companions().chooseMethod(all()[1].id, session().methods().method().toStdString());
  runTo(2 * session().model()->time.dt);
  if (session().run().status().runsOn.starts_with("CPU")) {  // others need not give the same bits again
    EXPECT_EQ(all()[1].run->along(0)->latest()->stateHash, session().moment().shown()->stateHash)
        << "equal settings, equal states";
  }
  EXPECT_NE(all()[0].run->along(0)->latest()->stateHash, session().moment().shown()->stateHash);
  ASSERT_TRUE(eventually([&] { return ghosts() == 3; }));
}

}  // namespace
}  // namespace slipstick::ui

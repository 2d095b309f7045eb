// An hour at the desk in one go, with the real stepper and the real window: plots, live edits, hands, branches, loops.
#include <QDropEvent>
#include <QMimeData>

#include "tests/ui/program/studio_fixture.h"
#include "ui/playback.h"
#include "ui/plot_list.h"
#include "ui/plots_panel.h"

namespace slipstick::ui {
namespace {

struct Desk : Studio {
  void runTo(double time) {
    session().runUntil(time);
    const double dt = session().model()->time.dt;
    ASSERT_TRUE(
        eventually([&] { return !session().status().playing && session().newestTime() > time - dt; }));
    ASSERT_TRUE(eventually([&] { return session().shown()->time > time - dt; }));
  }
  void drop(QWidget& onto, const std::vector<Plot>& plots) {
    const std::unique_ptr<QMimeData> mime(mimeOf(plots));
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, mime.get(), Qt::LeftButton, {});
    QCoreApplication::sendEvent(&onto, &enter);
    QDropEvent event(QPointF(40, 40), Qt::CopyAction, mime.get(), Qt::LeftButton, {});
    QCoreApplication::sendEvent(&onto, &event);
  }
  void type(NumberField& field, const char* text) {
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, text);
    QTest::keyClick(&field, Qt::Key_Return);
  }
  /// Of a plotted curve over the whole run.
  std::vector<double> plotted(const std::string& name) {
    const RunColumns run = session().source().columns();
    return run.values(name, run.firstStep(), run.endStep());
  }
};

TEST_F(Desk, EditsSlipPlotsHandsAndBranches) {
  runTo(0.02);
  // Pin a pair: its plots come.
  session().selectByName("left.panel+cube");
  ASSERT_TRUE(session().selection().pair);
  QTest::keyClick(&window, Qt::Key_N);
  auto& plots = window.panel<PlotsPanel>();
  ASSERT_TRUE(eventually([&] { return plots.isVisible() && !plots.strips().empty(); }));
  // A joint's torque is dragged in.
  const std::size_t before = plots.strips().size();
  drop(plots, {plotOf("left.slide.tau", "N")});
  ASSERT_EQ(plots.strips().size(), before + 1);

  // Less friction: slip begins where it was edited.
  const std::string sides = sidesOf(*session().selection().pair, *session().model());
  const std::size_t edited = plotted(sides + ".slipping").size();
  EXPECT_EQ(plotted(sides + ".slipping").back(), 0) << "it holds";
  render::Selection scene;
  session().select(scene);
  NumberField* friction = window.panel<Inspector>().parameterField("contact.friction");
  ASSERT_NE(friction, nullptr);
  type(*friction, "0.05");
  runTo(0.06);
  const std::vector<double> slipping = plotted(sides + ".slipping");
  EXPECT_GT(slipping.back(), 0) << "it slips";
  const auto at = slipping.begin() + static_cast<std::ptrdiff_t>(edited);
  EXPECT_EQ(*std::max_element(at - 50, at), 0) << "and did not before";
  EXPECT_TRUE(window.timeline().eventsText(0.02, 0.06).contains("slips"));
  QTest::keyClick(&window, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(session().parameter("contact.friction"), ParameterValue{0.8});

  // A hand at the cube, which is soft, then at a panel.
  session().post(
      Pull{.particle = 5, .goal_W = session().shown()->particles[5].cast<double>() + Vec3(0, 0, 0.05)});
  runTo(0.062);
  EXPECT_GT(session().shown()->pullForce.z(), 0);
  session().post(Release{});
  const int panel = session().model()->findJoint("left.slide") + 1;
  const Pose& X_WB = session().shown()->X_WB[static_cast<std::size_t>(panel)];
  session().post(Pull{.body = panel, .goal_W = X_WB.p - Vec3(0.05, 0, 0)});
  runTo(0.064);
  EXPECT_LT(session().shown()->pullForce.x(), 0);
  session().post(Release{});

  // Going on from the past makes a branch, which gets a name; both can be looked at.
  session().lookAtTime(0.03);
  QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
  ASSERT_TRUE(eventually([&] { return session().isLive() && !session().isGoingBack(); }));
  ASSERT_EQ(session().branches().size(), 2u);
  runTo(0.04);
  const BranchId branch = session().status().branch;
  session().renameBranch(branch, "with grip");
  session().lookAtBranch(0);
  EXPECT_NEAR(session().shown()->time, 0.064, 2e-4);
  session().lookAtBranch(branch);
  EXPECT_NEAR(session().shown()->time, 0.04, 2e-4);
  EXPECT_EQ(session().branches()[1].name, "with grip");

  // A range loops.
  session().setRange(TimeRange{0.01, 0.02});
  session().playback().setLoops(true);
  session().setSpeed(std::numeric_limits<double>::infinity());
  QTest::keyClick(&window, Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return session().shown()->time < 0.0201; }));
  QTest::keyClick(&window, Qt::Key_Space);
  EXPECT_FALSE(session().playback().isPlaying());
  EXPECT_EQ(session().branches().size(), 2u);
  EXPECT_FALSE(window.banner().isVisible());
}

}  // namespace
}  // namespace slipstick::ui

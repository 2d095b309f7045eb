// Pulling and turning with the pointer in the window, with the real stepper: what is held comes to rest under a pointer
// that rests, what the hand gives is said in newtons, and the past is left alone.
#include "tests/ui/program/studio_fixture.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

struct Pulling : Studio {
  QPoint pressedAt;
  Qt::MouseButton held = Qt::NoButton;

  void open(const QString& scene) {
    session().opener().open(scene);
    ASSERT_TRUE(eventually([&] {
      return !session().opener().isLoading() && session().isOpen() &&
             session().model()->name == scene.toStdString() && session().moment().shown()->step == 0;
    }));
    session().transport().setSpeed(std::numeric_limits<double>::infinity());
    settle();
  }
  void runTo(double time) {
    session().transport().runUntil(time);
    const double dt = session().model()->time.dt;
    ASSERT_TRUE(eventually(
        [&] { return !session().run().status().playing && session().moment().shown()->time > time - dt; }));
    settle();
  }
  void press(Qt::MouseButton button, const Vec3& p_W) {
    held = button;
    pressedAt = pixelOf(p_W.cast<float>());
    QTest::mousePress(&viewport(), button, Qt::ControlModifier, pressedAt);
  }
  void moveBy(int right, int down) {
    const QPointF at = pressedAt + QPointF(right, down);
    for (const double part : {0.3, 0.6, 1.0}) {
      const QPointF now = pressedAt + part * (at - pressedAt);
      QMouseEvent move(QEvent::MouseMove, now, viewport().mapToGlobal(now), Qt::NoButton, held,
                       Qt::ControlModifier);
      QCoreApplication::sendEvent(&viewport(), &move);
    }
  }
  void release() { QTest::mouseRelease(&viewport(), held, Qt::ControlModifier, pressedAt); }
  bool holds() { return !viewport().pullText().isEmpty(); }
  Vec3 middle(int body) { return session().moment().shown()->X_WB[static_cast<std::size_t>(body)].p; }
};

TEST_F(Pulling, ABoxComesToRestUnderAPointerThatRests) {
  open("stack");
  const int box = session().model()->findBody("box_10");
  const auto b = static_cast<std::size_t>(box);
  press(Qt::RightButton, middle(box) + Vec3(0.04, -0.1, 0.03));  // on a face, beside its middle
  ASSERT_TRUE(eventually([&] { return holds(); }));
  EXPECT_EQ(session().focus().selection(), render::Selection(render::SelectedBody{box}));
  moveBy(130, -60);
  runTo(2.5);
  const Snapshot& s = *session().moment().shown();
  EXPECT_GT(
      (s.X_WB[b].p - session().model()->initialQ.segment<3>(session().model()->tree.joints[b - 1].qStart))
          .norm(),
      0.2)
      << "it was pulled away";
  EXPECT_LT(s.V_WB[b].v.norm(), 0.05) << "once it kept 3 m/s";
  EXPECT_LT(s.V_WB[b].w.norm(), 0.5) << "once it kept 37 rad/s";
  const double weight = session().model()->tree.bodies[b].mass * 9.81;
  EXPECT_NEAR(s.pullForce.z(), weight, 0.02 * weight) << "it hangs";
  EXPECT_EQ(viewport().pullText(), QString("%1 N").arg(significant(s.pullForce.norm())));
  release();
  EXPECT_FALSE(holds());
  runTo(2.6);
  EXPECT_LT(session().moment().shown()->V_WB[b].v.z(), -0.5) << "let go, it falls";
}

TEST_F(Pulling, TheOtherButtonTurnsABodyWithATorque) {
  open("stack");
  const int box = session().model()->findBody("box_10");
  const auto b = static_cast<std::size_t>(box);
  press(Qt::LeftButton, middle(box) + Vec3(0, -0.1, 0));
  ASSERT_TRUE(eventually([&] { return holds(); }));
  moveBy(150, 0);
  runTo(0.05);
  EXPECT_GT(session().moment().shown()->twistTorque.norm(), 0);
  EXPECT_TRUE(viewport().pullText().endsWith(" N m")) << viewport().pullText().toStdString();
  runTo(2);
  const Mat3& R = session().moment().shown()->X_WB[b].R;
  EXPECT_GT(std::abs(std::atan2(R(1, 0), R(0, 0))), 0.2) << "about the vertical, for the drag went sideways";
  EXPECT_LT(session().moment().shown()->V_WB[b].w.norm(), 0.5);
  release();
}

TEST_F(Pulling, ParticlesFollowThePointerToo) {
  open("hold");
  press(Qt::RightButton, Vec3(0, -0.05, 0.17));
  ASSERT_TRUE(eventually([&] { return holds(); }));
  EXPECT_EQ(session().focus().selection(), render::Selection(render::SelectedDeformable{0}));
  moveBy(0, -120);
  runTo(0.03);
  EXPECT_GT(session().moment().shown()->pullForce.z(), 0);
  EXPECT_TRUE(viewport().pullText().endsWith(" N"));
  release();
}

TEST_F(Pulling, ArrowsAreNoneOfWhatAHandHolds) {
  open("hold");
  runTo(0.05);
  ASSERT_FALSE(drawn().arrows.empty());
  for (const render::Arrow& arrow : drawn().arrows) {
    press(Qt::RightButton, (arrow.from + 0.5f * arrow.vector).cast<double>());
    ASSERT_TRUE(eventually([&] { return holds(); })) << "of what it stands before";
    EXPECT_FALSE(std::holds_alternative<ContactPair>(session().focus().selection()));
    release();
  }
}

TEST_F(Pulling, ThePastIsRefusedWithAWord) {
  open("stack");
  runTo(0.2);
  session().moment().lookAtTime(0.1);
  settle();
  std::vector<QString> told;
  QObject::connect(&session().messages(), &Messages::told,
                   [&](LogLevel, const QString& text) { told.push_back(text); });
  press(Qt::RightButton, middle(session().model()->findBody("box_10")));
  EXPECT_TRUE(eventually([&] {
    return std::any_of(told.begin(), told.end(),
                       [](const QString& text) { return text.contains("The past cannot be pulled at"); });
  }));
  EXPECT_FALSE(holds());
  moveBy(100, 0);
  release();
  EXPECT_EQ(session().moment().shown()->pullForce, Vec3(0, 0, 0));
  EXPECT_EQ(session().moment().branches().size(), 1u);
}

}  // namespace
}  // namespace slipstick::ui

// Arms driven by hand in the window with the real stepper: keys, handles and devices move tools, and nothing else.
#include "ui/driving.h"

#include <cmath>

#include "tests/support/injected_device.h"
#include "tests/ui/program/studio_fixture.h"
#include "tests/ui/readable.h"
#include "ui/driving_panel.h"

namespace slipstick::ui {
namespace {

std::shared_ptr<testing::InjectedDevice> pad() {
  DeviceInfo info{"pad",      "Pad", DeviceKind::Gamepad, {"x", "y", "z", "roll", "pitch", "yaw"},
                  {"A", "B"}, false};
  return std::make_shared<testing::InjectedDevice>(std::move(info));
}

/// The services of the program, but for what is plugged in.
StudioServices withPad(const std::shared_ptr<testing::InjectedDevice>& device) {
  StudioServices services = app::studioServices(sceneOptions("arm7"));
  services.deviceDrivers = [device](const std::function<DeviceFeedback()>&) {
    StudioServices::Devices devices;
    devices.drivers.push_back(std::make_unique<testing::InjectedDriver>(
        std::vector<std::shared_ptr<testing::InjectedDevice>>{device}));
    return devices;
  };
  return services;
}

struct DrivenByHand : ::testing::Test {
  std::shared_ptr<testing::InjectedDevice> device = pad();
  MainWindow window{withPad(device), QSize(1500, 900), false};

  Session& session() { return window.session(); }
  Viewport& viewport() { return window.viewport(); }
  Driving& driving() { return session().driving(); }
  DrivingPanel& panel() { return window.panel<DrivingPanel>(); }
  Pose tool() {
    const auto shown = session().moment().shown();
    const multibody::Chain& chain = shown->model->effectors.front().chain;
    return shown->X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE;
  }
  void key(QEvent::Type type, Qt::Key key) {
    QWidget* focus = QApplication::focusWidget() ? QApplication::focusWidget() : &viewport();
    if (type == QEvent::KeyPress) QTest::keyPress(focus, key);
    if (type == QEvent::KeyRelease) QTest::keyRelease(focus, key);
  }
  void SetUp() override {
    window.show();
    session().opener().open("arm7");
    ASSERT_TRUE(eventually([&] { return session().isOpen(); }));
    QApplication::setActiveWindow(&window);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    viewport().setFocus();
    // Bent: stretched out straight up, it can only go down.
    for (const auto& [name, q] : {std::pair("joint_2", 0.6), {"joint_4", -1.6}, {"joint_6", 0.9}})
      session().joints().drive(session().model()->findJoint(std::string("arm7.") + name), q);
    session().transport().setSpeed(std::numeric_limits<double>::infinity());
    session().transport().runUntil(2);
    ASSERT_TRUE(eventually(
        [&] { return !session().run().status().playing && session().moment().shown()->time > 1.9; }));
    session().transport().setSpeed(1);
  }
  /// Steps go by that have seen all that was done until now.
  void stepOn(std::uint64_t steps = 20) {
    const std::uint64_t seen = session().run().status().lastStep + steps;
    ASSERT_TRUE(eventually([&] { return session().moment().shown()->step >= seen; }));
  }
  void drive() {
    QTest::keyClick(&viewport(), Qt::Key_D, Qt::ControlModifier);
    ASSERT_TRUE(driving().isOn());
    ASSERT_TRUE(eventually([&] { return panel().card("keyboard") && panel().card("pad"); }));
    session().transport().play();
  }
};

TEST_F(DrivenByHand, KeysThatAreHeldMoveTheToolAndNoShortcutSeesThem) {
  drive();
  const render::ViewOptions view = session().focus().view();
  const Pose start = tool();
  key(QEvent::KeyPress, Qt::Key_S);  // towards the base; in the studio S has another meaning
  ASSERT_TRUE(eventually([&] { return tool().p.x() < start.p.x() - 0.05; }));
  EXPECT_LT(panel().card("keyboard")->bar(Motion::X).value(), -0.9) << "its bar shows what it asks for";
  key(QEvent::KeyRelease, Qt::Key_S);
  ASSERT_TRUE(eventually([&] { return panel().stateOf(0) == "at its goal"; }));
  EXPECT_LT((tool().p - start.p).tail<2>().norm(), 2e-3) << "along one axis";
  EXPECT_EQ(session().focus().view(), view);
  EXPECT_TRUE(eventually([&] { return driving().delay().count > 0; })) << "from the key to the picture";
  EXPECT_TRUE(eventually([&] { return panel().delayText().contains("ms"); }));
}

TEST_F(DrivenByHand, WithoutTheModeKeysAreShortcutsAndTextIsText) {
  const Pose start = tool();
  session().transport().play();
  key(QEvent::KeyPress, Qt::Key_W);
  stepOn();
  key(QEvent::KeyRelease, Qt::Key_W);
  EXPECT_TRUE(session().moment().shown()->goals.empty()) << "driven, W would have given it a goal";
  EXPECT_LT((tool().p - start.p).norm(), 0.01);
  drive();
  Field* filter = nullptr;
  for (Field* field : window.findChildren<Field*>())
    if (field->isVisible() && !qobject_cast<NumberField*>(field)) filter = field;
  ASSERT_TRUE(filter);
  filter->setFocus();
  filter->selectAll();
  QTest::keyClicks(filter, "wasd");
  EXPECT_EQ(filter->text().toStdString(), "wasd") << "what is typed is not driven";
}

TEST_F(DrivenByHand, StopHoldsWhateverIsPressedOrSentUntilItIsResumed) {
  drive();
  EXPECT_EQ(panel().stopButton().text(), "Stop");
  key(QEvent::KeyPress, Qt::Key_A);
  const Pose start = tool();
  ASSERT_TRUE(eventually([&] { return tool().p.y() > start.p.y() + 0.03; }));
  key(QEvent::KeyPress, Qt::Key_Escape);
  key(QEvent::KeyRelease, Qt::Key_Escape);
  ASSERT_TRUE(eventually([&] { return driving().isStopped() && panel().stateOf(0) == "at its goal"; }));
  EXPECT_TRUE(eventually([&] { return panel().stopButton().text() == "Resume"; }));
  EXPECT_TRUE(panel().hint().startsWith("Stopped"));
  const Pose stopped = tool();
  const auto isHeld = [&] {
    stepOn();
    return driving().isStopped() && (tool().p - stopped.p).norm() < 2e-3;
  };
  EXPECT_TRUE(isHeld()) << "although A is still down";
  key(QEvent::KeyRelease, Qt::Key_A);
  for (const Qt::Key other : {Qt::Key_W, Qt::Key_S, Qt::Key_D, Qt::Key_Q, Qt::Key_E, Qt::Key_Z, Qt::Key_X,
                              Qt::Key_K, Qt::Key_Escape}) {
    key(QEvent::KeyPress, other);
    EXPECT_TRUE(isHeld()) << other;
    key(QEvent::KeyRelease, other);
  }
  device->setAxis("y", 1);
  EXPECT_TRUE(isHeld());
  // A handle of a goal under the pointer, the sliders of the panel, and the mode itself.
  driving().ask(Goal{0, stopped.p + Vec3(0, 0, 0.1), Quat(stopped.R)});
  EXPECT_TRUE(isHeld());
  EXPECT_EQ(logCount(window, "Stopped: Resume"), 1);
  QTest::mouseClick(&panel().driveButton(), Qt::LeftButton);
  QTest::mouseClick(&panel().driveButton(), Qt::LeftButton);
  ASSERT_TRUE(driving().isOn());
  EXPECT_TRUE(isHeld());

  QTest::mouseClick(&panel().stopButton(), Qt::LeftButton);
  EXPECT_FALSE(driving().isStopped());
  stepOn();
  EXPECT_LT((tool().p - stopped.p).norm(), 2e-3) << "the stick is still pushed: it must come to rest first";
  EXPECT_EQ(panel().stopButton().text(), "Stop");
  device->setAxis("y", 0);
  key(QEvent::KeyPress, Qt::Key_D);
  ASSERT_TRUE(eventually([&] { return tool().p.y() < stopped.p.y() - 0.03; }));
  key(QEvent::KeyRelease, Qt::Key_D);
  QTest::mouseClick(&panel().stopButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return panel().stopButton().text() == "Resume"; }));
  QTest::keyClick(&viewport(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_FALSE(driving().isStopped()) << "by its key";
}

TEST_F(DrivenByHand, AHandleIsDraggedAlongItsAxisAndTheArmFollows) {
  drive();
  ASSERT_TRUE(eventually([&] {
    return viewport().picture() && viewport().picture()->request.frame->goals.size() == 1 &&
           viewport().picture()->request.frame->goals[0].hasHandles;
  }));
  const Pose start = tool();
  const render::GoalMark mark = viewport().picture()->request.frame->goals[0];
  const render::Camera camera = viewport().camera();
  const render::Gizmo gizmo = render::gizmoAt(mark.X_WG, camera);
  const std::vector<Vec3> axis = render::outlineOf(gizmo, render::Handle::AxisZ);
  const auto pixel = [&](const Vec3& p) {
    const Eigen::Vector4f clip =
        camera.projection(static_cast<double>(viewport().width()) / viewport().height()) * camera.view() *
        p.cast<float>().homogeneous();
    return QPointF((clip.x() / clip.w() + 1) / 2 * static_cast<float>(viewport().width()),
                   (1 - clip.y() / clip.w()) / 2 * static_cast<float>(viewport().height()));
  };
  const Vec3 grip = 0.5 * (axis[0] + axis[1]), along = mark.X_WG.R.col(2);
  QTest::mousePress(&viewport(), Qt::LeftButton, {}, pixel(grip).toPoint());
  const QPointF to = pixel(grip - 0.08 * along);
  QMouseEvent move(QEvent::MouseMove, to, viewport().mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
  QCoreApplication::sendEvent(&viewport(), &move);
  QTest::mouseRelease(&viewport(), Qt::LeftButton, {}, to.toPoint());
  // The panel may tell of before the arm moved: what counts is where it comes to rest.
  const auto moved = [&]() -> Vec3 { return tool().p - start.p; };
  const auto beside = [&] { return (moved() - moved().dot(along) * along).norm(); };
  EXPECT_TRUE(eventually([&] {
    return std::abs(moved().dot(along) + 0.08) < 8e-3 && beside() < 2e-3 &&
           panel().stateOf(0) == "at its goal";
  })) << "as far as the pointer, to a pixel or two, along the axis, not by "
      << moved().transpose() << " m";
  EXPECT_EQ(viewport().camera().yaw, camera.yaw) << "the view has not turned";
  session().commands().post(Goal{0, Vec3(3, 0, 1), Quat(start.R)});
  EXPECT_TRUE(eventually([&] { return !viewport().picture()->request.frame->ghosts.empty(); }))
      << "a tool that is not at its goal is seen there, too";
}

TEST_F(DrivenByHand, ADeviceAppearsDrivesIsSetAndLost) {
  drive();
  DeviceCard& card = *panel().card("pad");
  card.invert(Motion::Y).click();
  ASSERT_TRUE(eventually([&] { return panel().card("pad")->use().map.of(Motion::Y).response.invert; }));
  const Pose start = tool();
  device->setAxis("y", 1);
  ASSERT_TRUE(eventually([&] { return tool().p.y() < start.p.y() - 0.03; })) << "inverted";
  device->unplug();
  ASSERT_TRUE(
      eventually([&] { return panel().card("pad") && panel().card("pad")->state().startsWith("gone"); }));
  ASSERT_TRUE(eventually([&] { return panel().stateOf(0) == "at its goal"; }));
  const Pose held = tool();
  stepOn();
  EXPECT_LT((tool().p - held.p).norm(), 2e-3);
  device->setAxis("y", 0);
  device->plug();
  ASSERT_TRUE(eventually([&] { return panel().card("pad") && panel().card("pad")->state().isEmpty(); }));
  EXPECT_TRUE(panel().card("pad")->use().map.of(Motion::Y).response.invert) << "it is used as before";
}

TEST_F(DrivenByHand, AllThatThePanelSaysIsReadInBothThemes) {
  drive();
  device->say({ErrorCode::DeviceFailure, "gives nothing back", "pad", "plug it in again"});
  key(QEvent::KeyPress, Qt::Key_S);
  ASSERT_TRUE(eventually([&] { return panel().delayText().contains("ms"); }));
  key(QEvent::KeyRelease, Qt::Key_S);
  session().transport().pause();
  ASSERT_TRUE(eventually([&] { return !panel().hint().isEmpty(); }));
  for (const Appearance appearance : {Appearance::Dark, Appearance::Light}) {
    applyTheme(appearance);
    const auto contrasts = testing::contrastsOfWords(*panel().findChild<QScrollArea*>()->widget());
    EXPECT_GT(contrasts.size(), 80u) << "two devices, a tool, and hints";
    for (const auto& [words, told] : contrasts) EXPECT_GE(told, testing::kReadable) << words;
  }
  applyTheme(Appearance::Dark);
}

TEST_F(DrivenByHand, ADriverThatFailsIsTriedAgainAndTheArmHoldsItsPoseMeanwhile) {
  drive();
  const Pose start = tool();
  device->setAxis("y", 1);
  ASSERT_TRUE(eventually([&] { return tool().p.y() > start.p.y() + 0.03; }));
  device->failWith([] { throw std::runtime_error("the cable burns"); }, 2);
  ASSERT_TRUE(
      eventually([&] { return panel().card("pad") && panel().card("pad")->state().startsWith("gone"); }));
  device->setAxis("y", 0);
  ASSERT_TRUE(eventually([&] { return panel().stateOf(0) == "at its goal"; }));
  const Pose held = tool();
  ASSERT_TRUE(eventually([&] { return panel().card("pad") && panel().card("pad")->state().isEmpty(); }));
  EXPECT_LT((tool().p - held.p).norm(), 2e-3);
  ASSERT_TRUE(eventually([&] { return logCount(window, "injected: works now") == 1; }));
  EXPECT_EQ(logCount(window, "the cable burns"), 1) << "it has failed twice";
  device->setAxis("y", -1);
  EXPECT_TRUE(eventually([&] { return tool().p.y() < held.p.y() - 0.03; }));
  device->setAxis("y", 0);
}

}  // namespace
}  // namespace slipstick::ui

// Cameras on bodies in the window: the view rides along until a person moves it.
#include <QFile>
#include <QTemporaryDir>

#include "render/framing.h"
#include "tests/ui/program/person.h"
#include "ui/device_card.h"
#include "ui/driving.h"
#include "ui/driving_panel.h"
#include "ui/scene_document.h"

namespace slipstick::ui {
namespace {

constexpr const char* kFalling = R"(title: a box falls past an arm
time: {dt_ms: 5, duration: 20}
bodies:
  floor: {shapes: [{shape: plane}]}
  post: {position: [0.5, -1.5, 0.6], shapes: [{shape: box, size: [0.02, 0.02, 0.02], collides: false}]}
  box: {base: free, position: [2, 0, 20], angular_velocity: [0.5, 0.2, 1], density: 500, shapes: [{shape: box, size: [0.1, 0.2, 0.3]}]}
robots:
  arm: {urdf: arm7, joints: {joint_2: 0.6, joint_4: -1.6, joint_6: 0.9}, hold: true}
cameras:
  still: {position: [2, -2, 1.5], target: [0, 0, 0.5]}
  rider: {body: box, position: [0.1, -0.6, 0.3], target: [0, 0, 0.1], up: [0, 0.2, 1]}
  aside: {body: post, position: [0, 0, 0], target: [0, 1, 0]}
)";

struct RidingStudio : Studio {
  QTemporaryDir folder;

  void SetUp() override {
    Studio::SetUp();
    open("falling", kFalling);
  }
  void open(const char* name, const QByteArray& text) {
    QFile file(folder.filePath(QString(name) + ".yaml"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    session().opener().open(file.fileName());
    ASSERT_TRUE(eventually([&] { return session().isOpen() && session().model()->name == name; }));
    ASSERT_EQ(session().model()->cameras.size(), 3u);
    viewport().setFocus();
  }
  const CameraSpec& camera(const char* name) {
    for (const CameraSpec& spec : session().model()->cameras)
      if (spec.name == name) return spec;
    ADD_FAILURE() << name;
    return session().model()->cameras.front();
  }
  /// How far the eye is from where the rider of the picture on the screen stands [m].
  double besideRider() {
    const Picture& picture = *viewport().picture();
    const Pose& X_WB =
        picture.request.frame->X_WB[static_cast<std::size_t>(session().model()->findBody("box"))];
    return (picture.request.camera.eye() - X_WB * camera("rider").position).norm();
  }
};

TEST_F(RidingStudio, EveryPictureIsFromTheBodyUntilAPersonMovesTheView) {
  settle();
  QTest::keyClick(&viewport(), Qt::Key_BracketRight);
  settle();
  EXPECT_LT(besideRider(), 1e-6) << "at once, though nothing plays";
  const Vec3 start = viewport().camera().eye();
  int pictures = 0;
  double worst = 0;
  const QMetaObject::Connection watch = QObject::connect(&viewport(), &Viewport::painted, [&] {
    ++pictures;
    worst = std::max(worst, besideRider());
  });
  session().transport().play();
  ASSERT_TRUE(eventually([&] { return pictures > 5 && (viewport().camera().eye() - start).norm() > 0.3; }));
  QObject::disconnect(watch);
  EXPECT_LT(worst, 1e-6);

  const QPointF middle(viewport().width() / 2.0, viewport().height() / 2.0);
  testing::dragOver(viewport(), middle, middle + QPointF(60, 20), Qt::LeftButton);
  const Vec3 left = viewport().camera().eye();
  EXPECT_FALSE(viewport().camera().axes.has_value()) << "upright again";
  const std::uint64_t then = session().moment().shown()->step;
  ASSERT_TRUE(eventually([&] { return session().moment().shown()->step > then + 40; }));
  EXPECT_EQ(viewport().camera().eye(), left) << "it stays where a person brought it";
}

TEST_F(RidingStudio, TheViewThatRidesIsKeptAndExportedAsItIs) {
  viewport().nextCamera(+1);
  const render::Camera shown = viewport().camera();
  Snapshot later = *session().moment().shown();
  later.X_WB[static_cast<std::size_t>(session().model()->findBody("box"))].p.z() -= 1;
  EXPECT_LT(
      (viewport().cameraPath().at(*session().model(), later).eye() - shown.eye() + Vec3::UnitZ()).norm(),
      1e-9)
      << "pictures of the window's view ride, too";
  viewport().keepAsCamera();
  const CameraSpec kept = session().document().cameras().back();
  EXPECT_EQ(kept.body, "") << "it stands where it was kept";
  EXPECT_LT((render::Camera::from(kept).view() - shown.view()).norm(), 1e-4f);
  viewport().nextCamera(+1);
  viewport().nextCamera(-1);
  EXPECT_LT((viewport().camera().view() - shown.view()).norm(), 1e-4f);
}

TEST_F(RidingStudio, OpeningOnAllComesBeforeTheFirstAndAfterTheLastCamera) {
  const auto eyeOf = [&](const char* name) {
    return render::Camera::from(camera(name), *session().model(), *session().moment().shown()).eye();
  };
  EXPECT_TRUE(viewport().camera().eye().isApprox(eyeOf("still"))) << "the first one opens";
  const QByteArray onAll = QByteArray(kFalling) + "view: {opening: all}\n";
  for (const auto& [key, name] : {std::pair(Qt::Key_BracketRight, "still"), {Qt::Key_BracketLeft, "aside"}}) {
    open(name, onAll);  // a scene for each key
    const render::Camera all = viewport().camera();
    EXPECT_FALSE(all.eye().isApprox(eyeOf("still")));
    EXPECT_TRUE(all.target.isApprox(
        render::openingCamera(*session().model(), *session().moment().shown(), 1).target));
    QTest::keyClick(&viewport(), key);
    EXPECT_TRUE(viewport().camera().eye().isApprox(eyeOf(name))) << name;
  }
}

TEST_F(RidingStudio, WithoutItsBodyACameraIsNoMore) {
  viewport().nextCamera(+1);
  session().editor().edit(Remove{"box"}, "remove");
  ASSERT_TRUE(eventually([&] { return session().model()->findBody("box") < 0; }));
  EXPECT_EQ(session().document().cameras().size(), 2u);
  const Vec3 eye = viewport().camera().eye();
  session().transport().stepForward();
  settle();
  EXPECT_EQ(viewport().camera().eye(), eye) << "the view stays";
  const QString file = folder.filePath("without.yaml");
  bool saved = false;
  QObject::connect(&session().document(), &SceneDocument::saved, [&] { saved = true; });
  session().document().save(file);
  EXPECT_TRUE(eventually([&] { return saved; }));
}

TEST_F(RidingStudio, AxesOfTheCameraAreThoseOfTheViewThatRides) {
  viewport().nextCamera(-1);  // looks along the world's y axis
  QTest::keyClick(&viewport(), Qt::Key_D, Qt::ControlModifier);
  ASSERT_TRUE(session().driving().isOn());
  auto& panel = window.panel<DrivingPanel>();
  ASSERT_TRUE(eventually([&] { return panel.card("keyboard"); }));
  panel.card("keyboard")->frame().button(static_cast<int>(MotionFrame::Camera)).click();
  ASSERT_TRUE(eventually([&] { return panel.card("keyboard")->use().frame == MotionFrame::Camera; }));
  viewport().setFocus();
  session().transport().play();
  const auto tool = [&] {
    const multibody::Chain& chain = session().model()->effectors.front().chain;
    return Vec3((session().moment().shown()->X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE).p);
  };
  const Vec3 start = tool();
  QTest::keyPress(&viewport(), Qt::Key_W);
  EXPECT_TRUE(eventually([&] { return tool().y() > start.y() + 0.05; })) << "away from who looks";
  QTest::keyRelease(&viewport(), Qt::Key_W);
  EXPECT_LT(std::abs(tool().x() - start.x()), 0.02);
}

}  // namespace
}  // namespace slipstick::ui

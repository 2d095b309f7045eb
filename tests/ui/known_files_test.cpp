// What the window remembers of files, and where a window goes on the screens that there are.
#include "ui/known_files.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QFileInfo>

#include "render/view_actions.h"
#include "tests/ui/own_settings.h"
#include "ui/scene_look.h"
#include "ui/window_place.h"

namespace slipstick::ui {
namespace {

TEST(KnownFiles, AreKeptNewestFirstAcrossWindowsWithTheirLookAndPicture) {
  const testing::OwnSettings settings;
  QImage view(800, 600, QImage::Format_RGB32);
  view.fill(Qt::red);
  {
    KnownFiles files(true);
    files.open("/a/one.yaml", "One");
    files.open("/a/two.yaml", "Two");
    files.keepLook("/a/one.yaml", {{"camera", "near"}}, view);
    files.open("/a/one.yaml", "One, renamed");
  }
  KnownFiles files(true);
  ASSERT_EQ(files.files().size(), 2u);
  EXPECT_EQ(files.files()[0].file, "/a/one.yaml");
  EXPECT_EQ(files.files()[0].title, "One, renamed");
  EXPECT_EQ(files.files()[0].look["camera"].toString(), "near") << "opening again keeps how it looked";
  EXPECT_EQ(QImage(files.pictureOf("/a/one.yaml")).size(), QSize(576, 324));

  KnownFiles other(true);  // of another window, at the same time
  other.open("/a/three.yaml", "Three");
  files.forget("/a/one.yaml");
  EXPECT_FALSE(QFile::exists(files.pictureOf("/a/one.yaml")));
  ASSERT_EQ(files.files().size(), 2u);
  EXPECT_EQ(files.files()[0].file, "/a/three.yaml") << "what another window did is not lost";
  files.keepLook("/a/one.yaml", {}, view);
  EXPECT_EQ(files.find("/a/one.yaml"), nullptr) << "forgotten stays forgotten";
}

TEST(KnownFiles, AreNoMoreThanABoundedNumberAndTheirPicturesGoWithThem) {
  const testing::OwnSettings settings;
  KnownFiles files(true);
  QImage view(80, 60, QImage::Format_RGB32);
  files.open("/first.yaml", "");
  files.keepLook("/first.yaml", {}, view);
  ASSERT_TRUE(QFile::exists(files.pictureOf("/first.yaml")));
  for (std::size_t i = 0; i < KnownFiles::kMax; ++i) files.open(QString("/%1.yaml").arg(i), "");
  EXPECT_EQ(files.files().size(), KnownFiles::kMax);
  EXPECT_EQ(files.find("/first.yaml"), nullptr);
  EXPECT_FALSE(QFile::exists(files.pictureOf("/first.yaml")));
}

TEST(KnownFiles, ABrokenListIsAsGoodAsNoneAndAWindowThatDoesNotRememberWritesNothing) {
  const testing::OwnSettings settings;
  const QString list = QFileInfo(QSettings("slipstick", "studio").fileName()).path() + "/files.json";
  KnownFiles forgetful(false);
  forgetful.open("/a.yaml", "A");
  EXPECT_TRUE(forgetful.files().empty());
  EXPECT_FALSE(QFile::exists(list));
  KnownFiles(true).open("/a.yaml", "A");
  for (const char* text : {"{\"files\": [3, {\"file\": 4}, {}]}", "not json", "{\"files\": {}}"}) {
    QFile file(list);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    EXPECT_TRUE(KnownFiles(true).files().empty()) << text;
  }
}

TEST(SceneLook, CameraAndViewComeBackAndNonsenseLeavesThemAsTheyAre) {
  render::Camera camera;
  camera.target = {1, -2, 0.5};
  camera.yaw = 2.5, camera.pitch = -0.3, camera.distance = 7, camera.fieldOfView = 30, camera.parallel = true;
  const render::Camera back = cameraOf(jsonOf(camera), {});
  EXPECT_EQ(back.target, camera.target);
  EXPECT_EQ(back.yaw, camera.yaw);
  EXPECT_EQ(back.pitch, camera.pitch);
  EXPECT_EQ(back.distance, camera.distance);
  EXPECT_EQ(back.fieldOfView, camera.fieldOfView);
  EXPECT_TRUE(back.parallel);
  render::Camera carried = camera;
  carried.axes = render::Camera::from({"tilted", {1, 2, 3}, camera.target, 30, "", {1, 0, 0}}).axes;
  const render::Camera upright = cameraOf(jsonOf(carried), {});
  EXPECT_FALSE(upright.axes.has_value());
  EXPECT_LT((upright.eye() - carried.eye()).norm(), 1e-9) << "looks the same way";
  const render::Camera odd =
      cameraOf({{"distance", -1}, {"pitch", 40}, {"yaw", "left"}, {"target", QJsonObject{}}}, camera);
  EXPECT_EQ(odd.distance, camera.distance);
  EXPECT_EQ(odd.pitch, camera.pitch);
  EXPECT_EQ(odd.yaw, camera.yaw);
  EXPECT_EQ(odd.target, camera.target);

  for (const render::ViewAction& action : render::viewActions()) {
    render::ViewOptions view;
    action.toNext(view);
    EXPECT_EQ(viewOf(jsonOf(view), {}), view) << action.name;
  }
  for (const render::ViewStep& step : render::viewSteps()) {
    render::ViewOptions view;
    step.turn(view, +1);
    EXPECT_EQ(viewOf(jsonOf(view), {}), view) << step.up;
  }
  EXPECT_EQ(viewOf({{"forces", 7}, {"style", -2}, {"map", "x"}, {"Cut further away", 99}}, {}),
            render::ViewOptions{});
}

TEST(WindowPlace, IsNoLargerThanItsScreenAndWhollyOnIt) {
  const QList<QRect> one = {QRect(0, 0, 1280, 720)};
  EXPECT_EQ(placeOnScreens(QRect(0, 0, 1600, 960), one), one[0]);
  EXPECT_EQ(placeOnScreens(QRect(900, 500, 800, 400), one), QRect(480, 320, 800, 400));
  EXPECT_EQ(placeOnScreens(QRect(100, 50, 800, 400), one), QRect(100, 50, 800, 400)) << "it fits as it is";
}

TEST(WindowPlace, OfAScreenThatIsGoneIsOnOneThatIsThere) {
  const QList<QRect> both = {QRect(0, 0, 1920, 1080), QRect(1920, 200, 1280, 1024)};
  const QRect onSecond(2000, 300, 1000, 700);
  EXPECT_EQ(placeOnScreens(onSecond, both), onSecond);
  const QRect back = placeOnScreens(onSecond, {both[0]});
  EXPECT_TRUE(both[0].contains(back));
  EXPECT_EQ(back.size(), onSecond.size());
  // Across both: on the one that has more of it.
  EXPECT_TRUE(both[1].contains(placeOnScreens(QRect(1800, 300, 900, 700), both)));
  // A screen left of the first one has negative coordinates.
  const QList<QRect> left = {QRect(0, 0, 1920, 1080), QRect(-2560, -300, 2560, 1440)};
  EXPECT_TRUE(left[1].contains(placeOnScreens(QRect(-2700, -400, 1200, 900), left)));
}

}  // namespace
}  // namespace slipstick::ui

// What the pictures of a job show.
#include <gmock/gmock.h>

#include "assets/camera_path_io.h"
#include "render/framing.h"
#include "render/image_filter.h"
#include "render/view_actions.h"
#include "tests/render/sample_walk.h"

namespace slipstick::render {
namespace {

int difference(const std::uint8_t* a, const std::uint8_t* b) {
  int most = 0;
  for (int c = 0; c < 3; ++c) most = std::max(most, std::abs(a[c] - b[c]));
  return most;
}

/// Mean over the picture of the largest difference of a channel.
double meanDifference(const Image& a, const Image& b) {
  EXPECT_EQ(a.rgba.size(), b.rgba.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.rgba.size() && i < b.rgba.size(); i += 4)
    sum += difference(&a.rgba[i], &b.rgba[i]);
  return sum / (static_cast<double>(a.rgba.size()) / 4);
}

Image over(const Image& image, int ground) {
  Image result = image;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    for (std::size_t c = i; c < i + 3; ++c)
      result.rgba[c] = static_cast<std::uint8_t>(
          (image.rgba[c] * image.rgba[i + 3] + ground * (255 - image.rgba[i + 3]) + 127) / 255);
  return result;
}

TEST_F(PictureJobs, TransparentOnesAreClearAroundAndSolidInside) {
  PictureRequest clear = request("clear.png");
  clear.view.transparentBackground = true;
  clear.view.forces = false;
  const Image image = picture(clear);
  EXPECT_EQ(pixel(image, 0, 0)[3], 0);
  EXPECT_EQ(pixel(image, 159, 89)[3] < 255, true);
  const Image drawn = [&] {
    PictureRequest solid = request("solid.png");
    solid.view.forces = false;
    return picture(solid);
  }();
  // Where it is solid it is the picture that one knows; edges lie between.
  int solid = 0, edges = 0;
  for (int y = 0; y < 90; ++y)
    for (int x = 0; x < 160; ++x) {
      const std::uint8_t* p = pixel(image, x, y);
      if (p[3] > 0 && p[3] < 255) ++edges;
      if (p[3] < 255) continue;
      ++solid;
      EXPECT_LE(difference(p, pixel(drawn, x, y)), 2) << x << ", " << y;
    }
  EXPECT_GT(solid, 500);
  EXPECT_GT(edges, 50);
}

/// The floor on white paper is what its shadows leave: they come out the same.
TEST_F(PictureJobs, TransparentOnesOverWhiteAreThoseOnWhite) {
  PictureRequest clear = request("clear.png"), white = request("white.png");
  clear.view.forces = white.view.forces = false;
  clear.view.transparentBackground = true;
  white.view.whiteBackground = clear.view.whiteBackground = true;
  const Image image = picture(clear), onWhite = over(image, 255);
  EXPECT_LT(meanDifference(onWhite, picture(white)), 1.5);
  // No fringe: an edge is of the colours beside it, over black as over white.
  const Image onBlack = over(image, 0);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4)
    if (image.rgba[i + 3] == 0) {
      EXPECT_EQ(onBlack.rgba[i], 0);
      EXPECT_EQ(onWhite.rgba[i], 255);
    }
}

TEST_F(PictureJobs, SupersamplingKeepsTheSizeAndSmoothsTheEdges) {
  PictureRequest plain = request("plain.png"), fine = request("fine.png");
  plain.view.hud = fine.view.hud = true;
  fine.supersample = 3;
  const Image a = picture(plain), b = picture(fine);
  EXPECT_EQ(b.width, 160);
  EXPECT_EQ(b.height, 90);
  EXPECT_NE(a.rgba, b.rgba);
  EXPECT_LT(meanDifference(a, b), 8) << "it is the same picture";
}

TEST(ImageFilter, AveragesInLinearLightAndByOpacity) {
  const Image image{2, 2, {255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255}};
  const Image half = averaged(image, 2);
  ASSERT_EQ(half.rgba.size(), 4u);
  EXPECT_EQ(half.rgba[0], 188) << "half the light, not half the number";
  const Image edge{2, 2, {200, 100, 50, 255, 0, 0, 0, 0, 200, 100, 50, 255, 0, 0, 0, 0}};
  EXPECT_EQ(averaged(edge, 2).rgba, (std::vector<std::uint8_t>{200, 100, 50, 128}));
}

TEST(ImageFilter, DividesByTheOpacity) {
  Image image{2, 1, {100, 50, 0, 128, 9, 9, 9, 0}};
  unmultiply(image);
  EXPECT_EQ(image.rgba, (std::vector<std::uint8_t>{199, 100, 0, 128, 0, 0, 0, 0}));
}

TEST_F(PictureJobs, SeveralCamerasStandSideBySide) {
  const auto& cameras = walk.model()->cameras;
  Camera other = Camera::from(cameras.front());
  other.yaw += 1;
  PictureRequest both = request("both.png");
  both.width = 162;
  both.cameras = {CameraPath(Camera::from(cameras.front())), CameraPath(other)};
  const Image image = picture(both);
  EXPECT_EQ(image.width, 162);
  for (int i = 0; i < 2; ++i) {
    PictureRequest one = request("one.png");
    one.width = 80;
    one.cameras = {both.cameras[static_cast<std::size_t>(i)]};
    const Image alone = picture(one);
    for (int y = 0; y < 90; y += 7)
      for (int x = 0; x < 80; x += 3)
        ASSERT_LE(difference(pixel(image, x + i * 82, y), pixel(alone, x, y)), 3)
            << i << ": " << x << ", " << y;
  }
}

TEST(CameraPaths, GoThroughTheirKeysExactlyAndRestAtBothEnds) {
  std::vector<CameraKey> keys(4);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const double k = static_cast<double>(i);
    keys[i].time = k * k;
    keys[i].camera.position = {1 + k, -1, 0.5 + 0.1 * k * k};
    keys[i].camera.target = {0, 0.1 * k, 0};
    keys[i].camera.fieldOfView = 30 + 5 * k;
  }
  keys[2].camera.up = {0, 1, 2};
  const CameraPath path(keys);
  const Model model;
  const auto at = [&](double time) {
    Snapshot moment;
    moment.time = time;
    return path.at(model, moment);
  };
  for (const CameraKey& key : keys) {
    const Camera camera = at(key.time);
    EXPECT_LT((camera.eye() - key.camera.position).norm(), 1e-9);
    EXPECT_LT((camera.target - key.camera.target).norm(), 1e-9);
    EXPECT_NEAR(camera.fieldOfView, key.camera.fieldOfView, 1e-9);
    EXPECT_NEAR(camera.view().row(0).head<3>().cast<double>().dot(key.camera.up), 0, 1e-6) << "not tilted";
  }
  EXPECT_LT((at(-5).eye() - keys.front().camera.position).norm(), 1e-9);
  EXPECT_LT((at(99).eye() - keys.back().camera.position).norm(), 1e-9);
  EXPECT_LT((at(1e-4).eye() - at(0).eye()).norm(), 1e-6) << "at rest";
  // Without a kink: the speed is the same on both sides of a key.
  const auto velocity = [&](double t) { return (at(t + 1e-5).eye() - at(t).eye()).eval(); };
  EXPECT_LT((velocity(1 - 1e-5) - velocity(1)).norm(), 1e-3 * velocity(1).norm());
}

TEST_F(PictureJobs, CameraPathsAreReadWithNamesOfCameras) {
  const std::filesystem::path file = folder / "way.yaml";
  const auto read = [&](const std::string& text) {
    std::ofstream(file) << text;
    std::vector<CameraSpec> cameras = walk.model()->cameras;
    cameras.push_back({"wrist", {0, 0, 1}, Vec3::Zero(), 40, "roller"});
    return assets::loadCameraPath(file, cameras);
  };
  const CameraSpec& front = walk.model()->cameras.front();
  const auto keys = read("- {t: 0, camera: " + front.name + "}\n- {t: 1.5, eye: [1, 2, 3], fov: 30}\n");
  ASSERT_TRUE(keys.ok()) << keys.error().message();
  ASSERT_EQ(keys->size(), 2u);
  EXPECT_EQ(keys->front().camera.position, front.position);
  EXPECT_EQ(keys->back().time, 1.5);
  EXPECT_EQ(keys->back().camera.position, Vec3(1, 2, 3));
  EXPECT_EQ(keys->back().camera.target, front.target) << "as before";
  EXPECT_EQ(keys->back().camera.fieldOfView, 30);
  const std::map<std::string, std::string> faults = {
      {"- {t: 0, camera: nowhere}\n", "nowhere"},
      {"- {t: 0, camera: wrist}\n", "--camera wrist"},
      {"- {t: 1, eye: [1, 0, 0]}\n- {t: 1, eye: [1, 0, 1]}\n", "way.yaml:2"},
      {"- {t: 0}\n", "eye"},
      {"- {t: 0, eye: [0, 0, 0]}\n", "its own target"},
      {"- {t: 0, eye: [1, 0, 0], zoom: 2}\n", "zoom"},
      {"t: 0\n", "way of a camera"},
      {"[]\n", "no keys"},
      {"- {t: 0, eye: [1, 0\n", "way.yaml"}};
  for (const auto& [text, expected] : faults) {
    const auto wrong = read(text);
    ASSERT_FALSE(wrong.ok()) << text;
    EXPECT_THAT(wrong.error().message(), ::testing::HasSubstr(expected)) << text;
  }
  EXPECT_FALSE(assets::loadCameraPath(folder / "missing.yaml", {}).ok());
}

TEST_F(PictureJobs, ACameraOnABodyRidesWithIt) {
  const auto roller = static_cast<std::size_t>(walk.world.roller);
  const CameraSpec spec{"rider", {0, -0.5, 0.4}, Vec3::Zero(), 50, walk.model()->tree.bodies[roller].name};
  for (const double time : {0.2, 1.5}) {
    PictureRequest riding = request("riding.png"), still = request("still.png");
    riding.to = still.to = time;
    riding.cameras = {CameraPath(spec)};
    const auto snapshot = walk.goTo(walk.stepAt(time)).value();
    still.cameras = {CameraPath(Camera::from(spec, *walk.model(), *snapshot))};
    EXPECT_EQ(picture(riding).rgba, picture(still).rgba) << time;
  }
}

TEST_F(PictureJobs, WithoutCamerasAllThatTheFirstPictureShowsIsInThem) {
  auto bare = std::make_shared<Model>(*walk.model());
  bare->cameras.clear();
  walk.world.model = bare;
  const auto fromFirst = [&](double time) {
    walk.at = 0;
    return CameraPath(openingCamera(*bare, *walk.goTo(walk.stepAt(time)).value(), 160.0 / 90));
  };
  PictureRequest open = request("open.png"), told = request("told.png");
  open.cameras.clear();
  told.cameras = {fromFirst(open.to)};
  EXPECT_EQ(picture(open).rgba, picture(told).rgba);
  PictureRequest video = request("video"), same = request("same");
  video.cameras.clear();
  same.cameras = {fromFirst(video.from)};
  ASSERT_TRUE(make(video).ok());
  ASSERT_TRUE(make(same).ok());
  const auto last = [&](const char* where) { return readPng(folder / where / "frame_000005.png"); };
  EXPECT_EQ(last("video").rgba, last("same").rgba) << "it stays where it was first";
}

TEST_F(PictureJobs, TitlesAndFadesComeAndGo) {
  PictureRequest plain = request("plain"), titled = request("titled");
  for (PictureRequest* r : {&plain, &titled}) r->to = 2.5, r->fps = 2;
  titled.title = "Dough";
  titled.subtitle = "rolled by two arms";
  titled.fade = 0.4;
  ASSERT_TRUE(make(plain).ok());
  ASSERT_TRUE(make(titled).ok());
  const auto frame = [&](const char* where, int i) {
    return readPng(folder / where / ("frame_00000" + std::to_string(i) + ".png"));
  };
  for (const int end : {0, 5}) {  // the window's colour alone
    const Image image = frame("titled", end);
    for (const int x : {0, 80, 159}) EXPECT_EQ(pixel(image, x, 45)[0], 0x16);
  }
  EXPECT_GT(meanDifference(frame("titled", 2), frame("plain", 2)), 10) << "the title";
  EXPECT_EQ(frame("titled", 4).rgba, frame("plain", 4).rgba) << "after two seconds it is gone";
}

TEST_F(PictureJobs, AStripHasWhiteGapsAndTimesBelow) {
  PictureRequest strip = request("strip.png");
  strip.arrangement = Arrangement::Strip;
  strip.moments = {0.2, 0, 0.4};
  const Image image = picture(strip);
  EXPECT_EQ(image.width, 3 * 160 + 2 * 6);
  const int words = 20;  // 30 of a picture that is not small, at 0.65
  ASSERT_EQ(image.height, 90 + words);
  for (const int gap : {162, 328}) EXPECT_EQ(pixel(image, gap, 40)[0], 255);
  for (int i = 0; i < 3; ++i) {
    int dark = 0;
    for (int y = 90; y < 90 + words; ++y)
      for (int x = 166 * i; x < 166 * i + 160; ++x) dark += pixel(image, x, y)[0] < 128;
    EXPECT_GT(dark, 20 * 0.65 * 0.65) << "its time";
  }
}

TEST_F(PictureJobs, GhostsAreSeenThrough) {
  PictureRequest plain = request("plain.png"), ghosts = request("ghosts.png");
  plain.to = ghosts.to = 1.5;
  ghosts.ghosts = {0, 0.5, 1};
  const double three = meanDifference(picture(ghosts), picture(plain));
  ghosts.ghosts = {0};
  const double one = meanDifference(picture(ghosts), picture(plain));
  EXPECT_GT(one, 0.1);
  EXPECT_GT(three, one);
}

TEST_F(PictureJobs, EachOverlayIsHiddenByItsWord) {
  PictureRequest all = request("all.png");
  all.width = 960;
  all.height = 540;
  all.to = 1.5;
  all.ghosts = {0};
  all.view.hud = true;
  all.view.contactView = ContactView::Footprints;
  all.view.particleColor = ParticleColor::Stress;
  const std::shared_ptr<const Snapshot> last = slipstick::testing::sampleSnapshot(walk.world, 1.5);
  all.selection = pairOf(*walk.model(), last->contacts.front());
  const Image whole = picture(all);
  for (const char* word :
       {"no-time", "no-legend", "no-card", "no-bar", "no-inset", "no-caption", "no-labels"}) {
    PictureRequest less = all;
    less.out = folder / "less.png";
    ASSERT_TRUE(applyViewWord(word, less.view).ok());
    EXPECT_NE(picture(less).rgba, whole.rgba) << word;
  }
}

}  // namespace
}  // namespace slipstick::render

// Pictures for learners: each pixel against geometry.
#include "render/jobs/picture_pass.h"

#include <set>

#include "tests/render/rendered_world.h"
#include "tests/render/sample_walk.h"

namespace slipstick::render {
namespace {

struct PicturePasses : RenderedWorld {
  Image make(PicturePass pass) {
    return passImage(offscreen->surfaces(frame(), camera, options), pass, *world.model, camera);
  }
  /// Where the ray through the middle of a pixel meets the plane z = height, as depth along the view [m].
  double planeDepth(int x, int y, double height) const {
    const Vec3 eye = camera.eye(), ray = camera.ray((x + 0.5) / kWidth, (y + 0.5) / kHeight, kAspect);
    const Vec3 ahead = (camera.target - eye).normalized();
    return (height - eye.z()) / ray.z() * ray.dot(ahead);
  }
  std::uint32_t idOf(const std::string& kind, const std::string& name) const {
    const std::vector<Segment> segments = segmentsOf(*world.model);
    for (std::size_t id = 0; id < segments.size(); ++id)
      if (segments[id].kind == kind && segments[id].name == name) return static_cast<std::uint32_t>(id);
    ADD_FAILURE() << "no " << kind << " " << name;
    return 0;
  }
  const std::string& nameOf(int body) const {
    return world.model->tree.bodies[static_cast<std::size_t>(body)].name;
  }
  template <class Visit>
  int forEach(const Image& ids, std::uint32_t id, const Visit& visit) const {
    int count = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        if (ids.at<std::uint32_t>(x, y) == id) ++count, visit(x, y);
    return count;
  }
};

TEST_F(PicturePasses, DepthOfTheGroundIsThatOfItsPlane) {
  const Image depth = make(PicturePass::Depth), ids = make(PicturePass::Segmentation);
  const int pixels = forEach(ids, 1, [&](int x, int y) {
    const double expected = planeDepth(x, y, world.model->groundHeight);
    ASSERT_NEAR(static_cast<double>(depth.at<float>(x, y)), expected, 1e-4 * expected) << x << " " << y;
  });
  EXPECT_GT(pixels, 5000);
}

TEST_F(PicturePasses, NormalsOfTheGroundAreUpInTheCamerasFrame) {
  const Image normals = make(PicturePass::Normals), ids = make(PicturePass::Segmentation);
  const Eigen::Vector3f up = camera.view().topLeftCorner<3, 3>() * Eigen::Vector3f::UnitZ();
  EXPECT_GT(up.y(), 0.3f);
  forEach(ids, 1, [&](int x, int y) {
    const Pixel p = at(normals, x, y);
    ASSERT_NEAR(p.r / 127.5 - 1, up.x(), 0.005);
    ASSERT_NEAR(p.g / 127.5 - 1, up.y(), 0.005);
    ASSERT_NEAR(p.b / 127.5 - 1, up.z(), 0.005);
  });
}

TEST_F(PicturePasses, NormalsPointToTheEye) {
  const SurfaceImage seen = offscreen->surfaces(frame(), camera, options);
  int off = 0, all = 0;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) {
      const auto i = static_cast<std::size_t>(y * kWidth + x);
      if (seen.ids[i].kind == PickKind::Nothing) continue;
      ++all;
      const Vec3 ray = camera.ray((x + 0.5) / kWidth, (y + 0.5) / kHeight, kAspect);
      const Vec3 n = seen.surface[i].head<3>().cast<double>();
      ASSERT_NEAR(n.norm(), 1, 1e-4);
      off += n.dot(ray) > 0.2;  // smooth normals at silhouettes lean a little
    }
  EXPECT_LT(off, all / 200);
}

TEST_F(PicturePasses, IdsAreThoseOfWhatStandsThere) {
  const Image ids = make(PicturePass::Segmentation);
  const auto idAt = [&](const Vec3& p) {
    const Eigen::Vector2d uv = project(camera, kAspect, p);
    return ids.at<std::uint32_t>(static_cast<int>(uv.x() * kWidth), static_cast<int>(uv.y() * kHeight));
  };
  const Pose& X_WR = snapshot->X_WB[static_cast<std::size_t>(world.roller)];
  EXPECT_EQ(idAt(X_WR.p), idOf("body", nameOf(world.roller)));
  std::set<std::uint32_t> found;
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x) found.insert(ids.at<std::uint32_t>(x, y));
  EXPECT_TRUE(found.contains(idOf("deformable", world.model->deformables.front().name)));
  EXPECT_TRUE(found.contains(idOf("body", nameOf(world.board))));
  EXPECT_LT(*found.rbegin(), segmentsOf(*world.model).size()) << "nothing in between at edges";
}

TEST_F(PicturePasses, ArrowsGhostsAndCardsAreNotInThem) {
  const Image without = make(PicturePass::Segmentation);
  options.hud = options.forces = options.everyContact = options.frames = options.joints = true;
  options.contactView = ContactView::Footprints;
  EXPECT_EQ(make(PicturePass::Segmentation).rgba, without.rgba);
}

TEST_F(PicturePasses, PicturesAfterwardsAreAsBefore) {
  const Image before = draw(frame());
  make(PicturePass::Depth);
  EXPECT_EQ(draw(frame()).rgba, before.rgba);
}

TEST(Segments, HaveColoursOfTheirOwn) {
  const auto world = slipstick::testing::sampleWorld();
  std::set<Hex> colors;
  const std::vector<Segment> segments = segmentsOf(*world.model);
  for (const Segment& segment : segments) colors.insert(segment.color);
  EXPECT_EQ(colors.size(), segments.size());
  EXPECT_EQ(segments[1].color, 0x800000u) << "as in PASCAL VOC";
}

/// In a file: what a reader of PNGs finds.
TEST_F(PictureJobs, DepthsAreMillimetresInAFile) {
  PictureRequest depth = request("d.png");
  depth.pass = PicturePass::Depth;
  ASSERT_TRUE(make(depth).ok());
  std::ifstream npy(folder / "d.npy", std::ios::binary);
  std::vector<float> metres(160 * 90);
  npy.seekg(128);
  npy.read(reinterpret_cast<char*>(metres.data()), static_cast<std::streamsize>(4 * metres.size()));
  ASSERT_TRUE(npy.good());
  png_image read{};
  read.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&read, depth.out.c_str()));
  EXPECT_EQ(read.format, static_cast<unsigned>(PNG_FORMAT_LINEAR_Y)) << "16 bits of grey";
  png_image_free(&read);
  EXPECT_GT(*std::max_element(metres.begin(), metres.end()), 0.5f);
}

TEST_F(PictureJobs, StillsStayInMemoryEachByItself) {
  PictureRequest stills = request("nothing.png");
  stills.arrangement = Arrangement::Apart;
  stills.moments = {0.5, 0.1};
  std::vector<Image> images;
  std::vector<double> times;
  const Result<PictureReport> drawn = drawStills(
      walk, stills, images, {}, [&](const PictureProgress& progress) { times.push_back(progress.reached); });
  ASSERT_TRUE(drawn.ok()) << drawn.error().message();
  ASSERT_EQ(images.size(), 2u);
  EXPECT_NEAR(times[0], 0.1, 1e-9);
  EXPECT_NEAR(times[1], 0.5, 1e-9);
  EXPECT_EQ(images[1].width, 160);
  EXPECT_EQ(images[1].height, 90) << "no band below";
  EXPECT_NE(images[0].rgba, images[1].rgba);
  EXPECT_EQ(filesIn(folder), 0u);
}

}  // namespace
}  // namespace slipstick::render

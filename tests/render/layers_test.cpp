// What the renderer does about layers: uploads, overlays, sections, ghosts, quality.
#include <gtest/gtest.h>

#include "render/palette.h"
#include "render/shader_common.h"
#include "render/view_actions.h"
#include "tests/render/rendered_world.h"

namespace slipstick::render {
namespace {

/// Counts what goes to the driver while it lives. OpenGL is called through pointers, which it replaces.
class UploadCount {
 public:
  UploadCount() : original_(glNamedBufferData) {
    calls = bytes = 0;
    next = original_;
    glNamedBufferData = &counting;
  }
  ~UploadCount() { glNamedBufferData = original_; }
  static inline std::int64_t calls = 0, bytes = 0;

 private:
  static inline PFNGLNAMEDBUFFERDATAPROC next = nullptr;
  static void counting(GLuint buffer, GLsizeiptr size, const void* data, GLenum usage) {
    ++calls;
    bytes += size;
    next(buffer, size, data, usage);
  }
  PFNGLNAMEDBUFFERDATAPROC original_;
};

struct DrawnLayers : RenderedWorld {
  /// Bytes that a picture uploads.
  std::int64_t bytesOf(const Frame& f) {
    const UploadCount count;
    draw(f);
    return UploadCount::bytes;
  }
  int differing(const Image& a, const Image& b, int than = 12) const {
    int count = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const Pixel p = at(a, x, y), q = at(b, x, y);
        count += std::abs(p.r - q.r) + std::abs(p.g - q.g) + std::abs(p.b - q.b) > than;
      }
    return count;
  }
};

TEST_F(DrawnLayers, OnlyWhatChangedIsUploaded) {
  options.contactView = ContactView::Pairs;  // a footprint can be as large as all particles
  const Frame f = frame();
  const auto particles = static_cast<std::int64_t>(f.soft->particles.size() * 4 * sizeof(float));
  const std::int64_t viewBlocks = 2 * sizeof(ViewBlock);
  EXPECT_GT(bytesOf(f), particles);
  EXPECT_EQ(bytesOf(f), viewBlocks);
  camera.yaw += 0.1;
  EXPECT_EQ(bytesOf(f), viewBlocks);
  Frame moved = f;
  moved.X_WB.back().p.z() += 0.01;
  const std::int64_t poses = bytesOf(moved);
  EXPECT_GT(poses, viewBlocks);
  EXPECT_LT(poses, particles);
  Frame other = moved;
  contactOf(other);
  const std::int64_t contact = bytesOf(other);
  EXPECT_GT(contact, viewBlocks);
  EXPECT_LT(contact, particles);
  softOf(other);
  EXPECT_GE(bytesOf(other), particles);
}

TEST_F(DrawnLayers, AFrameOfOtherThingsIsDrawnAsIfItWereTheFirst) {
  const Frame f = frame();
  Frame other = f;
  other.X_WB.back().p.z() += 0.05;
  softOf(other).particles[0].z() += 0.1f;
  draw(f);
  camera.yaw += 0.3;
  draw(other);
  camera.yaw -= 0.3;
  const Image after = draw(f);
  offscreen->setModel(world.model);
  EXPECT_EQ(after.rgba, draw(f).rgba);
}

TEST_F(DrawnLayers, ReferenceFramesShowAtWhatIsSelected) {
  options.forces = false;
  const ViewAction* action = findViewAction("frames");
  ASSERT_TRUE(action);
  selection = SelectedBody{world.leftFlange};
  const Image without = draw(frame());
  action->set(options, 1);
  const Image one = draw(frame());
  EXPECT_GT(differing(without, one), 60);
  selection = {};
  const Image all = draw(frame());
  action->set(options, 0);
  EXPECT_GT(differing(draw(frame()), all), 2 * differing(without, one));
}

TEST_F(DrawnLayers, EachLevelOfQualityLeavesOutWhatItSays) {
  EXPECT_EQ(qualityLevels().front().quality, Quality{});
  EXPECT_TRUE(qualityLevels().front().without.empty());
  for (std::size_t i = 1; i < qualityLevels().size(); ++i) {
    const Quality &more = qualityLevels()[i - 1].quality, &less = qualityLevels()[i].quality;
    EXPECT_FALSE(more == less);
    EXPECT_LE(less.samples, more.samples);
    EXPECT_LE(less.shadows, more.shadows);
    EXPECT_LE(less.occlusion, more.occlusion);
    EXPECT_LE(less.softShadows, more.softShadows);
    EXPECT_GE(less.divisor, more.divisor);
    EXPECT_FALSE(qualityLevels()[i].without.empty());
  }
}

TEST_F(DrawnLayers, ASectionShowsTheInsideInTheColourOfTheParticles) {
  options.forces = false;
  Frame f = frame();
  softOf(f).spheres[0].mapped = false;
  softOf(f).spheres[0].color = {0.02f, 0.4f, 0.02f};
  const Vec3 inside(0.0, -0.001, 0.07);  // in the middle of the dough, just behind its plane across y
  options.section = Section::Y;
  const Image cut = draw(f);
  const Pixel p = at(cut, inside);
  const Eigen::Vector3f shown = 255 * toSrgb(f.soft->spheres[0].color);
  EXPECT_NEAR(p.r, shown.x(), 1.5);
  EXPECT_NEAR(p.g, shown.y(), 1.5);
  EXPECT_NEAR(p.b, shown.z(), 1.5);
  // Cut, the side that faced the camera is gone: one looks past where its upper edge was.
  options.section = Section::None;
  const Vec3 gone(0.1, -0.058, 0.098);
  const Pixel whole = at(draw(f), gone);
  EXPECT_GT(whole.g, 2 * whole.r);
  EXPECT_GT(differing(cut, draw(f)), 500);
}

TEST_F(DrawnLayers, GhostsShowWhereTheyAreAndHideNothing) {
  options.forces = false;
  Frame f = frame();
  const Image alone = draw(f);
  Ghost ghost;
  ghost.X_WB = f.X_WB;
  f.ghosts = {ghost};
  EXPECT_EQ(differing(alone, draw(f)), 0) << "bodies are where their ghosts are";
  f.ghosts[0].X_WB[static_cast<std::size_t>(world.roller)].p.z() += 0.2;
  const Image moved = draw(f);
  EXPECT_GT(differing(alone, moved), 100);
  f.ghosts[0].X_WB = {};
  f.ghosts[0].particles = {Eigen::Vector3f(0, 0, 0.3f)};
  f.ghosts[0].radius = 0.03f;
  const Vec3 rim = Vec3(0, 0, 0.3) + 0.028 * Vec3::UnitZ();
  const Pixel before = at(alone, rim), after = at(draw(f), rim);
  EXPECT_GT(after.b, before.b + 10);
  EXPECT_GT(after.luminance(), before.luminance() - 20);
}

TEST_F(DrawnLayers, GoalsAreTriadsInFrontOfAllAndHandlesComeWithThem) {
  options.forces = false;
  Frame f = frame();
  const Image alone = draw(f);
  GoalMark mark;
  mark.X_WG.p = Vec3(0, 0, 0.1);  // inside of what is there
  f.goals = {mark};
  const Image bare = draw(f);
  EXPECT_GT(differing(alone, bare), 40);
  f.goals[0].hasHandles = true;
  const Image handles = draw(f);
  EXPECT_GT(differing(alone, handles), 2 * differing(alone, bare));
  f.goals[0].held = Handle::RingX;
  EXPECT_GT(differing(handles, draw(f)), 20) << "what is held has another colour";
  f.goals.clear();
  EXPECT_EQ(differing(alone, draw(f)), 0);
}

/// Every level draws, and the fastest is no other picture but a plainer one.
TEST_F(InFramebuffer, EveryLevelOfQualityDrawsTheSameThings) {
  const slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();
  ASSERT_NO_FATAL_FAILURE(prepare(world.model, 240, 160));
  const auto snapshot = slipstick::testing::sampleSnapshot(world, 1.54);
  const ViewOptions options;
  const Frame frame = buildFrame(inputOf(*world.model, *snapshot, options));
  std::vector<std::vector<GLubyte>> pictures;
  for (const QualityLevel& level : qualityLevels()) {
    renderer->setQuality(level.quality);
    renderer->draw(frame, Camera::from(world.model->cameras.front()), options, {},
                   {framebuffer.name(), 240, 160, 1});
    std::vector<GLubyte> rgba(240 * 160 * 4);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer.name());
    glReadPixels(0, 0, 240, 160, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    if (!pictures.empty()) {
      int far = 0, other = 0;
      for (std::size_t i = 0; i < rgba.size(); ++i) {
        far += std::abs(rgba[i] - pictures.front()[i]) > 90;
        other += rgba[i] != pictures.back()[i];
      }
      EXPECT_LT(far, static_cast<int>(rgba.size() / 25)) << level.without;
      EXPECT_GT(other, 50) << level.without;
    }
    pictures.push_back(std::move(rgba));
  }
}

}  // namespace
}  // namespace slipstick::render

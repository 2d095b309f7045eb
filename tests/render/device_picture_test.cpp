// Live particles from a device's memory into the picture: the same as by way of the host.
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "gpu/host_backend.h"
#include "render/offscreen.h"
#include "tests/render/frame_input.h"
#include "tests/support/async_on.h"

namespace slipstick::render {
namespace {

/// A gel, sand and a cloth fall on a floor that takes hold of them.
std::shared_ptr<const Model> fallingThings() {
  Scene scene;
  scene.gridSpacing = 0.04;
  scene.time.dt = 0.004;
  const auto add = [&scene](const char* name, MaterialModel model, const Vec3& place) -> DeformableSpec& {
    MaterialParameters p;
    p.model = model;
    p.E = 1e4;
    p.density = 1000;
    scene.materials.push_back({name, p});
    DeformableSpec d;
    d.name = d.material = name;
    d.shape = shape::Box{{0.05, 0.05, 0.05}};
    d.sampling.count = {5, 5, 5};
    d.X_WD = Pose::translation(place);
    d.velocity = {0.1, 0, -0.5};
    scene.deformables.push_back(d);
    return scene.deformables.back();
  };
  add("gel", MaterialModel::FixedCorotated, {0, 0, 0.08});
  add("sand", MaterialModel::DruckerPrager, {0.2, 0, 0.08});
  add("fabric", MaterialModel::Cloth, {0.1, 0.2, 0.06}).sheet = SheetSpec{{0.2, 0.2}, {9, 9}};
  BoundarySpec floor;
  floor.name = "floor";
  scene.boundaries.push_back(floor);
  const Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled->model;
}

struct DevicePicture : ::testing::Test {
  static constexpr int kWidth = 320, kHeight = 240;
  std::shared_ptr<const Model> model;
  std::unique_ptr<Stepper> stepper;
  Snapshot snapshot;
  ViewOptions options;
  std::unique_ptr<OffscreenRenderer> offscreen;

  void SetUp() override {
    model = fallingThings();
    auto backend = gpu::makeHostBackend(model);
    ASSERT_TRUE(backend) << backend.error().message();
    stepper = testing::asyncOn(model, std::move(*backend));
    for (int i = 0; i < 20; ++i) ASSERT_FALSE(refused(stepper->step({}, snapshot).health));
    options.softStyle = SoftStyle::Particles;
    options.hud = false;
    auto renderer = OffscreenRenderer::create(kWidth, kHeight);
    ASSERT_TRUE(renderer) << renderer.error().message();
    offscreen = std::move(*renderer);
    offscreen->setModel(model);
  }

  Frame frame() const { return buildFrame(inputOf(*model, snapshot, options, {})); }
  std::vector<std::uint8_t> draw(const Frame& f) {
    return offscreen
        ->render(f, Camera::from({"front", {0.1, -0.6, 0.4}, {0.1, 0.05, 0.03}, 40, {}}), options, {})
        .rgba;
  }
  std::vector<std::uint8_t> drawVectors() {
    Frame f = frame();
    softOf(f).source.reset();
    return draw(f);
  }
  /// Of a frame whose vectors are of no use.
  std::vector<std::uint8_t> drawSource() {
    Frame f = frame();
    SoftParts& soft = softOf(f);
    for (Eigen::Vector3f& x : soft.particles) x.setConstant(1e3f);
    std::fill(soft.values.begin(), soft.values.end(), 0.f);
    return draw(f);
  }
};

TEST_F(DevicePicture, IsTheSameFromTheDeviceAsFromTheHost) {
  ASSERT_TRUE(snapshot.source);
  std::vector<std::uint8_t> last;
  for (const ParticleColor color : {ParticleColor::Automatic, ParticleColor::Plain, ParticleColor::Stress,
                                    ParticleColor::Pressure, ParticleColor::Speed}) {
    options.particleColor = color;
    const std::vector<std::uint8_t> byVectors = drawVectors();
    EXPECT_EQ(drawSource(), byVectors) << static_cast<int>(color);
    EXPECT_NE(byVectors, last) << static_cast<int>(color) << ": each shows something else";
    last = byVectors;
  }
}

TEST_F(DevicePicture, FollowsTheStepsAndStaysWithItsOwn) {
  const Snapshot before = snapshot;
  const std::vector<std::uint8_t> picture = drawSource();
  for (int i = 0; i < 5; ++i) ASSERT_FALSE(refused(stepper->step({}, snapshot).health));
  const std::vector<std::uint8_t> later = drawSource();
  EXPECT_EQ(later, drawVectors());
  EXPECT_NE(later, picture);
  snapshot = before;
  EXPECT_EQ(drawSource(), picture);
}

TEST_F(DevicePicture, IsDrawnFromTheHostOnceTheDeviceIsGone) {
  const std::vector<std::uint8_t> picture = drawSource();
  stepper.reset();
  ASSERT_TRUE(snapshot.source);
  EXPECT_EQ(draw(frame()), picture);
  EXPECT_NE(drawSource(), picture) << "nothing comes from there any more";
}

}  // namespace
}  // namespace slipstick::render

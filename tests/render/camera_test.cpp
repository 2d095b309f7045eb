#include "render/camera.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/sample_world.h"

namespace slipstick::render {
namespace {

constexpr double kAspect = 1.6;

Eigen::Vector3f project(const Camera& camera, const Vec3& p) {
  const Eigen::Vector4f point(static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z()),
                              1);
  const Eigen::Vector4f clip = camera.projection(kAspect) * camera.view() * point;
  return clip.head<3>() / clip.w();
}

TEST(Camera, StandsWhereTheSceneSaysAndLooksAtItsTarget) {
  const CameraSpec spec{"side", {0.4, -1.1, 0.7}, {0.1, 0.2, 0.3}, 35, {}};
  const Camera camera = Camera::from(spec);
  EXPECT_LT((camera.eye() - spec.position).norm(), 1e-12);
  EXPECT_LT(project(camera, spec.target).head<2>().norm(), 1e-5f);
}

TEST(Camera, RayGoesThroughThePointThatProjectsToItsPixel) {
  const Camera camera = Camera::from({"side", {0.4, -1.1, 0.7}, {0, 0, 0.1}, 35, {}});
  const Vec3 p(0.2, 0.1, 0.25);
  const Eigen::Vector3f ndc = project(camera, p);
  const Vec3 ray =
      camera.ray(0.5 + 0.5 * static_cast<double>(ndc.x()), 0.5 - 0.5 * static_cast<double>(ndc.y()), kAspect);
  EXPECT_NEAR(ray.norm(), 1, 1e-12);
  EXPECT_LT(ray.cross(p - camera.eye()).norm(), 1e-5);
}

TEST(Camera, NearerThingsHaveSmallerDepth) {
  const Camera camera;
  const Vec3 towardsEye = (camera.eye() - camera.target).normalized();
  EXPECT_LT(project(camera, camera.target + 0.1 * towardsEye).z(), project(camera, camera.target).z());
}

TEST(Camera, OrbitKeepsDistanceAndStopsAtThePoles) {
  Camera camera;
  const double distance = camera.distance;
  camera.orbit(0.3, 5);
  EXPECT_NEAR((camera.eye() - camera.target).norm(), distance, 1e-12);
  EXPECT_LT(camera.pitch, std::numbers::pi / 2);
  EXPECT_FALSE(camera.view().hasNaN());
}

TEST(Camera, PanMovesThePictureWithThePointer) {
  Camera camera;
  const Vec3 before = camera.target;
  camera.pan(0.25, 0);
  EXPECT_NEAR(static_cast<double>(project(camera, before).x()) * kAspect / 2, 0.25, 1e-5);
}

TEST(Camera, ZoomStaysWithinItsBounds) {
  Camera camera;
  camera.zoom(2);
  EXPECT_NEAR(camera.distance, 1, 1e-12);
  camera.zoom(1e9);
  EXPECT_GE(camera.distance, 0.01);
  camera.zoom(1e-12);
  EXPECT_LE(camera.distance, 100);
}

/// Whether a picture has the direction upwards.
void expectUp(const Camera& camera, const Vec3& up) {
  const Eigen::Vector3f above = project(camera, camera.target + 0.01 * up);
  EXPECT_GT(above.y(), 1e-4f);
  EXPECT_NEAR(above.x(), 0, 1e-5f);
}

TEST(Camera, ShowsUpwardsWhatTheSceneSaysIsUp) {
  CameraSpec spec{"tilted", {0.4, -1.1, 0.7}, {0.1, 0.2, 0.3}, 35, {}};
  const Camera usual = Camera::from(spec);
  spec.up = {0, 0, 3};
  EXPECT_EQ(Camera::from(spec).view(), usual.view()) << "of any length";
  spec.up = {1, 0, 0.2};
  const Camera camera = Camera::from(spec);
  EXPECT_LT((camera.eye() - spec.position).norm(), 1e-12);
  EXPECT_LT(project(camera, spec.target).head<2>().norm(), 1e-5f);
  expectUp(camera, spec.up);
  const Vec3 ray = camera.ray(0.5, 0.5, kAspect);
  EXPECT_LT(ray.cross(spec.target - spec.position).norm(), 1e-9);
}

TEST(Camera, OnABodyGoesWhereThatIs) {
  const slipstick::testing::SampleWorld world = slipstick::testing::sampleWorld();
  const auto roller = static_cast<std::size_t>(world.roller);
  const CameraSpec spec{"rider",  {0.1, 0, 0.2}, {0, 0.3, 0}, 50, world.model->tree.bodies[roller].name,
                        {1, 0, 1}};
  std::vector<Vec3> eyes;
  for (const double time : {0.2, 1.5}) {
    const auto snapshot = slipstick::testing::sampleSnapshot(world, time);
    const Pose& X_WB = snapshot->X_WB[roller];
    const Camera camera = Camera::from(spec, *world.model, *snapshot);
    EXPECT_LT((camera.eye() - X_WB * spec.position).norm(), 1e-9);
    EXPECT_LT((camera.target - X_WB * spec.target).norm(), 1e-9);
    expectUp(camera, X_WB.R * spec.up);
    eyes.push_back(camera.eye());
  }
  EXPECT_GT((eyes[0] - eyes[1]).norm(), 0.01) << "the body moves";
}

TEST(Camera, ThatHasAnyOrientationIsUprightOnceItIsOrbited) {
  Camera camera = Camera::from({"tilted", {0.4, -1.1, 0.7}, {0.1, 0.2, 0.3}, 35, "", {1, 0, 0.2}});
  const Vec3 eye = camera.eye(), target = camera.target;
  EXPECT_LT((camera.upright().eye() - eye).norm(), 1e-9) << "looks the same way";
  camera.pan(0.1, 0.2);
  camera.zoom(1.5);
  ASSERT_TRUE(camera.axes.has_value()) << "moves along its own axes";
  EXPECT_LT((camera.target - camera.eye()).cross(target - eye).norm(), 1e-9);
  camera.orbit(0.1, 0);
  EXPECT_FALSE(camera.axes.has_value());
  expectUp(camera, Vec3::UnitZ());
}

}  // namespace
}  // namespace slipstick::render

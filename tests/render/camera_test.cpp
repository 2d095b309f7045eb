#include "render/camera.h"

#include <gtest/gtest.h>

#include <numbers>

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
  const CameraSpec spec{"side", {0.4, -1.1, 0.7}, {0.1, 0.2, 0.3}, 35};
  const Camera camera = Camera::from(spec);
  EXPECT_LT((camera.eye() - spec.position).norm(), 1e-12);
  EXPECT_LT(project(camera, spec.target).head<2>().norm(), 1e-5f);
}

TEST(Camera, RayGoesThroughThePointThatProjectsToItsPixel) {
  const Camera camera = Camera::from({"side", {0.4, -1.1, 0.7}, {0, 0, 0.1}, 35});
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

}  // namespace
}  // namespace slipstick::render

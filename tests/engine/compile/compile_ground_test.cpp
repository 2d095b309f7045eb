// Where the drawn ground lies.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "engine/compile/compile.h"
#include "engine/model/model.h"

namespace slipstick {
namespace {

TEST(CompileGround, LiesUnderWhatReachesBelowItWhereTheSceneLeavesItOpen) {
  // Tilted by 30° about x, its origin 0.1 m up.
  const double s = 0.5, c = std::sqrt(0.75);
  auto box = std::make_shared<TriangleMesh>();
  for (int k = 0; k < 8; ++k)
    box->vertices.push_back({k & 1 ? 0.1 : -0.1, k & 2 ? 0.2 : -0.2, k & 4 ? 0.3 : -0.3});
  const std::pair<Shape, double> cases[] = {
      {shape::Box{Vec3(0.1, 0.2, 0.3)}, s * 0.2 + c * 0.3},
      {shape::Mesh{box}, s * 0.2 + c * 0.3},
      {shape::Sphere{0.4}, 0.4},
      {shape::Capsule{0.1, 0.6}, 0.1 + c * 0.3},
      {shape::Cylinder{0.1, 0.6}, s * 0.1 + c * 0.3},
      {shape::Ellipsoid{Vec3(0.1, 0.2, 0.3)}, std::hypot(s * 0.2, c * 0.3)},
      {shape::Sphere{0.05}, 0.1},  // above 0: the ground stays there
  };
  for (const auto& [shape, depth] : cases) {
    RobotSpec thing;
    thing.name = "thing";
    thing.freeBase = true;
    thing.description.links.resize(1);
    LinkSpec& link = thing.description.links[0];
    link.mass = 1;
    link.inertia = Mat3::Identity();
    link.collisions.resize(1);
    link.collisions[0].shape = shape;
    thing.X_PB = Pose::translation({0.3, 0.2, 0.1});
    thing.X_PB.R = Eigen::AngleAxisd(std::numbers::pi / 6, Vec3::UnitX()).toRotationMatrix();
    // What is only drawn counts where nothing collides; a mesh without triangles cannot.
    if (std::holds_alternative<shape::Mesh>(shape)) std::swap(link.visuals, link.collisions);
    Scene scene;
    scene.robots = {thing};
    EXPECT_EQ(compile(scene)->model->groundHeight, 0);
    scene.groundHeight.reset();
    EXPECT_NEAR(compile(scene)->model->groundHeight, 0.1 - depth, 1e-12) << shape.index();
  }
}

}  // namespace
}  // namespace slipstick

#include "engine/geometry/shape_bounds.h"

#include <gtest/gtest.h>

#include <numbers>
#include <utility>
#include <vector>

#include "tests/engine/geometry/contact_meshes.h"

namespace slipstick {
namespace {

const std::vector<std::pair<Shape, Vec3>>& shapesAndSizes() {
  static const std::vector<std::pair<Shape, Vec3>> kShapes = {
      {shape::Sphere{0.5}, {1, 1, 1}},
      {shape::Box{Vec3(0.1, 0.2, 0.3)}, {0.2, 0.4, 0.6}},
      {shape::Capsule{0.1, 0.5}, {0.2, 0.2, 0.7}},
      {shape::Cylinder{0.1, 0.5}, {0.2, 0.2, 0.5}},
      {shape::Ellipsoid{Vec3(0.1, 0.2, 0.4)}, {0.2, 0.4, 0.8}},
      {boxMesh(Vec3(0.3, 0.1, 0.2)), {0.6, 0.2, 0.4}}};
  return kShapes;
}

TEST(RoughBounds, HoldTheShapeAndAreEmptyForPlanes) {
  EXPECT_TRUE(roughBounds(shape::Plane{}).isEmpty());
  for (const auto& [shape, size] : shapesAndSizes())
    EXPECT_LT((roughBounds(shape).sizes() - size).norm(), 1e-12) << shape.index();
}

TEST(RoughBounds, InAnotherFrameHoldTheTurnedBox) {
  const Pose X_AS{Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix(), {1, 2, 3}};
  EXPECT_TRUE(roughBounds(shape::Plane{}, X_AS).isEmpty());
  for (const auto& [shape, size] : shapesAndSizes()) {
    const Eigen::AlignedBox3d box = roughBounds(shape, X_AS);
    EXPECT_LT((box.sizes() - Vec3(size.y(), size.x(), size.z())).norm(), 1e-12) << shape.index();
    EXPECT_LT((box.center() - X_AS.p).norm(), 1e-12) << shape.index();
  }
}

}  // namespace
}  // namespace slipstick

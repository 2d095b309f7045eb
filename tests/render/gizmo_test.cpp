#include "render/gizmo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/foundation/math.h"

namespace slipstick::render {
namespace {

constexpr double kAspect = 1.5, kHeight = 800, kReach = 7;

Camera camera() {
  Camera c;
  c.target = {0.2, 0.1, 0.3};
  c.distance = 1.5;
  return c;
}

Pose someWhere() {
  return {Eigen::AngleAxisd(0.7, Vec3(0.2, -1, 0.5).normalized()).toRotationMatrix(), Vec3(0.25, 0.05, 0.35)};
}

Eigen::Vector2d onPicture(const Camera& c, const Vec3& p) {
  const Eigen::Vector4d clip = (c.projection(kAspect) * c.view()).cast<double>() * p.homogeneous();
  return {(clip.x() / clip.w() + 1) / 2, (1 - clip.y() / clip.w()) / 2};
}

Vec3 rayTo(const Camera& c, const Vec3& p) {
  return (p - c.eye()).normalized();
}

TEST(Gizmo, IsAsLargeOnThePictureFromWhereverOneLooks) {
  Camera near = camera(), far = camera();
  far.distance = 6;
  const auto length = [](const Camera& c) {
    const Gizmo gizmo = gizmoAt({Mat3::Identity(), c.target}, c);
    const std::vector<Vec3> axis = outlineOf(gizmo, Handle::AxisZ);
    return (onPicture(c, axis.back()) - onPicture(c, c.target)).norm();
  };
  EXPECT_NEAR(length(near), length(far), 0.05 * length(near));
}

TEST(Gizmo, EveryHandleIsFoundWhereItIsDrawn) {
  const Camera c = camera();
  const Gizmo gizmo = gizmoAt(someWhere(), c);
  for (int i = 0; i < kHandleCount; ++i) {
    const auto handle = static_cast<Handle>(i);
    const std::vector<Vec3> line = outlineOf(gizmo, handle);
    int found = 0;
    for (std::size_t p = 1; p < line.size(); ++p)
      found +=
          handleAt(gizmo, c, kAspect, onPicture(c, 0.5 * (line[p - 1] + line[p])), kHeight, kReach) == handle;
    EXPECT_GT(found, 0) << i;
  }
  EXPECT_FALSE(handleAt(gizmo, c, kAspect, {0.02, 0.02}, kHeight, kReach));
}

TEST(Gizmo, AnAxisFollowsThePointerAlongItself) {
  const Camera c = camera();
  const Gizmo gizmo = gizmoAt(someWhere(), c);
  for (const Handle handle : {Handle::AxisX, Handle::AxisY, Handle::AxisZ}) {
    const Vec3 axis = gizmo.X_WG.R.col(axisOf(handle)), from = gizmo.X_WG.p + 0.05 * axis;
    const Pose X = dragged(gizmo, handle, c.eye(), rayTo(c, from), rayTo(c, from + 0.083 * axis), false);
    EXPECT_LT((X.p - gizmo.X_WG.p - 0.083 * axis).norm(), 1e-9);
    EXPECT_EQ(X.R, gizmo.X_WG.R);
    const Pose snapped = dragged(gizmo, handle, c.eye(), rayTo(c, from), rayTo(c, from + 0.083 * axis), true);
    EXPECT_LT((snapped.p - gizmo.X_WG.p - 0.08 * axis).norm(), 1e-9) << "in steps of 10 mm";
  }
}

TEST(Gizmo, APlaneFollowsThePointerWithinItself) {
  const Camera c = camera();
  const Gizmo gizmo = gizmoAt(someWhere(), c);
  for (const Handle handle : {Handle::PlaneX, Handle::PlaneY, Handle::PlaneZ}) {
    const int k = axisOf(handle);
    const Vec3 u = gizmo.X_WG.R.col((k + 1) % 3), v = gizmo.X_WG.R.col((k + 2) % 3);
    const Vec3 from = gizmo.X_WG.p + 0.03 * (u + v), moved = 0.04 * u - 0.06 * v;
    const Pose X = dragged(gizmo, handle, c.eye(), rayTo(c, from), rayTo(c, from + moved), false);
    EXPECT_LT((X.p - gizmo.X_WG.p - moved).norm(), 1e-9);
  }
}

TEST(Gizmo, ARingTurnsWithThePointer) {
  const Camera c = camera();
  const Gizmo gizmo = gizmoAt(someWhere(), c);
  for (const Handle handle : {Handle::RingX, Handle::RingY, Handle::RingZ}) {
    const int k = axisOf(handle);
    const Vec3 n = gizmo.X_WG.R.col(k), u = gizmo.X_WG.R.col((k + 1) % 3);
    const double angle = 50.0 / 180 * std::numbers::pi;
    const Vec3 from = gizmo.X_WG.p + 0.08 * u, to = gizmo.X_WG.p + 0.08 * (Eigen::AngleAxisd(angle, n) * u);
    const Pose X = dragged(gizmo, handle, c.eye(), rayTo(c, from), rayTo(c, to), false);
    EXPECT_LT((X.R - Eigen::AngleAxisd(angle, n).toRotationMatrix() * gizmo.X_WG.R).norm(), 1e-9);
    EXPECT_EQ(X.p, gizmo.X_WG.p);
    const Pose snapped = dragged(gizmo, handle, c.eye(), rayTo(c, from), rayTo(c, to), true);
    const double step = 45.0 / 180 * std::numbers::pi;
    EXPECT_LT((snapped.R - Eigen::AngleAxisd(step, n).toRotationMatrix() * gizmo.X_WG.R).norm(), 1e-9);
  }
}

TEST(Gizmo, AHandleThatOneLooksAlongIsLeftAlone) {
  const Camera c = camera();
  // Its z axis points at the eye.
  Pose X;
  X.p = c.target;
  const Vec3 z = (c.eye() - c.target).normalized(), x = Vec3::UnitZ().cross(z).normalized();
  X.R << x, z.cross(x), z;
  const Gizmo gizmo = gizmoAt(X, c);
  const std::vector<Vec3> axis = outlineOf(gizmo, Handle::AxisZ);
  EXPECT_NE(handleAt(gizmo, c, kAspect, onPicture(c, axis.back()), kHeight, kReach), Handle::AxisZ);
  const Pose same = dragged(gizmo, Handle::AxisZ, c.eye(), z, z, false);
  EXPECT_TRUE(same.p.allFinite());
}

}  // namespace
}  // namespace slipstick::render

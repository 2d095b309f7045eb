// Cloth that hangs: how long it gets, how it comes to rest, what holds it.
#include <gtest/gtest.h>

#include <numbers>

#include "engine/model/model.h"
#include "tests/validation/scene_run.h"

using namespace slipstick;
using namespace slipstick::testing;

namespace {

constexpr double kLength = 0.4;  // [m]
constexpr int kCount = 17;

/// A square sheet whose two upper corners are clamped. @param tilt  of its plane from the vertical [rad]
Scene hangingSheet(double E, double tilt) {
  Scene scene;
  scene.name = "hanging";
  scene.gridSpacing = 0.025;
  scene.time.dt = 0.005;
  MaterialParameters p;
  p.model = MaterialModel::Cloth;
  p.E = E;
  p.density = 1000;
  p.thickness = 1e-3;
  scene.materials.push_back({"fabric", p});
  DeformableSpec sheet;
  sheet.name = "sheet";
  sheet.material = "fabric";
  sheet.sheet = SheetSpec{{kLength, kLength}, {kCount, kCount}};
  sheet.X_WD = Pose::fromRpy({std::numbers::pi / 2 - tilt, 0, 0}, {0, 0, 1});  // the sheet's y points up
  scene.deformables.push_back(sheet);
  for (const double side : {-1.0, 1.0}) {
    BoundarySpec clamp;
    clamp.name = side < 0 ? "left" : "right";
    clamp.shape = shape::Sphere{0.03};
    clamp.X_WS = Pose::translation(sheet.X_WD * Vec3(side * kLength / 2, kLength / 2, 0));
    scene.boundaries.push_back(clamp);
  }
  return scene;
}

/// Vertex (i, j) of the sheet.
Vec3 vertex(const Snapshot& s, int i, int j) {
  return s.particles[static_cast<std::size_t>(i * kCount + j)].cast<double>();
}

/// Length of the polygon of vertices from a clamped corner down the side's edge.
double sideLength(const Snapshot& s, int i) {
  double length = 0;
  for (int j = 0; j + 1 < kCount; ++j) length += (vertex(s, i, j + 1) - vertex(s, i, j)).norm();
  return length;
}

}  // namespace

TEST(HangingCloth, ReachesTheLengthOfAnInextensibleSheet) {
  SceneRun run(hangingSheet(1e6, 0.15));
  ASSERT_TRUE(run.ok());
  double deepest = 0;  // it swings: it hangs straight once per half period
  run.runTo(1.5, [&](const Snapshot& s) {
    deepest = std::max(deepest, vertex(s, 0, kCount - 1).z() - vertex(s, 0, 0).z());
  });
  EXPECT_EQ(run.health(), 0u);
  EXPECT_NEAR(deepest, kLength, 0.03 * kLength);
  const Snapshot& s = run.snapshot();
  for (const int side : {0, kCount - 1}) {
    EXPECT_NEAR((vertex(s, side, kCount - 1) - vertex(s, side, 0)).norm(), kLength, 0.03 * kLength);
    EXPECT_NEAR(sideLength(s, side), kLength, 0.03 * kLength);
  }
}

/// The mean strain of a row is its load ρ g z over the modulus of a sheet that cannot get thinner, E/(1 −
/// ν²): a softer sheet is longer by ρ g L² (1 − ν²)/2E, but for the clamped corners.
TEST(HangingCloth, StretchesUnderItsWeightAsItsModulusSays) {
  const auto meanHeight = [](double E) {
    Scene scene = hangingSheet(E, 0);
    scene.deformables[0].apicDamping = 0;  // it hangs still sooner
    SceneRun run(scene);
    EXPECT_TRUE(run.ok());
    if (!run.ok()) return 0.0;
    double sum = 0;
    run.runTo(1.5);
    for (int i = 0; i < kCount; ++i)
      sum += (vertex(run.snapshot(), i, kCount - 1) - vertex(run.snapshot(), i, 0)).norm();
    return sum / kCount;
  };
  const double expected = 1000 * 9.81 * kLength * kLength * (1 - 0.3 * 0.3) / 2 * (1 / 1e5 - 1 / 1e6);
  EXPECT_NEAR(meanHeight(1e5) - meanHeight(1e6), expected, 0.1 * expected);
}

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
    clamp.shape = shape::Sphere{2.6 * scene.gridSpacing};  // all nodes that move a particle at its centre
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
  const Scene scene = hangingSheet(1e6, 0.15);
  const Vec3 clamp = scene.boundaries[0].X_WS.p;
  SceneRun run(scene);
  ASSERT_TRUE(run.ok());
  double deepest = 0;  // it swings: it hangs straight once per half period
  run.runTo(1.5, [&](const Snapshot& s) {
    deepest = std::max(deepest, vertex(s, 0, kCount - 1).z() - vertex(s, 0, 0).z());
  });
  EXPECT_EQ(run.health(), 0u);
  EXPECT_LT((vertex(run.snapshot(), 0, kCount - 1) - clamp).norm(), 1e-3);  // it has not slipped out
  EXPECT_NEAR(deepest, kLength, 0.03 * kLength);
  const Snapshot& s = run.snapshot();
  for (const int side : {0, kCount - 1}) {
    EXPECT_NEAR((vertex(s, side, kCount - 1) - vertex(s, side, 0)).norm(), kLength, 0.03 * kLength);
    EXPECT_NEAR(sideLength(s, side), kLength, 0.03 * kLength);
  }
}

namespace {

/// Held along its whole upper edge, the part between heights z₁ and z₂ over the lower edge gets longer by
/// ρ g (z₂² − z₁²)/2E', E' = E/(1 − ν²) being the modulus of a sheet that does not get thinner.
void expectStretch(const char* method, double dt) {
  constexpr double kE = 4e5;
  Scene scene = hangingSheet(kE, 0);
  scene.time.dt = dt;
  scene.deformables[0].apicDamping = 0;  // it hangs still sooner
  scene.boundaries.resize(1);
  scene.boundaries[0].shape = shape::Box{{0.6 * kLength, 2.6 * scene.gridSpacing, 2.6 * scene.gridSpacing}};
  scene.boundaries[0].X_WS = Pose::translation({0, 0, 1 + kLength / 2});
  StepperOptions options;
  options.method = method;
  SceneRun run(scene, options);
  ASSERT_TRUE(run.ok());
  run.runTo(1.5);
  EXPECT_EQ(run.health(), 0u);
  constexpr int kLow = 2, kHigh = 9;
  double length = 0;
  for (int i = 0; i < kCount; ++i)
    length += (vertex(run.snapshot(), i, kHigh) - vertex(run.snapshot(), i, kLow)).norm() / kCount;
  const double row = kLength / (kCount - 1), z1 = kLow * row, z2 = kHigh * row;
  const double stretch = 1000 * 9.81 * (1 - 0.3 * 0.3) / kE * (z2 * z2 - z1 * z1) / 2;
  EXPECT_NEAR(length - (z2 - z1), stretch, 0.05 * stretch);
}

}  // namespace

TEST(HangingCloth, StretchesUnderItsWeightAsItsModulusSays) {
  expectStretch("async", 0.005);
}

TEST(HangingCloth, StretchesUnderItsWeightInImplicitStepsToo) {
  expectStretch("implicit", 0.02);
}

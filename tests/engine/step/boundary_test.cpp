// Boundaries from the scene to the snapshot.
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

/// A soft cube of 8 cm that stands on a clamp, which goes up at 0.1 m/s from 0.02 s on and opens at 0.1 s.
Scene liftedCube() {
  Scene scene;
  scene.time.dt = 0.005;
  scene.gridSpacing = 0.02;
  scene.materials.push_back({"gel", {.E = 5e4, .nu = 0.3, .density = 1000}});
  DeformableSpec cube;
  cube.name = "cube";
  cube.material = "gel";
  cube.shape = shape::Box{Vec3::Constant(0.04)};
  cube.X_WD = Pose::translation({0, 0, 0.05});
  scene.deformables.push_back(cube);
  PathSpec lift;
  lift.name = "lift";
  lift.keys = {{0.02, Vec3::Zero(), Quat::Identity()}, {1.02, Vec3(0, 0, 0.1), Quat::Identity()}};
  scene.paths.push_back(lift);
  BoundarySpec clamp;
  clamp.name = "clamp";
  clamp.shape = shape::Box{Vec3(0.06, 0.06, 0.02)};
  clamp.X_WS = Pose::translation({0, 0, 0.01});
  clamp.path = "lift";
  clamp.until = 0.1;
  scene.boundaries.push_back(clamp);
  return scene;
}

TEST(BoundaryCoupling, CarriesTheWeightWhileItActsAndMomentumBalances) {
  const Result<CompiledScene> compiled = compile(liftedCube());
  ASSERT_TRUE(compiled) << compiled.error().message();
  const std::shared_ptr<const Model> model = compiled->model;
  for (const char* backend : {"reference", "cpu"}) {
    const std::unique_ptr<Stepper> stepper = testing::stepperOf(model, {.backend = backend, .threads = 1});
    ASSERT_TRUE(stepper);
    Snapshot snapshot;
    stepper->observe(snapshot);
    ASSERT_EQ(snapshot.boundaryForce.size(), 1u);
    const Vec3 before = snapshot.totals.momentum;
    Vec3 impulse = Vec3::Zero();
    while (snapshot.step < 20) {
      stepper->step({}, snapshot);
      impulse += model->time.dt * snapshot.boundaryForce[0];
      EXPECT_LT(snapshot.report.momentumError, 1e-5) << "step " << snapshot.step;
    }
    double mass = 0;
    for (const double m : model->nodes.mass) mass += m;
    EXPECT_LT((snapshot.totals.momentum - before + impulse - mass * snapshot.time * model->gravity).norm(),
              1e-5 * mass);
    EXPECT_LT(impulse.z(), -0.5 * mass * 9.81 * snapshot.time) << "the force on the clamp points down";
    EXPECT_GT(snapshot.totals.momentum.z(), 0.02 * mass) << "it is being lifted";
    stepper->step({}, snapshot);  // the clamp has opened
    EXPECT_EQ(snapshot.boundaryForce[0], Vec3(0, 0, 0));
    const double falling = snapshot.totals.momentum.z();
    stepper->step({}, snapshot);
    EXPECT_NEAR(snapshot.totals.momentum.z() - falling, -9.81 * mass * model->time.dt, 1e-5 * mass);
  }
}

}  // namespace
}  // namespace slipstick

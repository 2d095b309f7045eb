// Stiff contacts hold as well at the tolerance of the tasks as at a tight one.
#include <gtest/gtest.h>

#include <cstdio>

#include "engine/compile/compile.h"
#include "engine/step/stepper.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

/// The grip of the shipped shake in small: two fixed pads press a cube of foam by 0.2 mm from either side and
/// hold it against gravity by friction alone.
Scene grip(double relativeTolerance, ContactSolverName solver) {
  Scene scene;
  scene.time.dt = 1e-3;
  scene.time.substeps = 20;
  scene.gridSpacing = 0.02;
  scene.solver.relativeTolerance = relativeTolerance;
  scene.solver.contactSolver = solver;
  scene.materials.push_back({"foam", {.E = 5e5, .nu = 0.4, .density = 100}});
  DeformableSpec cube;
  cube.name = "cube";
  cube.material = "foam";
  cube.shape = shape::Box{Vec3::Constant(0.02)};
  cube.sampling.spacing = 0.01;
  scene.deformables.push_back(cube);
  for (const double side : {-1.0, 1.0}) {
    RobotSpec pad;
    pad.name = side < 0 ? "left" : "right";
    LinkSpec link;
    LinkGeometry geometry;
    geometry.shape = shape::Box{Vec3(0.02, 0.04, 0.04)};
    geometry.X_BG = Pose::translation({side * (0.02 + 0.02 - 0.005 - 0.0002), 0, 0});
    geometry.contact.friction = 0.8, geometry.contact.stiffness = 5e4, geometry.contact.dissipation = 100;
    link.collisions = {geometry};
    pad.description.links = {link};
    scene.robots.push_back(pad);
  }
  return scene;
}

struct Held {
  double slip = 0;   ///< mean of the contacts' slip speeds, weighted by their normal forces [m/s]
  double force = 0;  ///< of friction, upwards on the cube [N]
  HealthFlags health = 0;
};

/// The last quarter of 20 ms.
Held hold(double relativeTolerance, ContactSolverName solver, const char* backend) {
  const Result<CompiledScene> compiled = compile(grip(relativeTolerance, solver));
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message());
  const std::shared_ptr<const Model> model = compiled->model;
  const auto stepper = testing::stepperOf(model, {.backend = backend, .threads = 1});
  Snapshot snapshot;
  Held held;
  double normal = 0;
  for (int step = 1; step <= 20; ++step) {
    held.health |= stepper->step({}, snapshot).health;
    if (step <= 15) continue;
    for (const Contact& c : snapshot.contacts) {
      held.slip += c.normalForce() * c.slipSpeed;
      held.force -= c.f_Bc_W.z() / 5;
      normal += c.normalForce();
    }
  }
  held.slip /= normal;
  return held;
}

TEST(StiffGrip, SlipsNoMoreThanTwiceAsFastAtALooseTolerance) {
  for (const char* backend : {"cpu", "reference"}) {
    const Held loose = hold(5e-2, ContactSolverName::MajorizedAnderson, backend);
    const Held tight = hold(1e-6, ContactSolverName::ContactNewton, backend);
    std::printf("%s: slip %.3e m/s at 5e-2, %.3e m/s at 1e-6; friction %.4f N and %.4f N\n", backend,
                loose.slip, tight.slip, loose.force, tight.force);
    EXPECT_EQ(loose.health, 0u);
    EXPECT_LT(loose.slip, 2 * tight.slip);
    EXPECT_GT(loose.slip, tight.slip / 2);
    EXPECT_NEAR(loose.force, 0.0064 * 9.81, 0.1 * 0.0064 * 9.81) << "the weight of the cube";
  }
}

}  // namespace
}  // namespace slipstick

// A rigid step that has seen its contacts before takes no memory from the heap.
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "engine/multibody/kinematics.h"
#include "engine/rigid/rigid_solver.h"
#include "tests/support/allocation_count.h"

namespace slipstick {
namespace {

RobotSpec body(const std::string& name, const Shape& shape, bool isFree, const Vec3& p) {
  LinkSpec link;
  link.mass = isFree ? 1 : 0;
  link.inertia = isFree ? Mat3(2e-3 * Mat3::Identity()) : Mat3(Mat3::Zero());
  LinkGeometry geometry;
  geometry.shape = shape;
  link.collisions.push_back(geometry);
  RobotSpec spec;
  spec.name = name;
  spec.description.links.push_back(link);
  spec.freeBase = isFree;
  spec.X_PB.p = p;
  return spec;
}

/// Stacked boxes, a ball beside them, and a hinged flap that leans on the stack within its limits.
Scene restingScene() {
  Scene scene;
  scene.robots.push_back(body("ground", shape::Plane{}, false, Vec3::Zero()));
  const shape::Box box{Vec3(0.05, 0.05, 0.05)};
  for (int i = 0; i < 4; ++i)
    scene.robots.push_back(body("box_" + std::to_string(i), box, true, Vec3(0, 0, 0.0499 + 0.0998 * i)));
  scene.robots.push_back(body("ball", shape::Sphere{0.04}, true, Vec3(0.3, 0, 0.0399)));
  RobotSpec flap = body("flap", shape::Box{Vec3(0.01, 0.05, 0.1)}, true, Vec3(-0.1, 0, 0.1));
  flap.freeBase = false;
  flap.description.links.front().name = "leaf";
  LinkSpec post;
  post.name = "post";
  flap.description.links.insert(flap.description.links.begin(), post);
  JointSpec hinge;
  hinge.name = "hinge";
  hinge.type = multibody::JointType::Revolute;
  hinge.parent = "post";
  hinge.child = "leaf";
  hinge.axis = Vec3::UnitY();
  hinge.lower = -1;
  hinge.upper = 1;
  hinge.damping = 0.1;
  hinge.dryFriction = 0.01;
  flap.description.joints.push_back(hinge);
  scene.robots.push_back(flap);
  return scene;
}

TEST(RigidStep, AllocatesNothingInASteadyState) {
  for (const auto potential :
       {ContactPotentialName::Lagged, ContactPotentialName::Similar, ContactPotentialName::Sap}) {
    Scene scene = restingScene();
    scene.rigidSolver.potential = potential;
    const Result<CompiledScene> compiled = compile(scene);
    ASSERT_TRUE(compiled) << compiled.error().message();
    const std::shared_ptr<const Model> model = compiled->model;
    RigidSolver solver(model);
    RigidStepInput input;
    RigidStepOutput output;
    VecX q = model->initialQ, v = model->initialV, warmStart;
    input.q = &q;
    input.v = &v;
    input.dt = 2e-3;
    input.gravity = model->gravity;
    const auto step = [&] {
      solver.step(input, warmStart, output);
      v = output.v;
      multibody::integrate(model->tree, v, input.dt, q);
    };
    int iterations = 0;
    // A push keeps the solver at work; what touches stays the same.
    const auto push = [&] {
      for (int i = 0; i < 50; ++i) {
        v[3] += 1e-5;
        step();
        iterations += output.iterations;
      }
    };
    for (int i = 0; i < 1000; ++i) step();
    push();
    ASSERT_GE(output.contacts.pairs.size(), 5u);
    const std::size_t before = testing::allocationCount();
    push();
    EXPECT_EQ(testing::allocationCount() - before, 0u) << static_cast<int>(potential);
    EXPECT_GT(iterations, 0);
  }
}

}  // namespace
}  // namespace slipstick

// What spins on a plane is slowed by the friction under all of its face: μ N ⟨r⟩, ⟨r⟩ the mean distance from the middle under
// even pressure.
#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "engine/multibody/kinematics.h"
#include "engine/rigid/rigid_solver.h"

namespace slipstick {
namespace {

constexpr double kG = 9.81, kFriction = 0.2, kMass = 1, kRate = 10, kDt = 1e-3;

RobotSpec body(const std::string& name, const Shape& shape, const Mat3& inertia) {
  LinkSpec link;
  link.mass = inertia.isZero(0) ? 0 : kMass;
  link.inertia = inertia;
  LinkGeometry geometry;
  geometry.shape = shape;
  geometry.contact.friction = kFriction;
  link.collisions = {geometry};
  RobotSpec spec;
  spec.name = name;
  spec.description.links = {link};
  spec.freeBase = link.mass > 0;
  return spec;
}

/// How fast a thing that spins about the vertical slows down on the ground [rad/s²].
/// @param X  where it stands   @param moment  of inertia about the vertical
double slowingOf(const Shape& shape, const Pose& X, double moment) {
  Scene scene;
  scene.robots.push_back(body("ground", shape::Plane{}, Mat3::Zero()));
  RobotSpec thing = body("thing", shape, moment * Mat3::Identity());
  thing.X_PB = X;
  thing.angularVelocity = {0, 0, kRate};
  scene.robots.push_back(thing);
  const Result<CompiledScene> compiled = compile(scene);
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message());
  const Model& model = *compiled->model;
  RigidSolver solver(compiled->model);
  RigidStepInput input;
  RigidStepOutput output;
  VecX q = model.initialQ, v = model.initialV, warmStart;
  input.q = &q, input.v = &v, input.dt = kDt, input.gravity = model.gravity;
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      solver.step(input, warmStart, output);
      v = output.v;
      multibody::integrate(model.tree, v, kDt, q);
    }
    return v[2];
  };
  const double begin = run(50);
  return (begin - run(100)) / (100 * kDt);
}

TEST(Spin, OfAPuckOnItsFaceSlowsByTheFrictionOfADisc) {
  constexpr double R = 0.1, moment = kMass * R * R / 2;
  const double right = kFriction * kMass * kG * (2 * R / 3) / moment;
  ASSERT_NEAR(right, 26.16, 0.005);
  EXPECT_NEAR(slowingOf(shape::Cylinder{R, 0.04}, Pose::translation({0, 0, 0.02}), moment), right,
              0.005 * right);
}

TEST(Spin, OfThingsThatLieSlowsByTheFrictionOfALine) {
  // Half as long as h: ⟨r⟩ = h/2.
  constexpr double R = 0.02, h = 0.1, moment = kMass * h * h / 3;
  const double right = kFriction * kMass * kG * (h / 2) / moment;
  const Pose lying = Pose::fromRpy({0, 0.5 * M_PI, 0}, {0, 0, R});
  EXPECT_NEAR(slowingOf(shape::Cylinder{R, 2 * h}, lying, moment), right, 0.005 * right);
  EXPECT_NEAR(slowingOf(shape::Capsule{R, 2 * h}, lying, moment), right, 0.005 * right);
}

}  // namespace
}  // namespace slipstick

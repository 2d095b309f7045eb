#include "engine/rigid/rigid_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/multibody/dynamics.h"
#include "engine/multibody/inverse_kinematics.h"
#include "engine/multibody/kinematics.h"
#include "tests/support/random_tree.h"

namespace slipstick::testing {
namespace {

using namespace multibody;           // NOLINT(google-build-using-namespace): trees and joints
using namespace multibody::testing;  // NOLINT(google-build-using-namespace): the random ones

constexpr double kDt = 0.01;

/// A model in motion, stepped by the solver.
struct World {
  std::shared_ptr<Model> model;
  RigidSolver solver;
  VecX q, v, warmStart;
  RigidStepInput input;
  RigidStepOutput output;

  explicit World(std::shared_ptr<Model> m)
      : model(std::move(m)), solver(model), q(model->tree.zeroPosition()), v(VecX::Zero(model->tree.nv)) {
    input.dt = kDt;
  }
  void step() {
    input.q = &q;
    input.v = &v;
    solver.step(input, warmStart, output);
    v = output.v;
    integrate(model->tree, v, input.dt, q);
  }
  std::vector<Pose> poses() const {
    std::vector<Pose> X_WB;
    computePoses(model->tree, q, X_WB);
    return X_WB;
  }
  MechanicalTotals totals() const {
    const std::vector<Pose> X_WB = poses();
    std::vector<Velocity> V_WB;
    computeVelocities(model->tree, q, v, X_WB, V_WB);
    return mechanicalTotals(model->tree, X_WB, V_WB, input.gravity);
  }
};

Body box(const std::string& name, double mass, const Vec3& moments) {
  return {.name = name, .mass = mass, .com = Vec3::Zero(), .inertia = moments.asDiagonal()};
}

Tree oneFreeBody() {
  Tree tree;
  tree.add(box("box", 2, Vec3(0.02, 0.05, 0.07)),
           {.name = "base", .type = JointType::Floating, .effortLimit = {}});
  return tree;
}

Tree oneHinge() {
  Tree tree;
  tree.add(box("wheel", 1, Vec3(0.1, 0.1, 0.1)),
           {.name = "hinge", .type = JointType::Continuous, .effortLimit = {}});
  return tree;
}

TEST(FreeBody, WithoutForcesKeepsItsVelocityToTheLastBit) {
  World world(modelOf(oneFreeBody()));
  world.v << 0, 0, 0, 0.3, -0.7, 1.1;
  const VecX start = world.v;
  for (int i = 0; i < 1000; ++i) world.step();
  EXPECT_EQ(world.v, start);
  EXPECT_LT((world.q.head<3>() - 10 * start.tail<3>()).norm(), 1e-12);
}

TEST(FreeBody, WithoutInertiaHasNoFactorAndSaysSo) {
  for (const double mass : {2.0, 0.0}) {
    Tree tree;
    tree.add(box("box", mass, Vec3(0.02, 0.05, 0.07) * mass),
             {.name = "base", .type = JointType::Floating, .effortLimit = {}});
    World world(modelOf(tree));
    world.step();
    EXPECT_EQ(world.output.factored, mass > 0);
    EXPECT_EQ(world.output.converged, mass > 0);
  }
}

TEST(FreeBody, FollowsTheReferenceIntegrator) {
  Random random(41);
  World world(modelOf(oneFreeBody()));
  world.input.gravity = Vec3(0.1, 0.2, -9.81);
  world.input.wrenchImpulse.resize(2);
  world.v = randomVecX(random, 6);
  Vec3 p = Vec3::Zero(), v = world.v.tail<3>(), w = world.v.head<3>();
  Mat3 R = Mat3::Identity();
  for (int i = 0; i < 200; ++i) {
    const Wrench j{0.1 * randomVec3(random), 0.01 * randomVec3(random)};
    world.input.wrenchImpulse[1] = j;
    world.step();
    const Mat3 I_W = R * world.model->tree.bodies[1].inertia * R.transpose();
    v += kDt * world.input.gravity + j.force / 2;
    w += I_W.inverse() * (j.torque - kDt * w.cross(I_W * w));
    p += kDt * v;
    R = Eigen::AngleAxisd(kDt * w.norm(), w.normalized()).toRotationMatrix() * R;
  }
  const Pose X_WB = world.poses()[1];
  EXPECT_LT((X_WB.p - p).norm(), 1e-11);
  EXPECT_LT((X_WB.R - R).norm(), 1e-11);
}

TEST(WrenchImpulse, ActsOnceAndEqualsAForceTimesTheStep) {
  World once(modelOf(oneFreeBody())), asForce(modelOf(oneFreeBody()));
  const Wrench impulse{Vec3(0.3, -0.2, 0.5), Vec3(0.01, 0.02, -0.03)};
  once.input.wrenchImpulse.assign(2, Wrench{});
  once.input.wrenchImpulse[1] = impulse;
  asForce.input.externalWrench.assign(2, Wrench{});
  asForce.input.externalWrench[1] = impulse * (1 / kDt);
  once.step();
  asForce.step();
  EXPECT_LT((once.v - asForce.v).norm(), 1e-13);
  EXPECT_LT((once.totals().momentum - impulse.force).norm(), 1e-13);
}

TEST(ImplicitPd, AppliesItsLawToTheNewState) {
  World world(modelOf(oneHinge()));
  world.v[0] = 0.5;
  world.input.targets = {{.joint = 0, .q = 0.2, .v = 0.1, .kp = 1e5, .kd = 300, .effortLimit = 1e9}};
  world.step();
  EXPECT_NEAR(world.output.tau[0], 1e5 * (0.2 - world.q[0]) + 300 * (0.1 - world.v[0]), 1e-6);
  EXPECT_NEAR(0.1 * (world.v[0] - 0.5), kDt * world.output.tau[0], 1e-9);
  EXPECT_TRUE(world.output.saturated.empty());
}

TEST(ImplicitPd, SaturatesExactlyAtItsEffortLimitAndSaysSo) {
  World world(modelOf(oneHinge()));
  world.input.effort = VecX::Constant(1, 0.25);
  world.input.targets = {{.joint = 0, .q = -1, .kp = 1e6, .kd = 2e3, .effortLimit = 0.7}};
  world.step();
  EXPECT_EQ(world.output.saturated, std::vector<std::int32_t>{0});
  EXPECT_EQ(world.output.tau[0], 0.25 - 0.7);
  EXPECT_NEAR(world.v[0], kDt * (0.25 - 0.7) / 0.1, 1e-12);
}

/// A cable pulls with up to 0.7 N m and does not push; a preloaded one pulls always.
TEST(ImplicitPd, EachDirectionHasItsOwnBound) {
  const auto torqueTo = [](double goal, const EffortRange& range) {
    World world(modelOf(oneHinge()));
    world.input.targets = {{.joint = 0, .q = goal, .kp = 1e6, .kd = 2e3, .effortLimit = range}};
    world.step();
    EXPECT_EQ(world.output.saturated.empty(), world.output.tau[0] == 0) << "a slack cable is at no limit";
    EXPECT_NEAR(world.v[0], kDt * world.output.tau[0] / 0.1, 1e-12);
    return world.output.tau[0];
  };
  EXPECT_EQ(torqueTo(-1, {0, 0.7}), 0);
  EXPECT_EQ(torqueTo(1, {0, 0.7}), 0.7);
  EXPECT_EQ(torqueTo(-1, {-0.2, 0.7}), -0.2);
  EXPECT_EQ(torqueTo(-1, {0.3, 0.7}), 0.3);
}

TEST(ImplicitPd, OnlyTheBoundThatIsNotMeantSaturates) {
  for (const double goal : {-1.0, 1.0}) {
    World world(modelOf(oneHinge()));
    world.input.targets = {
        {.joint = 0, .q = goal, .kp = 1e6, .kd = 2e3, .effortLimit = {-0.2, 0.7}, .upperIsMeant = true}};
    world.step();
    EXPECT_EQ(world.output.saturated.empty(), goal > 0);
  }
}

TEST(ImplicitPd, IsStableAtAnyGainAndEndsAtTheGoal) {
  World world(modelOf(oneHinge()));
  world.input.targets = {
      {.joint = 0, .q = 0.8, .kp = 1e12, .kd = 1e7, .effortLimit = std::numeric_limits<double>::infinity()}};
  for (int i = 0; i < 50; ++i) {
    world.step();
    EXPECT_TRUE(world.output.converged);
    EXPECT_LE(world.q[0], 0.8 + 1e-9);
  }
  EXPECT_NEAR(world.q[0], 0.8, 1e-9);
}

TEST(JointDamping, IsImplicitAndNeverReversesTheMotion) {
  Tree tree = oneHinge();
  tree.joints[0].damping = 1000;
  World world(modelOf(tree));
  world.v[0] = 2;
  world.step();
  EXPECT_NEAR(world.v[0], 2 * 0.1 / (0.1 + kDt * 1000), 1e-14);
}

TEST(JointLimit, HoldsAgainstAPushAndLetsGoWhenPulled) {
  Tree tree = oneHinge();
  tree.joints[0].type = JointType::Revolute;
  tree.joints[0].lower = -0.2;
  tree.joints[0].upper = 0.1;
  World world(modelOf(tree));
  world.input.effort = VecX::Constant(1, 50);
  for (int i = 0; i < 400; ++i) world.step();  // a violated limit relaxes by 1/11 per step
  EXPECT_NEAR(world.q[0], 0.1, 1e-3);
  EXPECT_NEAR(world.v[0], 0, 1e-9);
  EXPECT_NEAR(world.warmStart.sum(), -50 * kDt, 1e-6);
  world.input.effort[0] = -1;
  world.step();
  world.step();
  EXPECT_LT(world.v[0], 0);
}

/// v² = 2 g gap at most (fastestCorrection()), at the short steps as at the long ones: 2.8 rad/s from 0.4 rad, where a part
/// of the gap per step would be 36 rad/s at 1 ms.
TEST(JointLimit, AStartBeyondItComesBackNoFasterThanAFall) {
  for (const double dt : {1e-3, 2e-3, 1e-2}) {
    Tree tree = oneHinge();
    tree.joints[0].type = JointType::Revolute;
    tree.joints[0].lower = 0.4;
    tree.joints[0].upper = 1;
    World world(modelOf(tree));
    world.input.dt = dt;
    world.step();
    EXPECT_GT(world.v[0], 0) << "it comes back";
    double fastest = 0;
    for (int i = 0; i < 1 / dt && world.q[0] < 0.4; ++i, world.step())
      fastest = std::max(fastest, world.v[0]);
    EXPECT_LE(fastest, std::sqrt(2 * 9.81 * 0.4) * (1 + 1e-6)) << dt;
    EXPECT_GE(world.q[0], 0.4 - 1e-3) << dt;
  }
}

TEST(MimicJoint, FollowsItsLeaderWithRatioAndOffset) {
  Tree tree = oneHinge();
  Joint follower{.name = "follower", .type = JointType::Prismatic, .parent = 0, .effortLimit = {}};
  follower.mimic = 0;
  follower.mimicRatio = -0.5;
  follower.mimicOffset = 0.3;
  tree.add(box("slider", 4, Vec3(0.1, 0.1, 0.1)), follower);
  World world(modelOf(tree));  // starts 0.3 m off
  world.input.effort = VecX::Unit(2, 0);
  for (int i = 0; i < 100; ++i) {
    world.step();
    ASSERT_TRUE(world.output.converged);
  }
  EXPECT_NEAR(world.q[1], -0.5 * world.q[0] + 0.3, 1e-6);
  // The leader carries the follower's reflected inertia 4 · 0.5².
  const double before = world.v[0];
  world.step();
  EXPECT_NEAR((world.v[0] - before) / kDt, 1 / (0.1 + 4 * 0.25), 1e-3);
}

/// Two free bodies welded with a gap and a twist, at rest but for the velocities given.
World weldedPair() {
  Tree tree = oneFreeBody();
  tree.add(box("other", 0.5, Vec3(0.01, 0.02, 0.015)),
           {.name = "base2", .type = JointType::Floating, .effortLimit = {}});
  auto model = modelOf(tree);
  model->loops.push_back({.name = "glue",
                          .bodyA = 1,
                          .X_AaA = Pose::translation(Vec3(0.2, 0, 0)),
                          .bodyB = 2,
                          .X_BbB = Pose::translation(Vec3(-0.1, 0, 0))});
  World world(model);
  world.q.segment<3>(7) = Vec3(0.301, 0.002, -0.001);
  const Quat twist(Eigen::AngleAxisd(0.01, Vec3(1, 2, 2) / 3));
  world.q.segment<4>(10) << twist.w(), twist.x(), twist.y(), twist.z();
  return world;
}

double weldGap(const World& world, const Loop& weld) {
  const std::vector<Pose> X_WB = world.poses();
  const Pose A = X_WB[static_cast<std::size_t>(weld.bodyA)] * weld.X_AaA;
  const Pose B = X_WB[static_cast<std::size_t>(weld.bodyB)] * weld.X_BbB;
  return (A.p - B.p).norm() + Quat(A.R).angularDistance(Quat(B.R));
}

TEST(Weld, PullsAGapShutWithinAFewStepsAndLeavesNoMotion) {
  World world = weldedPair();
  const double start = weldGap(world, world.model->loops[0]);
  double last = start;
  for (int i = 0; i < 20; ++i) {
    world.step();
    ASSERT_TRUE(world.output.converged);
    const double gap = weldGap(world, world.model->loops[0]);
    EXPECT_LT(gap, 0.6 * last) << "step " << i;
    last = gap;
  }
  EXPECT_LT(last, 1e-5 * start);
  EXPECT_LT(world.totals().kinetic, 1e-9);
}

/// Half a metre apart, the frames meet with v² ≤ 2 g gap in √(2 gap/g) = 0.32 s; the energy is at most what lifting the
/// reduced mass by the gap takes. Half of the gap per step would be 250 m/s at 1 ms.
TEST(Weld, AWideGapClosesNoFasterThanAFallThroughIt) {
  for (const double dt : {1e-3, 2e-3, 1e-2}) {
    World world = weldedPair();
    world.input.dt = dt;
    world.q.segment<7>(7) << 0.8, 0, 0, 1, 0, 0, 0;
    const double start = weldGap(world, world.model->loops[0]), reduced = 2 * 0.5 / 2.5;
    double last = start, highest = 0;
    for (int i = 0; i < 0.5 / dt; ++i) {
      world.step();
      ASSERT_TRUE(world.output.converged);
      const double gap = weldGap(world, world.model->loops[0]);
      // The regularisation gives way by some β²/4π² = 2.5e-4 of a step's braking, g Δt.
      EXPECT_LE((last - gap) / dt, std::sqrt(2 * 9.81 * last) + 1e-3 * 9.81 * dt) << dt;
      highest = std::max(highest, world.totals().kinetic);
      last = gap;
    }
    EXPECT_LE(highest, reduced * 9.81 * start * (1 + 1e-6)) << dt;
    EXPECT_LT(last, 1e-4) << dt;
    EXPECT_LT(world.totals().kinetic, 1e-4) << dt;
  }
}

/// Two rods, all but stretched, held at their tip, which is 0.3 mm too far out: only a large turn of the elbow brings it in. Half
/// of the gap per step would give the rods 0.1 J and more, in one step to and in the next fro.
TEST(Loop, IsClosedGentlyNearASingularPosture) {
  const Body rod{
      .name = "rod", .mass = 1, .com = Vec3(0.5, 0, 0), .inertia = Vec3(1e-3, 1. / 12, 1. / 12).asDiagonal()};
  Joint hinge{.name = "shoulder",
              .type = JointType::Continuous,
              .parent = 0,
              .X_PJ = {},
              .axis = Vec3::UnitY(),
              .effortLimit = {}};
  Tree tree;
  tree.add(rod, hinge);
  hinge.name = "elbow";
  hinge.parent = 1;
  hinge.X_PJ = Pose::translation(Vec3(1, 0, 0));
  tree.add(rod, hinge);
  constexpr double kGap = 3e-4;
  auto model = modelOf(tree);
  const Pose X_RodTip = Pose::translation(Vec3(1, 0, 0));
  model->loops.push_back({.name = "hold", .bodyA = 0, .X_AaA = {}, .bodyB = 2, .X_BbB = X_RodTip});
  model->loops[0].kind = LoopKind::Ball;
  for (const double dt : {1e-3, 2e-3, 1e-2}) {
    World world(model);
    world.input.dt = dt;
    world.q << -0.005, 0.01;
    model->loops[0].X_AaA = Pose::translation((world.poses()[2] * X_RodTip).p - Vec3(kGap, 0, 0));
    double highest = 0;
    for (int i = 0; i < 2 / dt; ++i) {
      world.step();
      ASSERT_TRUE(world.output.converged);
      highest = std::max(highest, world.totals().kinetic);
    }
    EXPECT_GT(highest, 0) << dt;
    EXPECT_LE(highest, 2 * 9.81 * kGap) << "lifts both rods by the gap, " << dt;
    const Pose X_WT = world.poses()[2] * X_RodTip;
    EXPECT_LT((X_WT.p - model->loops[0].X_AaA.p).norm(), 0.1 * kGap) << dt;
    EXPECT_LT(world.totals().kinetic, 1e-3 * highest) << "it comes to rest, " << dt;
  }
}

TEST(Weld, ConservesMomentumAndAngularMomentumAtTheConfigurationItActsIn) {
  World world = weldedPair();
  world.v.segment<3>(3) = Vec3(0.4, -0.3, 0.2);
  world.v.segment<3>(9) = Vec3(-1, 2, 0.5);
  const MechanicalTotals before = world.totals();
  world.input.q = &world.q;
  world.input.v = &world.v;
  world.solver.step(world.input, world.warmStart, world.output);
  world.v = world.output.v;
  const MechanicalTotals after = world.totals();
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12);
  EXPECT_LT((after.angularMomentum - before.angularMomentum).norm(), 1e-12);
  EXPECT_LT(after.kinetic, before.kinetic);
}

TEST(Weld, MakesTwoBodiesFallAsOne) {
  World world = weldedPair();
  world.input.gravity = Vec3(0, 0, -9.81);
  for (int i = 0; i < 100; ++i) world.step();
  EXPECT_LT((world.totals().momentum - 2.5 * Vec3(0, 0, -9.81)).norm(), 1e-9);
  EXPECT_LT(weldGap(world, world.model->loops[0]), 1e-6);
}

TEST(Weld, ToTheWorldHoldsABodyAgainstGravity) {
  auto model = modelOf(oneFreeBody());
  model->loops.push_back({.name = "nail",
                          .bodyA = 0,
                          .X_AaA = Pose::translation(Vec3(0, 0, 1)),
                          .bodyB = 1,
                          .X_BbB = Pose::translation(Vec3(0.3, 0, 0))});
  World world(model);
  world.q.head<3>() = Vec3(-0.3, 0, 1);
  world.input.gravity = Vec3(0, 0, -9.81);
  for (int i = 0; i < 200; ++i) world.step();
  EXPECT_LT(weldGap(world, model->loops[0]), 1e-5);
  // The impulse on the body: its weight, and the moment of its weight about the nail.
  EXPECT_NEAR(world.warmStart[5], 2 * 9.81 * kDt, 1e-6);
  EXPECT_NEAR(world.warmStart[1], 0.3 * 2 * 9.81 * kDt, 1e-4);
}

TEST(Weld, SwingsLikeAFixedJoint) {
  const Body rod{
      .name = "rod", .mass = 1, .com = Vec3(0, 0, -0.2), .inertia = Vec3(0.02, 0.02, 0.001).asDiagonal()};
  const Body weight = box("weight", 2, Vec3(0.01, 0.02, 0.015));
  const Joint hinge{.name = "hinge",
                    .type = JointType::Continuous,
                    .parent = 0,
                    .X_PJ = {},
                    .axis = Vec3::UnitY(),
                    .effortLimit = {}};
  const Pose X_RodWeight = Pose::translation(Vec3(0.1, 0.05, -0.4));
  Tree fixedTree, weldTree;
  fixedTree.add(rod, hinge);
  fixedTree.add(
      weight,
      {.name = "fixed", .type = JointType::Fixed, .parent = 1, .X_PJ = X_RodWeight, .effortLimit = {}});
  weldTree.add(rod, hinge);
  weldTree.add(weight, {.name = "free", .type = JointType::Floating, .effortLimit = {}});
  auto welded = modelOf(weldTree);
  welded->loops.push_back({.name = "glue", .bodyA = 1, .X_AaA = X_RodWeight, .bodyB = 2, .X_BbB = {}});
  World a(modelOf(fixedTree)), b(welded);
  b.q.segment<3>(1) = X_RodWeight.p;
  for (World* world : {&a, &b}) {
    world->input.dt = 1e-3;
    world->input.gravity = Vec3(0, 0, -9.81);
    world->v[0] = 4;
  }
  b.v.segment<3>(1) = 4 * Vec3::UnitY();
  b.v.segment<3>(4) = 4 * Vec3::UnitY().cross(X_RodWeight.p);
  const double start = b.totals().kinetic + b.totals().potential;
  for (int i = 0; i < 2000; ++i) {
    a.step();
    b.step();
    ASSERT_TRUE(b.output.converged);
    EXPECT_LT(weldGap(b, welded->loops[0]), 1e-4);
    EXPECT_LT(b.totals().kinetic + b.totals().potential, start + 0.02 * 4 * 4);
  }
  EXPECT_NEAR(a.q[0], b.q[0], 0.02);
}

/// Two seven-joint arms that hold a rolling pin (0.57 kg: handle 0.3, roller 0.27 on a revolute joint) by two
/// welds.
struct PinScene {
  std::shared_ptr<Model> model;
  VecX q;
  std::array<int, 2> hands;
  std::array<std::vector<int>, 2> joints;
  int handle = 0, roller = 0;
  std::array<Pose, 2> X_HandleHand;

  PinScene() {
    Tree tree;
    // The bases stand 1.3 m apart; each hand's z axis points along the pin, towards its middle.
    const std::array<double, 2> side = {-1, 1};
    for (std::size_t a = 0; a < 2; ++a) {
      const int first = static_cast<int>(tree.joints.size());
      hands[a] = addSevenJointArm(tree, Pose::translation(Vec3(0, 0.65 * side[a], 0)));
      for (int j = 0; j < 7; ++j) joints[a].push_back(first + j);
      const Mat3 R = Eigen::AngleAxisd(side[a] * std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix();
      X_HandleHand[a] = {R, Vec3(0, 0.25 * side[a], 0)};
    }
    handle = tree.add(box("handle", 0.3, Vec3(6e-3, 6e-5, 6e-3)),
                      {.name = "pin", .type = JointType::Floating, .effortLimit = {}});
    Joint spin{.name = "spin", .type = JointType::Continuous, .parent = handle, .effortLimit = {}};
    spin.axis = Vec3::UnitY();
    spin.damping = 4e-4;
    roller = tree.add(box("roller", 0.27, Vec3(2.8e-3, 1.2e-4, 2.8e-3)), spin);
    model = modelOf(tree);
    for (std::size_t a = 0; a < 2; ++a) {
      model->loops.push_back(
          {.name = "grip", .bodyA = hands[a], .X_AaA = {}, .bodyB = handle, .X_BbB = X_HandleHand[a]});
    }
    q = tree.zeroPosition();
    q.segment<7>(0) << 0.8, 0.9, 0, 1.4, 0.3, 0.5, 0;
    q.segment<7>(7) << -0.8, 0.9, 0, 1.4, -0.3, 0.5, 0;
    const Pose start = handlePath(0);
    const Tree& t = model->tree;
    q.segment<3>(t.joints[static_cast<std::size_t>(handle - 1)].qStart) = start.p;
    for (std::size_t a = 0; a < 2; ++a) EXPECT_TRUE(moveHand(a, 0).reached);
  }
  /// Down, forwards and back, as a baker does [s].
  static Pose handlePath(double t) {
    return Pose::translation(Vec3(0.5 + 0.1 * std::sin(3 * t), 0, 0.45 + 0.05 * std::cos(2 * t)));
  }
  IkResult moveHand(std::size_t a, double t) {
    return solveInverseKinematics(model->tree, hands[a], joints[a], handlePath(t) * X_HandleHand[a], q);
  }
  std::vector<PdTarget> targets() const {
    std::vector<PdTarget> targets;
    for (const auto& arm : joints) {
      for (const int j : arm) {
        const Joint& joint = model->tree.joints[static_cast<std::size_t>(j)];
        targets.push_back(
            {.joint = j, .q = q[joint.qStart], .kp = 1e6, .kd = 2e3, .effortLimit = joint.effortLimit});
      }
    }
    return targets;
  }
};

TEST(RollingPin, IsHeldByTwoStiffArmsWithFarLessThanAMillimetreOfError) {
  PinScene scene;
  World world(scene.model);
  world.q = scene.q;
  world.input.gravity = Vec3(0, 0, -9.81);
  world.input.externalWrench.assign(scene.model->tree.bodies.size(), Wrench{});
  double worstGap = 0, worstTracking = 0;
  int worstIterations = 0;
  for (int step = 1; step <= 300; ++step) {
    const double t = step * kDt;
    for (std::size_t a = 0; a < 2; ++a) ASSERT_TRUE(scene.moveHand(a, t).reached) << "t = " << t;
    world.input.targets = scene.targets();
    // Dough presses back from 1 s on.
    world.input.externalWrench[static_cast<std::size_t>(scene.roller)].force = Vec3(0, 0, t > 1 ? 60 : 0);
    world.step();
    ASSERT_TRUE(world.output.converged) << "t = " << t << ", residual " << world.output.residual;
    for (const Loop& weld : scene.model->loops) worstGap = std::max(worstGap, weldGap(world, weld));
    const Vec3 p = world.poses()[static_cast<std::size_t>(scene.handle)].p;
    if (t > 0.5) worstTracking = std::max(worstTracking, (p - PinScene::handlePath(t).p).norm());
    worstIterations = std::max(worstIterations, world.output.iterations);
  }
  RecordProperty("worst_gap_um", static_cast<int>(1e6 * worstGap));
  RecordProperty("worst_tracking_um", static_cast<int>(1e6 * worstTracking));
  RecordProperty("worst_iterations", worstIterations);
  EXPECT_LT(worstGap, 1e-4);
  EXPECT_LT(worstTracking, 2e-3);
}

TEST(RigidSolver, GivesTheSameBitsForTheSameInputs) {
  PinScene scene;
  World a(scene.model), b(scene.model);
  for (World* world : {&a, &b}) {
    world->q = scene.q;
    world->input.gravity = Vec3(0, 0, -9.81);
    world->input.targets = scene.targets();
    for (int i = 0; i < 20; ++i) world->step();
  }
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.warmStart, b.warmStart);
}

TEST(RigidSolver, ContinuesIdenticallyFromASavedStateInAFreshSolver) {
  PinScene scene;
  World a(scene.model);
  a.q = scene.q;
  a.input.gravity = Vec3(0, 0, -9.81);
  a.input.targets = scene.targets();
  for (int i = 0; i < 10; ++i) a.step();
  World b(scene.model);
  b.q = a.q;
  b.v = a.v;
  b.warmStart = a.warmStart;
  b.input = a.input;
  for (int i = 0; i < 10; ++i) {
    a.step();
    b.step();
  }
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
}

TEST(RigidSolver, TreesThatNothingJoinsDoNotInfluenceEachOther) {
  Random random(43);
  Tree both = sevenJointArm();
  addSevenJointArm(both, Pose::translation(Vec3(0, 1, 0)));
  World pair(modelOf(both)), alone(modelOf(sevenJointArm()));
  pair.v.head<7>() = alone.v = randomVecX(random, 7);
  pair.v.tail<7>() = randomVecX(random, 7);
  pair.input.gravity = alone.input.gravity = Vec3(0, 0, -9.81);
  for (int i = 0; i < 100; ++i) {
    pair.step();
    alone.step();
  }
  EXPECT_EQ(VecX(pair.q.head<7>()), alone.q);
}

TEST(RigidSolver, SaysSoWhenABodyThatCanMoveHasNoInertia) {
  Tree tree = oneHinge();
  tree.bodies[1].mass = 0;
  tree.bodies[1].inertia.setZero();
  World world(modelOf(tree));
  world.v[0] = 0.5;
  world.step();
  EXPECT_FALSE(world.output.converged);
  EXPECT_EQ(world.v[0], 0.5);
}

TEST(RigidSolver, SaysSoWhenAForceIsNotANumber) {
  World world(modelOf(oneHinge()));
  world.input.effort = VecX::Constant(1, std::numeric_limits<double>::quiet_NaN());
  world.input.targets = {{.joint = 0, .q = 1, .kp = 10, .kd = 1, .effortLimit = 5}};
  world.step();
  EXPECT_FALSE(world.output.converged);
}

}  // namespace
}  // namespace slipstick::testing

// The wrench that a joint transmits, against statics and the pendulum's formula.
#include "engine/rigid/joint_wrench.h"

#include <cmath>
#include <cstdio>

#include "tests/validation/scene_run.h"
#include "tests/validation/scene_text.h"

namespace slipstick {
namespace {

constexpr double kG = 9.81;

/// Of a joint over one more step.
struct Reading {
  Snapshot before, after;
  Wrench wrench;
};

Reading readAfterAStep(testing::SceneRun& run, const std::string& joint) {
  Reading reading;
  reading.before = run.snapshot();
  run.step();
  reading.after = run.snapshot();
  const int index = run.model().findJoint(joint);
  EXPECT_GE(index, 0) << joint;
  reading.wrench = jointWrench(run.model(), run.model().gravity, reading.before, reading.after, index);
  return reading;
}

TEST(JointWrench, AWristAtRestCarriesTheWeightBeyondItAndItsMoment) {
  testing::SceneRun run(testing::sceneOf(R"(
time: {dt_ms: 2}
robots:
  arm: {urdf: ../robots/arm7.urdf, position: [0, 0, 0.2], joints: {joint_2: 0.7, joint_4: -1.5, joint_6: 0.9}}
  hand: {urdf: ../robots/hand16.urdf, attach_to: arm.flange, rpy_deg: [0, 0, 180]}
controllers:
  - {kind: joint_path, robot: arm, joints: [joint_1, joint_2, joint_3, joint_4, joint_5, joint_6, joint_7],
     kp: 2000, kd: 200, keys: [{t: 0, q: [0, 0.7, 0, -1.5, 0, 0.9, 0]}]}
)"));
  ASSERT_TRUE(run.ok());
  run.runTo(3);
  const Model& model = run.model();
  for (const char* name : {"arm.joint_6", "arm.joint_3"}) {
    const Reading reading = readAfterAStep(run, name);
    const int child = model.tree.joints[static_cast<std::size_t>(model.findJoint(name))].child;
    const Vec3 origin = reading.after.X_WB[static_cast<std::size_t>(child)].p;
    Wrench carried;  // in a serial arm all later bodies hang on the joint
    for (std::size_t b = static_cast<std::size_t>(child); b < model.tree.bodies.size(); ++b) {
      const Vec3 up(0, 0, model.tree.bodies[b].mass * kG);
      const Vec3 arm = reading.after.X_WB[b] * model.tree.bodies[b].com - origin;
      carried += {up, arm.cross(up)};
    }
    EXPECT_GT(carried.torque.norm(), 0.2) << "a joint that carries no moment tests nothing";
    EXPECT_LT((reading.wrench.force - carried.force).norm(), 1e-3 * carried.force.norm());
    EXPECT_LT((reading.wrench.torque - carried.torque).norm(), 2e-3 * carried.torque.norm());
    std::printf("  %s at rest: %.3f N, %.4f N m; weight beyond it %.3f N, %.4f N m\n", name,
                reading.wrench.force.norm(), reading.wrench.torque.norm(), carried.force.norm(),
                carried.torque.norm());
  }
}

/// The largest error of the pivot's force over a swing, against m (a − g) with a of the formula [N].
double pendulumError(double dt_ms) {
  testing::SceneRun run("pendulum", {"time.dt_ms=" + std::to_string(dt_ms)});
  EXPECT_TRUE(run.ok());
  const double mass = 1.5, c = 0.4, inertia = 0.08015 + mass * c * c;
  double worst = 0, largest = 0, moment = 0;
  while (run.snapshot().time < 1.8) {
    const Reading reading = readAfterAStep(run, "pendulum.hinge");
    const double angle = 0.5 * (reading.before.q[0] + reading.after.q[0]);
    const double rate = 0.5 * (reading.before.v[0] + reading.after.v[0]);
    const double turn = -mass * kG * c * std::sin(angle) / inertia;
    const Vec3 r = c * Vec3(-std::sin(angle), 0, -std::cos(angle)),
               along(-std::cos(angle), 0, std::sin(angle));
    const Vec3 expected = mass * (-rate * rate * r + turn * c * along + Vec3(0, 0, kG));
    worst = std::max(worst, (reading.wrench.force - expected).norm());
    largest = std::max(largest, expected.norm());
    moment = std::max(moment, reading.wrench.torque.norm());
  }
  EXPECT_GT(largest, 2.5 * mass * kG) << "it swings fast enough for the centripetal part to count";
  EXPECT_LT(moment, 0.05 * mass * kG * c) << "a hinge without friction transmits no moment";
  std::printf("  pendulum, %.1f ms: force within %.3f of at most %.1f N, moment below %.4f N m\n", dt_ms,
              worst, largest, moment);
  return worst / largest;
}

TEST(JointWrench, APivotPullsThePendulumInwardsToFirstOrderInTheStep) {
  const double coarse = pendulumError(4), fine = pendulumError(1);
  EXPECT_LT(fine, 0.005);
  EXPECT_LT(fine, 0.4 * coarse);
}

TEST(JointWrench, APressedBodyTransmitsItsWeightLessTheContact) {
  // A panel of 0.0933 kg that slides down along z, pressed on the ground with 10 N.
  testing::SceneRun run(testing::sceneOf(R"(
time: {dt_ms: 1}
bodies:
  ground: {shapes: [{shape: plane}]}
robots:
  press: {urdf: ../robots/slider.urdf, position: [0, 0, 0.018], rpy_deg: [0, 90, 0]}
controllers:
  - {kind: joint_effort, robot: press, joint: slide, effort: 10}
)"));
  ASSERT_TRUE(run.ok());
  run.runTo(0.5);
  const Reading reading = readAfterAStep(run, "press.slide");
  const auto panel = static_cast<std::size_t>(run.model().findBody("press.panel"));
  const Vec3 contact = reading.after.contactWrench[panel].force;
  EXPECT_NEAR(contact.z(), 10 + 0.0933 * kG, 0.05);
  const Vec3 expected = Vec3(0, 0, 0.0933 * kG) - contact;
  EXPECT_LT((reading.wrench.force - expected).norm(), 1e-3 * contact.norm());
  EXPECT_NEAR(reading.wrench.force.z(), -10, 0.05) << "what the actuator presses with";
}

}  // namespace
}  // namespace slipstick

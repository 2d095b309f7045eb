// What MJCF files say of efforts, sensors and starts, in motion, against closed forms.
#include <cmath>

#include "tests/assets/scene_text.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

using testing::SceneRun;
using testing::writeFile;

int velocityOf(const Model& model, const std::string& joint) {
  for (const multibody::Joint& j : model.tree.joints)
    if (j.name == joint) return j.vStart;
  ADD_FAILURE() << joint;
  return 0;
}

/// Told to go back, a servo that only pushes leaves its cart alone, and one that turns back with 1 N m at the most does
/// that: I ω' = −1 − d ω from rest, of which implicit Euler's sum is exact; its limit Δt → 0 is
/// q = −(t − τ (1 − e^(−t/τ)))/d with τ = I/d.
TEST(MjcfMotion, EffortsThatDifferByDirectionActSo) {
  SceneRun run(
      writeFile("lift.xml", R"(<mujoco model="lift"><option gravity="0 0 0" timestep="0.002"/><worldbody>
      <body name="cart"><joint name="slide" type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .1" mass="1"/></body>
      <body name="post" pos="0 1 0"><joint name="turn" axis="0 0 1" actuatorfrcrange="-1 50" damping=".5"/>
        <inertial pos="0 0 0" mass="1" diaginertia=".02 .02 .02"/></body></worldbody>
      <actuator><position joint="slide" kp="1000" kv="20" forcerange="0 40"/><position joint="turn" kp="200" kv="4"/></actuator>
      <keyframe><key qpos="0 0" ctrl="-.5 -.5"/></keyframe></mujoco>)")
          .string());
  ASSERT_TRUE(run.ok());
  constexpr double kTime = 0.2, kStep = 0.002, kInertia = 0.02, kDamping = 0.5, kTorque = -1;
  double rate = 0, angle = 0;
  run.runTo(kTime, [&](const Snapshot& s) {
    rate = (rate + kStep * kTorque / kInertia) / (1 + kStep * kDamping / kInertia);
    angle += kStep * rate;
    EXPECT_EQ(s.tau[velocityOf(run.model(), "lift.slide")], 0);
    EXPECT_EQ(s.tau[velocityOf(run.model(), "lift.turn")], kTorque);
  });
  EXPECT_EQ(run.snapshot().q[0], 0) << "the cart stays";
  EXPECT_NEAR(run.snapshot().q[1], angle, 1e-9);
  const double tau = kInertia / kDamping;
  EXPECT_NEAR(angle, kTorque / kDamping * (kTime - tau * (1 - std::exp(-kTime / tau))), kStep * 2);
}

/// What hangs still pulls its site's parent down; the sensor says what the parent exerts: + m g along z, as MuJoCo does.
TEST(MjcfMotion, AForceSensorSaysWhatTheParentExerts) {
  const std::string file =
      writeFile("peg.xml", R"(<mujoco model="peg"><worldbody><body name="b"><joint name="j" axis="0 1 0"/>
      <geom type="sphere" pos="0 0 -.3" size=".05" mass="2"/><site name="s"/></body></worldbody>
      <sensor><force name="f" site="s"/></sensor></mujoco>)")
          .string();
  SceneRun run(file);
  ASSERT_TRUE(run.ok());
  run.runTo(0.01);
  EXPECT_NEAR(run.snapshot().sensors.at(0).linear.z(), 2 * 9.81, 1e-6);
  const Result<assets::LoadedScene> loaded = assets::loadScene(file);
  ASSERT_TRUE(loaded);
  std::string said;
  for (const Notice& notice : loaded->notices) said += notice.what + "\n";
  EXPECT_EQ(said.find("opposite"), std::string::npos) << said;
  EXPECT_NE(said.find("as in MuJoCo, what the parent exerts"), std::string::npos) << said;
}

/// The file starts 0.4 rad outside the limits, with its weld closed: both push, and neither faster than a fall through what
/// is open, √(2 g 0.4) = 2.8 rad/s.
TEST(MjcfMotion, AStartOutsideLimitsStaysThereAndNothingFlies) {
  SceneRun run(writeFile("arm.xml",
                         R"(<mujoco model="arm"><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>
      <body name="target" mocap="true" pos=".5 0 0"/>
      <body name="upper"><joint name="shoulder" axis="0 1 0" range=".4 1" damping=".5"/><geom size=".1" mass="2"/>
      <body name="hand" pos=".5 0 0"><geom size=".04" mass=".3"/></body></body></worldbody>
      <equality><weld body1="target" body2="hand"/></equality></mujoco>)")
                   .string());
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run.snapshot().q[0], 0);
  double fastest = 0;
  run.runTo(0.2, [&](const Snapshot& s) { fastest = std::max(fastest, std::abs(s.v[0])); });
  EXPECT_LE(fastest, std::sqrt(2 * 9.81 * 0.4));
  EXPECT_FALSE(has(run.health(), Health::NotConverged));
}

}  // namespace
}  // namespace slipstick

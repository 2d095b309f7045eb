// Motion without contact, from the URDF file through assets/, compile() and the stepper, against converged
// trajectories (tests/data/rigid/smooth). A first-order integrator must stay within twice Drake's
// own first-order error at 1 ms, halve its error with the step and, what is sharpest, extrapolate to the
// reference.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>

#include "engine/multibody/dynamics.h"
#include "tests/support/test_paths.h"
#include "tests/validation/reference_scene.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

using testing::quat, testing::vec3, testing::vecX;

const std::string kFolder = "rigid/smooth/";  // of tests/data

/// What is compared at every sample.
struct Sample {
  VecX q, v;  ///< of all joints but floating and ball ones, in tree order: the reference's columns
  std::map<std::string, Pose> pose;
  std::map<std::string, Velocity> velocity;
  double kinetic = 0, potential = 0;  ///< [J]
};

Sample sampleOf(const Model& model, const Snapshot& s, const nlohmann::json& links) {
  Sample sample;
  std::vector<double> q, v;
  sample.kinetic = s.totals.kineticEnergy;
  sample.potential = s.totals.potentialEnergy;
  for (const multibody::Joint& joint : model.tree.joints) {
    // Totals leave the rotors out, the reference does not.
    if (multibody::velocityCount(joint.type) == 1)
      sample.kinetic += 0.5 * joint.armature * s.v[joint.vStart] * s.v[joint.vStart];
    using multibody::JointType;
    if (joint.type == JointType::Floating || joint.type == JointType::Ball) continue;
    for (int k = 0; k < multibody::velocityCount(joint.type); ++k) {
      q.push_back(s.q[joint.qStart + k]);
      v.push_back(s.v[joint.vStart + k]);
    }
  }
  sample.q = Eigen::Map<VecX>(q.data(), static_cast<int>(q.size()));
  sample.v = Eigen::Map<VecX>(v.data(), static_cast<int>(v.size()));
  for (const auto& [name, unused] : links.items()) {
    const auto body = static_cast<std::size_t>(testing::bodyOfLink(model, name));
    sample.pose[name] = s.X_WB[body];
    sample.velocity[name] = s.V_WB[body];
  }
  return sample;
}

/// Implicit PD along the case's sine goals, with a key at every step.
JointPathSpec pdController(const nlohmann::json& controller, double duration, double dt) {
  JointPathSpec spec;
  spec.robot = "rig";
  spec.gains.kp = controller["kp"].get<std::vector<double>>();
  spec.gains.kd = controller["kd"].get<std::vector<double>>();
  for (std::size_t i = 0; i < spec.gains.kp.size(); ++i)
    spec.joints.push_back("joint" + std::to_string(i + 1));
  for (int step = 0; step <= std::lround(duration / dt); ++step) {
    JointPathSpec::Key key{.t = step * dt, .q = {}};
    for (std::size_t i = 0; i < spec.joints.size(); ++i) {
      const double phase =
          controller["omega"][i].get<double>() * key.t + controller["phase"][i].get<double>();
      key.q.push_back(controller["center"][i].get<double>() +
                      controller["amplitude"][i].get<double>() * std::sin(phase));
    }
    spec.keys.push_back(key);
  }
  return spec;
}

Scene sceneOf(const nlohmann::json& data, double dt) {
  Scene scene = testing::referenceScene(kFolder, data, dt);
  if (data.contains("controller"))
    scene.controllers.push_back(pdController(data["controller"], data["duration"], dt));
  if (data.contains("loop")) {
    const nlohmann::json& source = data["loop"];
    LoopSpec loop;
    loop.kind = LoopKind::Ball;
    loop.name = "pin";
    loop.linkA = "rig." + source["link_a"].get<std::string>();
    loop.X_LaA.p = vec3(source["point_a"]);
    loop.linkB = "rig." + source["link_b"].get<std::string>();
    loop.X_LbB.p = vec3(source["point_b"]);
    scene.loops.push_back(loop);
  }
  return scene;
}

std::vector<Sample> simulate(const nlohmann::json& data, double dt) {
  std::vector<Sample> samples;
  testing::SceneRun run(sceneOf(data, dt));
  if (!run.ok()) return samples;
  VecX q, v;
  testing::referenceState(run.model(), data, q, v);
  run.restart(q, v);
  const nlohmann::json& links = data["trajectory"]["links"];
  const int perSample = static_cast<int>(std::lround(data["sampling_interval"].get<double>() / dt));
  const int steps = static_cast<int>(std::lround(data["duration"].get<double>() / dt));
  for (int step = 0;; ++step) {
    if (step % perSample == 0) samples.push_back(sampleOf(run.model(), run.snapshot(), links));
    if (step == steps) break;
    run.step();
  }
  EXPECT_EQ(run.health() & ~static_cast<HealthFlags>(Health::ActuatorSaturated), 0u);
  return samples;
}

/// Largest errors over all samples, by the README's names.
using Errors = std::map<std::string, double>;

void grow(double& worst, double error) {
  worst = std::max(worst, error);
}

/// Errors of `fine`, or, where `coarse` (twice its step) is given, of the extrapolation 2 fine − coarse.
/// Angles and energies are not extrapolated.
Errors errorsOf(const nlohmann::json& trajectory, const std::vector<Sample>& fine,
                const std::vector<Sample>* coarse = nullptr) {
  Errors e;
  const auto best = [&](const auto& a, const auto& b) { return coarse ? (2 * a - b).eval() : a; };
  for (std::size_t n = 0; n < trajectory["t"].size(); ++n) {
    const Sample &a = fine[n], &b = coarse ? (*coarse)[n] : a;
    if (trajectory.contains("q")) {
      grow(e["q"], (best(a.q, b.q) - vecX(trajectory["q"][n])).lpNorm<Eigen::Infinity>());
      grow(e["v"], (best(a.v, b.v) - vecX(trajectory["v"][n])).lpNorm<Eigen::Infinity>());
    }
    for (const auto& [name, link] : trajectory["links"].items()) {
      const Pose &X = a.pose.at(name), &Y = b.pose.at(name);
      const Velocity &V = a.velocity.at(name), &U = b.velocity.at(name);
      grow(e["link_position"], (best(X.p, Y.p) - vec3(link["position"][n])).norm());
      grow(e["link_velocity"], (best(V.v, U.v) - vec3(link["velocity"][n])).norm());
      grow(e["link_angular_velocity"], (best(V.w, U.w) - vec3(link["angular_velocity"][n])).norm());
      if (!coarse)
        grow(e["link_angle"], Quat(X.R).angularDistance(quat(link["quaternion_wxyz"][n]).normalized()));
    }
    if (coarse) continue;
    grow(e["kinetic_energy"], std::abs(a.kinetic - trajectory["kinetic_energy"][n].get<double>()));
    grow(e["potential_energy"], std::abs(a.potential - trajectory["potential_energy"][n].get<double>()));
  }
  return e;
}

/// The tables hold ten decimals of values that were stored with twelve digits.
constexpr double kStored = 1e-9;

class SmoothMotion : public ::testing::TestWithParam<const char*> {};

TEST_P(SmoothMotion, ConvergesToTheReferenceAtFirstOrder) {
  const nlohmann::json data = testing::readData(kFolder + GetParam() + ".json");
  const nlohmann::json &allowed = data["first_order_error"], &trajectory = data["trajectory"];
  const nlohmann::json& sharp = allowed["extrapolated_2*x(0.00025)-x(0.0005)"];
  const std::size_t count = trajectory["t"].size();
  const std::vector<Sample> coarse = simulate(data, 1e-3), middle = simulate(data, 5e-4),
                            fine = simulate(data, 2.5e-4);
  ASSERT_EQ(coarse.size(), count);
  ASSERT_EQ(middle.size(), count);
  ASSERT_EQ(fine.size(), count);

  const Errors at1 = errorsOf(trajectory, coarse), at05 = errorsOf(trajectory, middle),
               at025 = errorsOf(trajectory, fine), limit = errorsOf(trajectory, fine, &middle);
  for (const auto& [what, error] : at1)
    EXPECT_LE(error, 2 * allowed["0.001"][what].get<double>() + kStored) << what << " at 1 ms";
  const std::string main = trajectory.contains("q") ? "q" : "link_angle";
  const double ratio = at1.at(main) / at05.at(main), ratioFine = at05.at(main) / at025.at(main);
  EXPECT_GT(ratio, 1.8) << main;
  EXPECT_LT(ratio, 2.2) << main;
  EXPECT_GT(ratioFine, 1.8) << main;
  EXPECT_LT(ratioFine, 2.2) << main;
  for (const auto& [what, error] : limit)
    EXPECT_LE(error, 3 * sharp[what].get<double>() + kStored) << what << ", extrapolated";

  const std::string sharpest = trajectory.contains("q") ? "q" : "link_angular_velocity";
  std::printf(
      "  %s: %s error at 1 ms %.2e (Drake %.2e), halves by %.3f and %.3f; extrapolated %s error %.1e "
      "(allowed %.1e)\n",
      GetParam(), main.c_str(), at1.at(main), allowed["0.001"][main].get<double>(), ratio, ratioFine,
      sharpest.c_str(), limit.at(sharpest), 3 * sharp[sharpest].get<double>());
  for (const auto& [what, error] : limit) RecordProperty("extrapolated_" + what, error);
}

INSTANTIATE_TEST_SUITE_P(Reference, SmoothMotion,
                         ::testing::Values("pendulum", "double_pendulum", "chain5", "free_rotation",
                                           "floating_tree", "arm7_fall", "arm7_armature", "arm7_pd",
                                           "cart_pole", "ball_pendulum", "planar_body", "gear_pair",
                                           "four_bar"),
                         [](const auto& test) { return std::string(test.param); });

/// A case of one joint at 1 ms from (q0, v0).
testing::SceneRun oneJoint(const nlohmann::json& entry, double q0, double v0) {
  testing::SceneRun run(testing::referenceScene(kFolder, entry, 1e-3));
  if (run.ok()) run.restart(VecX::Constant(1, q0), VecX::Constant(1, v0));
  return run;
}

TEST(JointLimit, StopsThePendulumWithoutGainAndCarriesItAtRest) {
  const nlohmann::json data = testing::readData(kFolder + "joint_limit.json");
  const nlohmann::json &tolerance = data["tolerance"], &analytic = data["analytic"];
  const nlohmann::json& start = data["initial_state"]["joint"]["hinge"];
  testing::SceneRun run = oneJoint(data, start["q"], start["v"]);
  ASSERT_TRUE(run.ok());
  const multibody::Body& rod = run.model().tree.bodies.back();
  const double mgl = rod.mass * run.model().gravity.norm() * rod.com.norm();
  const double lower = run.model().tree.joints.back().lower;
  const auto energy = [](const Snapshot& s) { return s.totals.kineticEnergy + s.totals.potentialEnergy; };
  const double before = energy(run.snapshot());
  double beyond = 0, gain = 0, impact = -1;
  run.runTo(data["duration"], [&](const Snapshot& s) {
    beyond = std::max(beyond, lower - s.q[0]);
    gain = std::max(gain, energy(s) - before);
    if (impact < 0 && s.q[0] < lower + 0.002) impact = s.time;
  });
  EXPECT_NEAR(run.state().q[0], analytic["angle_at_rest"].get<double>(),
              tolerance["angle_at_rest"].get<double>());
  EXPECT_NEAR(impact, analytic["time_of_first_impact"].get<double>(),
              tolerance["time_of_first_impact"].get<double>());
  EXPECT_LT(beyond, tolerance["max_angle_beyond_limit_dt_0.001"].get<double>());
  EXPECT_LT(gain, mgl * tolerance["max_energy_above_initial_relative_to_m_g_l_dt_0.001"].get<double>());
  std::printf(
      "  joint_limit: rest %.1e rad from the limit, first impact %.1e s off, %.1e rad beyond, energy gain "
      "%.1e J\n",
      std::abs(run.state().q[0] - analytic["angle_at_rest"].get<double>()),
      std::abs(impact - analytic["time_of_first_impact"].get<double>()), beyond, gain);
}

TEST(DryFriction, StopsHoldsAndSlidesAsCoulombSays) {
  const nlohmann::json data = testing::readData(kFolder + "dry_friction.json");
  const nlohmann::json &tolerance = data["tolerance"], &hold = data["pendulum_hold"],
                       &move = data["pendulum_move"];
  const auto runFrom = [&](nlohmann::json entry, double q0, double v0, double time) {
    entry["gravity"] = data["gravity"];
    testing::SceneRun run = oneJoint(entry, q0, v0);
    if (!run.ok()) return std::nan("");
    run.runTo(time);
    return run.state().q[0];
  };
  const double stop = data["rotor"]["analytic"]["stop_angle"], moved = move["analytic"]["q"], q0 = hold["q0"];
  const double stopped = runFrom(data["rotor"], 0, data["rotor"]["v0"], data["rotor"]["duration"]);
  const double held = runFrom(hold, q0, 0, 2), slid = runFrom(hold, move["q0"], 0, move["time"]);
  EXPECT_NEAR(stopped, stop, stop * tolerance["stop_angle_relative_dt_0.001"].get<double>());
  EXPECT_NEAR(held, q0, tolerance["hold_displacement"].get<double>());
  EXPECT_NEAR(slid, moved, tolerance["move_q_dt_0.001"].get<double>());
  std::printf(
      "  dry_friction: stop angle %.2e rad off (MuJoCo 3e-3), held within %.1e rad, slid %.1e rad off\n",
      std::abs(stopped - stop), std::abs(held - q0), std::abs(slid - moved));
}

}  // namespace
}  // namespace slipstick

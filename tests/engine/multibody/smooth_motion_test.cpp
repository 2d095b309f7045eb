// Motion without contact against ../shared/reference/rigid/smooth: a first-order integrator must stay within
// the README's error at 1 ms and, what is sharper, extrapolate to the converged trajectory.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "engine/multibody/dynamics.h"
#include "engine/multibody/kinematics.h"
#include "engine/multibody/rigid_solver.h"
#include "tests/engine/multibody/reference_model.h"
#include "tests/support/test_paths.h"

namespace slipstick::multibody::testing {
namespace {

/// What is compared at every sample: joint q, joint v, and pose and velocity of the stored links.
struct Samples {
  std::vector<VecX> q, v;
  std::map<std::string, std::vector<Pose>> poses;
  std::map<std::string, std::vector<Velocity>> velocities;
};

/// Targets of the PD controllers at time t.
std::vector<PdTarget> controllerTargets(const nlohmann::json& data, double t) {
  std::vector<PdTarget> targets;
  if (!data.contains("controller")) return targets;
  const nlohmann::json& c = data["controller"];
  for (std::size_t i = 0; i < c["kp"].size(); ++i) {
    const double omega = c["omega"][i], phase = omega * t + c["phase"][i].get<double>();
    const double amplitude = c["amplitude"][i];
    targets.push_back({.joint = static_cast<int>(i),
                       .q = c["center"][i].get<double>() + amplitude * std::sin(phase),
                       .v = amplitude * omega * std::cos(phase),
                       .kp = c["kp"][i],
                       .kd = c["kd"][i],
                       .effortLimit = c["effort"][i]});
  }
  return targets;
}

void sample(const Tree& tree, const nlohmann::json& links, const VecX& q, const VecX& v, Samples& samples) {
  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  computePoses(tree, q, X_WB);
  computeVelocities(tree, q, v, X_WB, V_WB);
  VecX jointQ, jointV;
  jointCoordinates(tree, q, v, jointQ, jointV);
  samples.q.push_back(jointQ);
  samples.v.push_back(jointV);
  for (const auto& [name, unused] : links.items()) {
    const auto body = static_cast<std::size_t>(bodyIndex(tree, name));
    samples.poses[name].push_back(X_WB[body]);
    samples.velocities[name].push_back(V_WB[body]);
  }
}

Samples simulate(const nlohmann::json& data, double dt) {
  const auto model = modelOf(buildTree(data["model"]));
  const Tree& tree = model->tree;
  RigidSolver solver(model);
  VecX q, v, warmStart;
  initialState(tree, data["initial_state"], q, v);
  RigidStepInput input{.q = &q, .v = &v, .dt = dt, .gravity = vec3(data["gravity"])};
  RigidStepOutput output;
  Samples samples;
  const nlohmann::json& links = data["trajectory"]["links"];
  const int perSample = static_cast<int>(std::lround(data["sampling_interval"].get<double>() / dt));
  const int steps = static_cast<int>(std::lround(data["duration"].get<double>() / dt));
  for (int step = 0;; ++step) {
    if (step % perSample == 0) sample(tree, links, q, v, samples);
    if (step == steps) break;
    input.targets = controllerTargets(data, (step + 1) * dt);
    solver.step(input, warmStart, output);
    EXPECT_TRUE(output.converged) << "step " << step << ", residual " << output.residual;
    v = output.v;
    integrate(tree, v, dt, q);
  }
  return samples;
}

/// Largest errors over all samples, by the README's names.
using Errors = std::map<std::string, double>;

void grow(double& worst, double error) {
  worst = std::max(worst, error);
}

/// Errors of `a` alone, or of the extrapolation 2a − b (angles are not extrapolated).
Errors errors(const nlohmann::json& trajectory, const Samples& a, const Samples* b = nullptr) {
  Errors e;
  const auto best = [&](const auto& fine, const auto& coarse) {
    return b ? (2 * fine - coarse).eval() : fine;
  };
  for (std::size_t n = 0; n < trajectory["t"].size(); ++n) {
    if (trajectory.contains("q")) {
      const Samples& coarse = b ? *b : a;
      grow(e["q"], (best(a.q[n], coarse.q[n]) - vecX(trajectory["q"][n])).lpNorm<Eigen::Infinity>());
      grow(e["v"], (best(a.v[n], coarse.v[n]) - vecX(trajectory["v"][n])).lpNorm<Eigen::Infinity>());
    }
    for (const auto& [name, link] : trajectory["links"].items()) {
      const Pose& X = a.poses.at(name)[n];
      const Velocity& V = a.velocities.at(name)[n];
      const Pose& X_coarse = (b ? *b : a).poses.at(name)[n];
      const Velocity& V_coarse = (b ? *b : a).velocities.at(name)[n];
      grow(e["link_position"], (best(X.p, X_coarse.p) - vec3(link["position"][n])).norm());
      grow(e["link_velocity"], (best(V.v, V_coarse.v) - vec3(link["velocity"][n])).norm());
      grow(e["link_angular_velocity"], (best(V.w, V_coarse.w) - vec3(link["angular_velocity"][n])).norm());
      if (!b) grow(e["link_angle"], Quat(X.R).angularDistance(quat(link["quaternion_wxyz"][n])));
    }
  }
  return e;
}

/// Twelve stored digits of values up to ten.
constexpr double kStored = 1e-10;

class SmoothMotion : public ::testing::TestWithParam<const char*> {};

TEST_P(SmoothMotion, ConvergesToTheReferenceAtFirstOrder) {
  const std::string path = std::string("reference/rigid/smooth/") + GetParam() + ".json";
  SLIPSTICK_REQUIRE_SHARED(path);
  const nlohmann::json data = slipstick::testing::readSharedJson(path);
  const nlohmann::json& allowed = data["first_order_error"];
  const Samples coarse = simulate(data, 1e-3), middle = simulate(data, 5e-4), fine = simulate(data, 2.5e-4);

  const Errors atCoarse = errors(data["trajectory"], coarse), atMiddle = errors(data["trajectory"], middle);
  for (const auto& [what, error] : atCoarse) {
    EXPECT_LE(error, 2 * allowed["0.001"][what].get<double>() + kStored) << what << " at 1 ms";
  }
  const std::string main = data["trajectory"].contains("q") ? "q" : "link_angle";
  EXPECT_GT(atCoarse.at(main) / atMiddle.at(main), 1.8) << main;
  EXPECT_LT(atCoarse.at(main) / atMiddle.at(main), 2.2) << main;

  const nlohmann::json& sharp = allowed["extrapolated_2*x(0.00025)-x(0.0005)"];
  for (const auto& [what, error] : errors(data["trajectory"], fine, &middle)) {
    EXPECT_LE(error, 3 * sharp[what].get<double>() + kStored) << what << ", extrapolated";
  }
}

INSTANTIATE_TEST_SUITE_P(Reference, SmoothMotion,
                         ::testing::Values("pendulum", "double_pendulum", "chain5", "free_rotation",
                                           "floating_tree", "arm7_fall", "arm7_armature", "arm7_pd",
                                           "cart_pole", "ball_pendulum", "planar_body", "gear_pair"),
                         [](const auto& test) { return std::string(test.param); });

/// One joint from q0, v0 for `time`; calls look(q, v, output) after every step.
template <class Look>
void swing(const nlohmann::json& model, const Vec3& gravity, Eigen::Vector2d start, double time, Look look) {
  const double dt = 1e-3;
  RigidSolver solver(modelOf(buildTree(model)));
  VecX q = VecX::Constant(1, start[0]), v = VecX::Constant(1, start[1]), warmStart;
  RigidStepInput input{.q = &q, .v = &v, .dt = dt, .gravity = gravity};
  RigidStepOutput output;
  for (int step = 1; step <= std::lround(time / dt); ++step) {
    solver.step(input, warmStart, output);
    ASSERT_TRUE(output.converged);
    v = output.v;
    q += dt * v;
    look(step * dt, q[0], v[0], warmStart);
  }
}

TEST(JointLimit, StopsThePendulumWithoutBounceOrGainAndCarriesItAtRest) {
  const std::string path = "reference/rigid/smooth/joint_limit.json";
  SLIPSTICK_REQUIRE_SHARED(path);
  const nlohmann::json data = slipstick::testing::readSharedJson(path);
  const nlohmann::json& tolerance = data["tolerance"];
  const nlohmann::json& analytic = data["analytic"];
  const Tree tree = buildTree(data["model"]);
  const Vec3 gravity = vec3(data["gravity"]);
  const double lower = tree.joints[0].lower;
  const double mgl = tree.bodies[1].mass * gravity.norm() * tree.bodies[1].com.norm();

  std::vector<Pose> X_WB;
  std::vector<Velocity> V_WB;
  const auto energy = [&](double angle, double rate) {
    const VecX q = VecX::Constant(1, angle), v = VecX::Constant(1, rate);
    computePoses(tree, q, X_WB);
    computeVelocities(tree, q, v, X_WB, V_WB);
    const MechanicalTotals totals = mechanicalTotals(tree, X_WB, V_WB, gravity);
    return totals.kinetic + totals.potential;
  };
  const double q0 = data["initial_state"]["joint"]["hinge"]["q"];
  const double initialEnergy = energy(q0, 0);
  double angle = q0, torque = 0, beyond = 0, gain = 0, impact = -1;
  swing(data["model"], gravity, {q0, 0}, data["duration"],
        [&](double t, double q, double v, const VecX& impulses) {
          angle = q;
          torque = impulses.sum() / 1e-3;
          beyond = std::max(beyond, lower - q);
          gain = std::max(gain, energy(q, v) - initialEnergy);
          if (impact < 0 && q < lower + 0.002) impact = t;
        });
  EXPECT_NEAR(angle, analytic["angle_at_rest"].get<double>(), tolerance["angle_at_rest"].get<double>());
  const double expected = analytic["limit_torque_at_rest"];
  EXPECT_NEAR(torque, expected, expected * tolerance["limit_torque_at_rest_relative"].get<double>());
  EXPECT_NEAR(impact, analytic["time_of_first_impact"].get<double>(),
              tolerance["time_of_first_impact"].get<double>());
  EXPECT_LT(beyond, tolerance["max_angle_beyond_limit_dt_0.001"].get<double>());
  EXPECT_LT(gain, mgl * tolerance["max_energy_above_initial_relative_to_m_g_l_dt_0.001"].get<double>());
}

TEST(DryFriction, StopsHoldsAndSlidesAsCoulombSays) {
  const std::string path = "reference/rigid/smooth/dry_friction.json";
  SLIPSTICK_REQUIRE_SHARED(path);
  const nlohmann::json data = slipstick::testing::readSharedJson(path);
  const nlohmann::json& tolerance = data["tolerance"];
  const Vec3 gravity = vec3(data["gravity"]);
  double q = 0;
  const auto last = [&](double, double angle, double, const VecX&) { q = angle; };

  const nlohmann::json& rotor = data["rotor"];
  swing(rotor["model"], gravity, {0, rotor["v0"]}, rotor["duration"], last);
  const double stop = rotor["analytic"]["stop_angle"];
  EXPECT_NEAR(q, stop, stop * tolerance["stop_angle_relative_dt_0.001"].get<double>());

  const nlohmann::json& hold = data["pendulum_hold"];
  swing(hold["model"], gravity, {hold["q0"], 0}, 2, last);
  EXPECT_NEAR(q, hold["q0"].get<double>(), tolerance["hold_displacement"].get<double>());

  const nlohmann::json& move = data["pendulum_move"];
  swing(hold["model"], gravity, {move["q0"], 0}, move["time"], last);
  EXPECT_NEAR(q, move["analytic"]["q"].get<double>(), tolerance["move_q_dt_0.001"].get<double>());
}

}  // namespace
}  // namespace slipstick::multibody::testing
